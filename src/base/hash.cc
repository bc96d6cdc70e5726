// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <array>
#include <cstring>
#include <xxhash.h>

#include <fmt/format.h>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace headrace {
namespace {

constexpr std::uint32_t kCrc32cPolynomial = 0x82F63B78;  // reflected Castagnoli

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kCrc32cPolynomial : 0);
    table[i] = crc;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

std::uint32_t crc32c_table(const unsigned char* data, std::size_t size, std::uint32_t crc) {
  for (std::size_t i = 0; i < size; ++i) crc = kCrcTable[(crc ^ data[i]) & 0xFF] ^ (crc >> 8);
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(const unsigned char* data,
                                                             std::size_t size, std::uint32_t crc) {
  std::uint64_t wide = crc;
  for (; size >= 8; data += 8, size -= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  crc = static_cast<std::uint32_t>(wide);
  for (; size > 0; ++data, --size) crc = _mm_crc32_u8(crc, *data);
  return crc;
}
#endif

XXH3_state_t* as_state(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 hash128(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string to_hex(Hash128 hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }
std::string to_hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

Hasher::Hasher() : state_(XXH3_createState()) { XXH3_128bits_reset(as_state(state_)); }
Hasher::~Hasher() { XXH3_freeState(as_state(state_)); }
void Hasher::update(std::string_view bytes) {
  XXH3_128bits_update(as_state(state_), bytes.data(), bytes.size());
}
Hash128 Hasher::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(as_state(state_));
  return {hash.high64, hash.low64};
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
#if defined(__x86_64__)
  static const bool has_sse42 = __builtin_cpu_supports("sse4.2");
  if (has_sse42) return ~crc32c_sse42(data, bytes.size(), ~crc);
#endif
  return ~crc32c_table(data, bytes.size(), ~crc);
}

}  // namespace headrace
