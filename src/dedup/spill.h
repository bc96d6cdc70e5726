// SPDX-License-Identifier: Apache-2.0
// Records that do not fit in memory, cut into partitions on the way to disk, each of which does.
//
// One file without a name: the kernel frees it however the process ends, and no number of
// partitions runs out of file descriptors. A partition is a list of extents of whole records; their
// order is that in which writers came, so readers sort.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "headrace/result.h"

namespace headrace::dedup {

// Thread-safe but for the Writers.
class Spill {
 public:
  // `block_bytes` is what a Writer holds for each partition, and the size of most extents.
  static Result<Spill> create(const std::string& folder, std::size_t partitions,
                              std::size_t block_bytes);
  Spill(Spill&&) noexcept;
  Spill& operator=(Spill&&) noexcept;
  ~Spill();

  // Buffers of one thread. What is not flushed is lost.
  class Writer {
   public:
    explicit Writer(Spill& spill);
    // `bytes` stay together in one extent.
    Result<void> put(std::size_t partition, std::string_view bytes);
    template <class Record>
    Result<void> put_record(std::size_t partition, const Record& record) {
      static_assert(std::is_trivially_copyable_v<Record>);
      return put(partition, {reinterpret_cast<const char*>(&record), sizeof(Record)});
    }
    Result<void> flush();

   private:
    Result<void> flush(std::size_t partition);
    Spill& spill_;
    std::vector<std::string> buffers_;
  };

  std::size_t partitions() const;
  std::uint64_t bytes(std::size_t partition) const;
  std::uint64_t total_bytes() const;

  // All of a partition, appended.
  Result<void> read(std::size_t partition, std::string* bytes) const;
  template <class Record>
  Result<std::vector<Record>> read_records(std::size_t partition) const {
    static_assert(std::is_trivially_copyable_v<Record>);
    std::vector<Record> records(bytes(partition) / sizeof(Record));
    HEADRACE_RETURN_IF_ERROR(read_into(partition, reinterpret_cast<char*>(records.data())));
    return records;
  }
  // For a partition that is too large: its extents one by one, and parts of them by their place.
  Result<void> for_each_extent(
      std::size_t partition,
      const std::function<Result<void>(std::uint64_t offset, std::string_view bytes)>& sink) const;
  Result<void> read_at(std::uint64_t offset, std::span<char> buffer) const;

  // Gives the disk of a partition back. Its records are gone.
  void release(std::size_t partition);

 private:
  struct State;
  explicit Spill(std::unique_ptr<State> state);
  Result<void> read_into(std::size_t partition, char* to) const;
  Result<void> append(std::size_t partition, std::string_view bytes);
  std::unique_ptr<State> state_;
};

}  // namespace headrace::dedup
