// SPDX-License-Identifier: Apache-2.0
// The pairs of bytes by which facts/c4_lines.cc finds its phrases: "va", "ok", "ms", and for Han
// text the last two bytes of 策 and of 款. Bit 5 is set on both sides of a comparison: that folds
// the case of ASCII, and what else it lets through is no phrase.
#pragma once

#include <cstdint>

namespace headrace::measure::internal {

// Bit i: a pair begins at p[i]. Reads 65 bytes.
std::uint64_t find_c4_pairs_avx2(const char* p, bool han);

}  // namespace headrace::measure::internal
