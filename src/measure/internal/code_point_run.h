// SPDX-License-Identifier: Apache-2.0
// Runs of 10 code points as what they are in memory: bytes that lie there already. A hash is two to
// four loads and products, and two runs are compared byte by byte; nothing is computed ahead.
#pragma once

#include <cstdint>
#include <cstring>

#include "measure/facts/code_point_runs.h"
#include "measure/internal/run_slots.h"

namespace headrace::measure {

namespace internal {

inline std::uint64_t load_eight(const unsigned char* p) {
  std::uint64_t x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

// Run i of a text in which code point i is byte i.
struct AsciiRuns {
  const unsigned char* text;
  const RunSlots* kernels;

  std::uint64_t hash(std::uint32_t i) const {
    return load_eight(text + i) * kRunFactors[0] + load_eight(text + i + 2) * kRunFactors[1];
  }
  void slots(std::uint32_t base, int bits, std::uint32_t, std::uint32_t* slots) const {
    kernels->ascii(text + base, bits, slots);
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
  const RunSlots* kernels;

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
    kernels->utf8(text, begin + base, count, bits, slots);
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
