// SPDX-License-Identifier: Apache-2.0
// Choice of kernels; the work is in internal/ngram_kernels.inl.h.
#include "record/code_point_ngrams.h"

#include "base/error.h"
#include "record/internal/ngram_kernels.h"

namespace headrace {
namespace {

const internal::NgramKernels& kernels_for(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return internal::kAvx512NgramKernels;
  if (level == SimdLevel::kAvx2) return internal::kAvx2NgramKernels;
#endif
  static_cast<void>(level);
  return internal::kScalarNgramKernels;
}

}  // namespace

std::size_t hash_code_points(const TextView& view, std::size_t first_block, std::size_t last_block,
                             std::uint64_t* hashes) {
  HEADRACE_DCHECK(first_block <= last_block && last_block <= view.blocks.size());
  const auto* text = reinterpret_cast<const unsigned char*>(view.text.data());
  return kernels_for(view.simd).hash_code_points(
      text + 64 * first_block, view.blocks.data() + first_block, last_block - first_block, hashes);
}

std::size_t combine_code_point_hashes(SimdLevel simd, std::uint64_t* hashes, std::size_t count,
                                      unsigned n) {
  HEADRACE_DCHECK(n >= 1 && n <= 64);
  if (count < n) return 0;
  kernels_for(simd).combine(hashes, count, n);
  return count - n + 1;
}

}  // namespace headrace
