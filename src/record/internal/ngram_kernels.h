// SPDX-License-Identifier: Apache-2.0
// The kernels behind record/code_point_ngrams.h, one set per instruction set. Plain types only: see
// internal/text_scan.h.
#pragma once

#include <cstdint>

#include "record/text_block.h"

namespace headrace::internal {

struct NgramKernels {
  // text: the byte of block 0, with 128 readable bytes behind the last block.
  std::uint64_t (*hash_code_points)(const unsigned char* text, const TextBlock* blocks,
                                    std::uint64_t count, std::uint64_t* hashes);
  void (*combine)(std::uint64_t* hashes, std::uint64_t count, unsigned n);
};

extern const NgramKernels kScalarNgramKernels;
#if defined(__x86_64__)
extern const NgramKernels kAvx2NgramKernels;
extern const NgramKernels kAvx512NgramKernels;
#endif

}  // namespace headrace::internal
