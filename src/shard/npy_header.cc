// SPDX-License-Identifier: Apache-2.0
#include "shard/npy_header.h"

#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace headrace::shard {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kAlignment = 64;

constexpr std::array<std::pair<FieldType, std::string_view>, 5> kDescrs = {
    {{FieldType::kUint16, "<u2"},
     {FieldType::kInt32, "<i4"},
     {FieldType::kInt64, "<i8"},
     {FieldType::kFloat32, "<f4"},
     {FieldType::kFloat64, "<f8"}}};

// What stands behind 'KEY': in the dict, up to `end`; numpy writes the keys in one way.
std::optional<std::string_view> value_of(std::string_view dict, std::string_view key,
                                         std::string_view end) {
  const std::size_t at = dict.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  dict.remove_prefix(at + key.size());
  const std::size_t stop = dict.find(end);
  if (stop == std::string_view::npos) return std::nullopt;
  return dict.substr(0, stop);
}

}  // namespace

std::string_view npy_descr(FieldType type) {
  for (const auto& [of, descr] : kDescrs) {
    if (of == type) return descr;
  }
  return "";
}

std::optional<FieldType> npy_type(std::string_view descr) {
  for (const auto& [type, name] : kDescrs) {
    if (name == descr) return type;
  }
  return std::nullopt;
}

std::string format_npy_header(FieldType type, const std::vector<std::int64_t>& shape) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", npy_descr(type),
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t unpadded = 10 + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dict += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\0';
  const auto size = static_cast<std::uint16_t>(dict.size());
  header.append(reinterpret_cast<const char*>(&size), sizeof(size));
  return header + dict;
}

bool is_npy(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<NpyHeader> parse_npy_header(std::string_view bytes) {
  if (!is_npy(bytes) || bytes.size() < 12) return corrupt("no .npy array");
  const unsigned version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return unsupported(".npy of version {}", version);
  std::uint32_t size = 0;
  const std::size_t width = version == 1 ? 2 : 4;
  std::memcpy(&size, bytes.data() + 8, width);
  if (size > bytes.size() - 8 - width) return corrupt("a .npy header of {} bytes is cut", size);
  const std::string_view dict = bytes.substr(8 + width, size);
  NpyHeader header;
  header.bytes = 8 + width + size;
  const auto descr = value_of(dict, "'descr': '", "'");
  const auto order = value_of(dict, "'fortran_order': ", ",");
  auto shape = value_of(dict, "'shape': (", ")");
  if (!descr || !order || !shape) return corrupt("a .npy header without its three keys");
  if (*order != "False" && shape->find(", ") != std::string_view::npos) {
    return unsupported("a .npy array in Fortran order");
  }
  header.descr = *descr;
  std::int64_t length = 0;
  bool digits = false;
  for (const char c : *shape) {
    if (c >= '0' && c <= '9' && length < (std::int64_t{1} << 40)) {
      length = length * 10 + (c - '0');
      digits = true;
    } else if (c == ',') {
      if (digits) header.shape.push_back(length);
      length = 0;
      digits = false;
    } else if (c != ' ') {
      return corrupt("a .npy header with the shape ({})", *shape);
    }
  }
  if (digits) header.shape.push_back(length);
  return header;
}

}  // namespace headrace::shard
