// SPDX-License-Identifier: Apache-2.0
// The ASCII part of a text, 64 bytes at a time: one scan for each instruction set. Plain types
// only, because the units that define the scans are compiled for an instruction set each.
#pragma once

#include <cstdint>

#include "record/text_block.h"

namespace headrace::measure::internal {

inline constexpr std::uint32_t kEncodedRun = 64;

struct AsciiCounts {
  std::uint64_t ascii = 0;
  std::uint64_t brackets = 0;     // ( ) [ ] { }
  std::uint64_t braces = 0;       // { }
  std::uint64_t control = 0;      // without the five that are white space
  std::uint64_t special = 0;      // neither letter nor control
  std::uint32_t longest_run = 0;  // of one character; 0 where no two stand side by side
  // Which have been seen: bit h of entry l is character 16 * h + l.
  std::uint8_t seen[16] = {};
};

// What the scan finds but does not look at.
struct AsciiFinds {
  std::uint32_t* url_marks;      // every ':' and '.', ascending; room for one per byte
  std::uint32_t* encoded_ends;   // ends of runs of kEncodedRun or more of A-Z a-z 0-9 + / =
  std::uint32_t* encoded_sizes;  // and their lengths; room for one per 64 bytes
  std::uint32_t url_mark_count = 0;
  std::uint32_t encoded_count = 0;
};

// `text` has 65 readable bytes behind the first of the last block, and `size` bytes.
using AsciiScan = void (*)(const unsigned char* text, std::uint32_t size, const TextBlock* blocks,
                           std::uint32_t block_count, AsciiCounts* counts, AsciiFinds* finds);

extern const AsciiScan kScalarAsciiScan;
#if defined(__x86_64__)
extern const AsciiScan kAvx2AsciiScan;
#endif

}  // namespace headrace::measure::internal
