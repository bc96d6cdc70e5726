// SPDX-License-Identifier: Apache-2.0
// The kernels behind TextViewBuilder, one set per instruction set.
//
// The units that define them are compiled with flags of their own, so this header, which they
// include, holds plain types only: an inline function that two units emit could be linked from the
// wrong one.
#pragma once

#include <cstdint>

#include "record/text_block.h"

namespace headrace::internal {

// Where scan() writes. Position arrays need room for as many entries as there are bytes, and 64
// more: kernels write whole vectors.
struct ScanTarget {
  TextBlock* blocks;
  std::uint32_t* word_begin;
  std::uint32_t* word_end;
  std::uint32_t* newlines;
  std::uint32_t* sentence_ends;
  TextCounts* counts;
};

struct TextKernels {
  // Classifies text[0, size), behind which 128 zero bytes can be read.
  void (*scan)(const unsigned char* text, std::uint32_t size, const ScanTarget& target);
  void (*hash_words)(const unsigned char* text, const std::uint32_t* begin,
                     const std::uint32_t* end, std::uint32_t count, std::uint64_t* hash);
};

extern const TextKernels kScalarTextKernels;
#if defined(__x86_64__)
extern const TextKernels kAvx2TextKernels;
extern const TextKernels kAvx512TextKernels;
#endif

}  // namespace headrace::internal
