// SPDX-License-Identifier: Apache-2.0
// Written from the description of the format in docs/formats/megatron.md (after NVIDIA Megatron-LM,
// megatron/core/datasets/indexed_dataset.py). The int64 arrays are unaligned: everything is copied,
// nothing is cast.
#include "shard/megatron_index.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace headrace::shard {
namespace {

// Part of the format.
constexpr std::string_view kMagic("MMIDIDX\0\0", 9);
constexpr std::uint64_t kVersion = 1;
constexpr std::uint8_t kCodeInt32 = 4;
constexpr std::uint8_t kCodeUint16 = 8;

template <class T>
void append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
T load(std::string_view bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// One number of an array of the index, as text.
template <class T>
std::string element_difference(std::string_view what, std::uint64_t begin, std::uint64_t offset,
                               std::string_view expected, std::string_view found) {
  const std::uint64_t i = (offset - begin) / sizeof(T);
  const std::uint64_t at = begin + i * sizeof(T);
  return fmt::format("{} {} (offset {}) is {}, expected {}", what, i, at, load<T>(found, at),
                     load<T>(expected, at));
}

}  // namespace

Result<std::uint32_t> token_width(std::string_view token_type) {
  if (token_type == "uint16") return 2U;
  if (token_type == "int32") return 4U;
  return invalid_argument("token type '{}': expected uint16 or int32", token_type);
}

std::string format_megatron_index(std::uint32_t token_width,
                                  std::span<const std::uint32_t> sequence_tokens) {
  const std::uint64_t count = sequence_tokens.size();
  std::string bytes(kMagic);
  bytes.reserve(kMegatronHeaderBytes + 20 * count + 8);
  append(&bytes, kVersion);
  append(&bytes, token_width == 2 ? kCodeUint16 : kCodeInt32);
  append(&bytes, count);
  append(&bytes, count + 1);
  for (const std::uint32_t tokens : sequence_tokens) append(&bytes, tokens);
  std::uint64_t offset = 0;
  for (const std::uint32_t tokens : sequence_tokens) {
    append(&bytes, offset);
    offset += std::uint64_t{tokens} * token_width;
  }
  for (std::uint64_t document = 0; document <= count; ++document) append(&bytes, document);
  return bytes;
}

Result<std::uint32_t> megatron_token_width(std::string_view header, const std::string& path) {
  if (header.size() < kMegatronHeaderBytes || !header.starts_with(kMagic)) {
    return corrupt("{}: not a Megatron index (no magic number at offset 0)", path);
  }
  if (const auto version = load<std::uint64_t>(header, 9); version != kVersion) {
    return corrupt("{}: Megatron index version {} at offset 9, expected {}", path, version,
                   kVersion);
  }
  const auto code = load<std::uint8_t>(header, 17);
  if (code == kCodeUint16) return 2U;
  if (code == kCodeInt32) return 4U;
  return corrupt("{}: element type code {} at offset 17, expected {} (int32) or {} (uint16)", path,
                 code, kCodeInt32, kCodeUint16);
}

std::string describe_index_difference(std::string_view expected, std::string_view found,
                                      std::uint64_t sequences) {
  const std::size_t common = std::min(expected.size(), found.size());
  const auto differs = std::mismatch(
      expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(common), found.begin());
  const auto offset = static_cast<std::uint64_t>(differs.first - expected.begin());
  if (offset == common) {
    if (expected.size() == found.size()) return "";
    return fmt::format("{} bytes, expected {}", found.size(), expected.size());
  }
  const std::uint64_t pointers_at = kMegatronHeaderBytes + 4 * sequences;
  const std::uint64_t documents_at = pointers_at + 8 * sequences;
  if (offset < kMegatronHeaderBytes || expected.size() != found.size()) {
    return fmt::format("byte at offset {} is 0x{:02x}, expected 0x{:02x}", offset,
                       static_cast<unsigned char>(found[offset]),
                       static_cast<unsigned char>(expected[offset]));
  }
  if (offset < pointers_at) {
    return element_difference<std::int32_t>("length of sequence", kMegatronHeaderBytes, offset,
                                            expected, found);
  }
  if (offset < documents_at) {
    return element_difference<std::int64_t>("pointer of sequence", pointers_at, offset, expected,
                                            found);
  }
  return element_difference<std::int64_t>("document boundary", documents_at, offset, expected,
                                          found);
}

}  // namespace headrace::shard
