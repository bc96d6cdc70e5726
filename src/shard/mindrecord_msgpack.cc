// SPDX-License-Identifier: Apache-2.0
#include "shard/mindrecord_msgpack.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace headrace::shard {
namespace {

template <class T>
void append_tagged(std::string* out, unsigned tag, T value) {
  out->push_back(static_cast<char>(tag));
  append_big_endian(out, value);
}

bool fits_float(double value) {
  return std::abs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

}  // namespace

void append_map_size(std::string* out, std::size_t entries) {
  if (entries <= 15) {
    out->push_back(static_cast<char>(0x80 | entries));
  } else {
    append_tagged(out, 0xde, static_cast<std::uint16_t>(entries));
  }
}

void append_string(std::string* out, std::string_view text) {
  const std::size_t size = text.size();
  if (size <= 31) {
    out->push_back(static_cast<char>(0xa0 | size));
  } else if (size <= 0xff) {
    append_tagged(out, 0xd9, static_cast<std::uint8_t>(size));
  } else if (size <= 0xffff) {
    append_tagged(out, 0xda, static_cast<std::uint16_t>(size));
  } else {
    append_tagged(out, 0xdb, static_cast<std::uint32_t>(size));
  }
  out->append(text);
}

void append_integer(std::string* out, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (value >= 0) {
    if (bits < 0x80) {
      out->push_back(static_cast<char>(bits));
    } else if (bits <= 0xff) {
      append_tagged(out, 0xcc, static_cast<std::uint8_t>(bits));
    } else if (bits <= 0xffff) {
      append_tagged(out, 0xcd, static_cast<std::uint16_t>(bits));
    } else if (bits <= 0xffffffff) {
      append_tagged(out, 0xce, static_cast<std::uint32_t>(bits));
    } else {
      append_tagged(out, 0xcf, bits);
    }
  } else if (value >= -32) {
    out->push_back(static_cast<char>(value));
  } else if (value == static_cast<std::int8_t>(value)) {
    append_tagged(out, 0xd0, static_cast<std::uint8_t>(bits));
  } else if (value == static_cast<std::int16_t>(value)) {
    append_tagged(out, 0xd1, static_cast<std::uint16_t>(bits));
  } else if (value == static_cast<std::int32_t>(value)) {
    append_tagged(out, 0xd2, static_cast<std::uint32_t>(bits));
  } else {
    append_tagged(out, 0xd3, bits);
  }
}

void append_double(std::string* out, double value) {
  if (fits_float(value)) {
    append_tagged(out, 0xca, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  } else {
    append_tagged(out, 0xcb, std::bit_cast<std::uint64_t>(value));
  }
}

Status MsgpackReader::bad(std::string_view expected) const {
  return corrupt("byte {} of the raw record: expected {}", all_ - bytes_.size(), expected);
}

Result<std::uint64_t> MsgpackReader::take(std::size_t width) {
  if (bytes_.size() < width) return bad("more bytes");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    value = (value << 8) | static_cast<unsigned char>(bytes_[i]);
  }
  bytes_.remove_prefix(width);
  return value;
}

Result<std::uint64_t> MsgpackReader::map_size() {
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t tag, take(1));
  if ((tag & 0xf0) == 0x80) return tag & 0x0f;
  if (tag == 0xde) return take(2);
  if (tag == 0xdf) return take(4);
  return bad("a map before it");
}

Result<std::string_view> MsgpackReader::string() {
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t tag, take(1));
  std::uint64_t size = tag & 0x1f;
  if (tag >= 0xd9 && tag <= 0xdb) {
    HEADRACE_ASSIGN_OR_RETURN(size, take(std::size_t{1} << (tag - 0xd9)));
  } else if ((tag & 0xe0) != 0xa0) {
    return bad("a string before it");
  }
  if (bytes_.size() < size) return bad("the rest of a string");
  const std::string_view text = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return text;
}

Result<std::int64_t> MsgpackReader::integer() {
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t tag, take(1));
  if (tag < 0x80) return static_cast<std::int64_t>(tag);
  if (tag >= 0xe0) return static_cast<std::int8_t>(tag);
  if (tag >= 0xcc && tag <= 0xcf) {
    HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t value, take(std::size_t{1} << (tag - 0xcc)));
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return bad("an int64 before it");
    }
    return static_cast<std::int64_t>(value);
  }
  if (tag < 0xd0 || tag > 0xd3) return bad("an integer before it");
  const std::size_t width = std::size_t{1} << (tag - 0xd0);
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t value, take(width));
  const unsigned shift = static_cast<unsigned>(64 - 8 * width);
  return static_cast<std::int64_t>(value << shift) >> shift;
}

Result<double> MsgpackReader::number() {
  if (bytes_.empty()) return bad("a number");
  const auto tag = static_cast<unsigned char>(bytes_.front());
  if (tag != 0xca && tag != 0xcb) {
    HEADRACE_ASSIGN_OR_RETURN(const std::int64_t value, integer());
    return static_cast<double>(value);
  }
  bytes_.remove_prefix(1);
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t bits, take(tag == 0xca ? 4 : 8));
  if (tag == 0xcb) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

Result<void> MsgpackReader::skip() {
  if (bytes_.empty()) return bad("a value");
  const auto tag = static_cast<unsigned char>(bytes_.front());
  if ((tag & 0xe0) == 0xa0 || (tag >= 0xd9 && tag <= 0xdb)) {
    HEADRACE_RETURN_IF_ERROR(string());
  } else {
    HEADRACE_RETURN_IF_ERROR(number());
  }
  return {};
}

}  // namespace headrace::shard
