// SPDX-License-Identifier: Apache-2.0
// An array of numbers, zero at first, aligned to cache lines; large ones lie on huge pages where
// the system gives them, because random look-ups would otherwise miss in the page table as well.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace headrace {

template <class T>
class BigTable {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BigTable() = default;
  explicit BigTable(std::size_t size) : size_(size) {
    const std::size_t bytes = size * sizeof(T);
    const std::size_t alignment = bytes >= kLarge ? kHugePage : kLine;
    const std::size_t padded = (bytes + alignment) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, padded);
    if (memory == nullptr) throw std::bad_alloc();
    if (alignment == kHugePage) ::madvise(memory, padded, MADV_HUGEPAGE);
    std::memset(memory, 0, padded);
    data_.reset(static_cast<T*>(memory));
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  static constexpr std::size_t kLarge = 128 << 10;
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace headrace
