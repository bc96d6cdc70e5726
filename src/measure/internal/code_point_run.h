// SPDX-License-Identifier: Apache-2.0
// Runs of 10 code points as what they are in memory: bytes that lie there already. A hash is two to
// four loads and products, and two runs are compared byte by byte; nothing is computed ahead.
#pragma once

#include <cstdint>
#include <cstring>

#include "measure/internal/run_slots.h"

namespace headrace::measure {

inline constexpr unsigned kRunCodePoints = 10;

namespace internal {

inline std::uint64_t load_eight(const unsigned char* p) {
  std::uint64_t x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

// Odd numbers without structure. The top bits of a sum of products depend on all bytes.
inline constexpr std::uint64_t kRunFactors[4] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db,
                                                 0x8ebc6af09c88c6e3, 0x589965cc75374cc3};

inline std::uint32_t ascii_run_slot(const unsigned char* run, int bits) {
  std::uint32_t words[3];
  std::memcpy(&words[0], run, 4);
  std::memcpy(&words[1], run + 4, 4);
  std::memcpy(&words[2], run + 6, 4);
  const std::uint32_t sum =
      words[0] * kSlotFactors[0] + words[1] * kSlotFactors[1] + words[2] * kSlotFactors[2];
  return sum >> (32 - bits);
}

// Run i of a text in which code point i is byte i.
struct AsciiRuns {
  const unsigned char* text;
  AsciiRunSlots slots_of_64;

  std::uint64_t hash(std::uint32_t i) const {
    return load_eight(text + i) * kRunFactors[0] + load_eight(text + i + 2) * kRunFactors[1];
  }
  void slots(std::uint32_t base, int bits, std::uint32_t, std::uint32_t* slots) const {
    slots_of_64(text + base, bits, slots);
  }
  bool begin_alike(std::uint32_t i, std::uint32_t j) const {
    return load_eight(text + i) == load_eight(text + j);
  }
  bool same(std::uint32_t i, std::uint32_t j) const {
    const std::uint64_t difference = (load_eight(text + i) ^ load_eight(text + j)) |
                                     (load_eight(text + i + 2) ^ load_eight(text + j + 2));
    return difference == 0;
  }
};

// Run i of a text whose code point k begins at byte begin[k]. Any sizes are right; those of valid
// UTF-8, 10 to 40, are fast.
struct Utf8Runs {
  const unsigned char* text;
  const std::uint32_t* begin;
  AsciiRunSlots slots_of_64;

  std::uint64_t hash(std::uint32_t i) const {
    const unsigned char* const p = text + begin[i];
    const std::uint32_t size = begin[i + kRunCodePoints] - begin[i];
    std::uint64_t sum =
        load_eight(p) * kRunFactors[0] + load_eight(p + size - 8) * kRunFactors[1] + size;
    if (size <= 16) return sum;
    sum += load_eight(p + 8) * kRunFactors[2] + load_eight(p + size - 16) * kRunFactors[3];
    for (std::uint32_t at = 16; at + 16 < size; at += 8) {
      sum = (sum ^ load_eight(p + at)) * kRunFactors[0];
    }
    return sum;
  }
  void slots(std::uint32_t base, int bits, std::uint32_t count, std::uint32_t* slots) const {
    const std::uint32_t* const at = begin + base;
    if (count == 64 && at[63 + kRunCodePoints] - at[0] == 63 + kRunCodePoints) {
      slots_of_64(text + at[0], bits, slots);
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      slots[i] = at[i + kRunCodePoints] - at[i] == kRunCodePoints
                     ? ascii_run_slot(text + at[i], bits)
                     : static_cast<std::uint32_t>(hash(base + i) >> (64 - bits));
    }
  }
  // Whether the first eight bytes are equal.
  bool begin_alike(std::uint32_t i, std::uint32_t j) const {
    return load_eight(text + begin[i]) == load_eight(text + begin[j]);
  }
  bool same(std::uint32_t i, std::uint32_t j) const {
    if (!begin_alike(i, j)) return false;
    const unsigned char* const p = text + begin[i];
    const unsigned char* const q = text + begin[j];
    const std::uint32_t size = begin[i + kRunCodePoints] - begin[i];
    return size == begin[j + kRunCodePoints] - begin[j] && std::memcmp(p, q, size) == 0;
  }
};

}  // namespace internal
}  // namespace headrace::measure
