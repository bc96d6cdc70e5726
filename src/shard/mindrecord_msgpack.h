// SPDX-License-Identifier: Apache-2.0
// The part of msgpack that the raw records of MindRecord use: maps of strings, integers and floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::shard {

template <class T>
void append_big_endian(std::string* out, T value) {
  for (std::size_t i = sizeof(T); i-- > 0;) out->push_back(static_cast<char>(value >> (8 * i)));
}

template <class T>
T load_big_endian(const char* bytes) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>((value << 8) | static_cast<unsigned char>(bytes[i]));
  }
  return value;
}

void append_map_size(std::string* out, std::size_t entries);
void append_string(std::string* out, std::string_view text);
// The smallest form.
void append_integer(std::string* out, std::int64_t value);
// Four bytes where a float holds it, else eight.
void append_double(std::string* out, double value);

// Reads values in order; each error is Code::kCorrupt without a file.
class MsgpackReader {
 public:
  explicit MsgpackReader(std::string_view bytes) : all_(bytes.size()), bytes_(bytes) {}

  Result<std::uint64_t> map_size();
  Result<std::string_view> string();
  Result<std::int64_t> integer();
  Result<double> number();  // integers, too
  Result<void> skip();      // one value of the kinds above
  bool at_end() const { return bytes_.empty(); }

 private:
  Status bad(std::string_view expected) const;
  Result<std::uint64_t> take(std::size_t width);

  std::size_t all_;
  std::string_view bytes_;
};

}  // namespace headrace::shard
