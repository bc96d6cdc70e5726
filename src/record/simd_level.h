// SPDX-License-Identifier: Apache-2.0
// Which instruction sets the hand-written kernels may use. Affects speed only: every level gives
// the same results, by test.
#pragma once

#include <string_view>

namespace headrace {

enum class SimdLevel {
  kScalar,
  kAvx2,    // AVX2, BMI1/2, POPCNT, LZCNT
  kAvx512,  // F, BW, DQ, VL, VBMI, VBMI2: Ice Lake, Zen 4 and later
};

// The best level of this machine. Asked of the CPU once; thread-safe.
SimdLevel best_simd_level();

// "scalar", "avx2", "avx512".
std::string_view name_of(SimdLevel level);

}  // namespace headrace
