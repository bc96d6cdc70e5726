// SPDX-License-Identifier: Apache-2.0
// The hashes of the project: XXH3 for content, CRC32C for shard bytes (as the formats demand).
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headrace {

// 128-bit content hash. Ordered by (high, low).
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);  // XXH3-64
Hash128 hash128(std::string_view bytes);                               // XXH3-128

// 32 or 16 lower-case hex digits.
std::string to_hex(Hash128 hash);
std::string to_hex(std::uint64_t hash);

// XXH3-128 over bytes that arrive in pieces. Single-threaded.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void update(std::string_view bytes);
  Hash128 digest() const;

 private:
  void* state_;
};

// CRC-32C (Castagnoli) of `bytes`, continuing from `crc` (0 at the start). SSE 4.2 where the CPU
// has it.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc = 0);

}  // namespace headrace
