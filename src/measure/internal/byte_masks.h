// SPDX-License-Identifier: Apache-2.0
// Certain bytes of a block of text as masks: what the classes of TextBlock do not tell apart. Plain
// types only, because the units that define the kernels are compiled for an instruction set each.
#pragma once

#include <cstdint>

namespace headrace::measure::internal {

// Bit i speaks of byte i of 64.
struct ByteMasks {
  std::uint64_t same;     // equals the byte behind it
  std::uint64_t bracket;  // ( ) [ ] { }
  std::uint64_t brace;    // { }
  std::uint64_t url;      // : or .
  std::uint64_t control;  // U+0000 to U+0008, U+000E to U+001F, U+007F
  std::uint64_t encoded;  // A-Z a-z 0-9 + / =
  std::uint64_t unseen;   // ASCII, but not in `seen`
};

// Which ASCII characters have been seen: bit h of entry l is character 16 * h + l.
struct SeenAscii {
  std::uint8_t bits[16] = {};
};

// `text` has 65 readable bytes.
using ByteMasksOf = ByteMasks (*)(const unsigned char* text, const SeenAscii& seen);

extern const ByteMasksOf kScalarByteMasks;
#if defined(__x86_64__)
extern const ByteMasksOf kAvx2ByteMasks;
#endif

}  // namespace headrace::measure::internal
