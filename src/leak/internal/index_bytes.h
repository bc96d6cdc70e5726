// SPDX-License-Identifier: Apache-2.0
// The frame of both index files, and the plain values in it. Private to the room.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "headrace/result.h"

namespace headrace::leak {

// Part of the formats; see docs/formats/leak-index.md.
enum class IndexKind : std::uint32_t { kItems = 0, kSplit = 1 };
inline constexpr std::uint32_t kIndexVersion = 1;

// Values, little-endian, one after the other. Single-threaded.
class IndexWriter {
 public:
  explicit IndexWriter(IndexKind kind);

  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    bytes_ += text;
  }
  template <class T>
  void put_all(const std::vector<T>& values) {
    static_assert(std::is_arithmetic_v<T>);
    put<std::uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  // The whole file; the writer is spent.
  std::string finish();

 private:
  std::string bytes_;
};

// Reads what IndexWriter wrote. The first value that is not there makes all later ones empty;
// status() says so. Single-threaded.
class IndexReader {
 public:
  // corrupt or unsupported for what is not a whole file of `kind`, or is made with another table of
  // characters.
  static Result<IndexReader> open(std::string_view bytes, IndexKind kind, std::string_view name);

  template <class T>
  T take() {
    T value{};
    if (const char* from = take_bytes(sizeof(T))) std::memcpy(&value, from, sizeof(T));
    return value;
  }
  std::string take_text() {
    const std::uint64_t size = take<std::uint64_t>();
    const char* from = take_bytes(size);
    return from == nullptr ? "" : std::string(from, size);
  }
  template <class T>
  std::vector<T> take_all() {
    const std::uint64_t size = take<std::uint64_t>();
    std::vector<T> values;
    if (size > left_.size()) {
      is_short_ = true;
      return values;
    }
    if (const char* from = take_bytes(size * sizeof(T))) {
      values.resize(size);
      if (size > 0) std::memcpy(values.data(), from, size * sizeof(T));
    }
    return values;
  }
  // False if `values` more of at least a byte each cannot be there: a count that lies.
  bool may_hold(std::uint64_t values) {
    is_short_ = is_short_ || values > left_.size();
    return !is_short_;
  }
  bool is_whole() const { return !is_short_ && left_.empty(); }
  Status fault(std::string_view found) const;

 private:
  IndexReader(std::string_view left, std::string_view name) : left_(left), name_(name) {}
  const char* take_bytes(std::uint64_t size) {
    if (is_short_ || size > left_.size()) {
      is_short_ = true;
      return nullptr;
    }
    const char* from = left_.data();
    left_.remove_prefix(size);
    return from;
  }

  std::string_view left_;
  std::string name_;
  bool is_short_ = false;
};

}  // namespace headrace::leak
