// SPDX-License-Identifier: Apache-2.0
// Splitting 64 bytes at a time: a mask per character class, the starts of pieces by bit algebra.
//
// A family of split patterns is a template of the kernels (internal/mask_families.inl.h); what
// differs inside a family is data. Plain types only: the units that define the kernels are compiled
// with flags of their own, and an inline function that two units emit could be linked from the
// wrong one.
#pragma once

#include <cstdint>

#include "record/simd_level.h"

namespace headrace::tokenize {

enum class MaskFamily : std::uint8_t { kNoMasks, kGpt2, kCl100k, kO200k, kDeepseek };

// What a splitter's pattern is to the kernels. kNoMasks: they do not know it.
struct MaskPattern {
  MaskFamily family = MaskFamily::kNoMasks;
  int digits = 3;  // \p{N}{1,3} or \p{N}
  bool marks_in_words = false;
  bool contractions = true;
  bool slash_tail = true;
};

// What the classes of unicode_classes.h are to a family.
enum class MaskClass : std::uint8_t {
  kSign,    // in the class of the signs between words
  kLetter,  // o200k: of lower case
  kNumber,
  kSpace,     // white space but CR and LF
  kUpper,     // o200k: only in the first half of a word
  kCaseless,  // o200k: in both
  kWall,      // DeepSeek: Han and kana
  kHard,      // the algebra does not know it: the scanner of the pattern takes over
};
inline constexpr int kMaskClasses = 8;

// Bits of MaskTables::ascii.
enum AsciiBits : std::uint8_t {
  kAsciiLetter = 1,  // o200k: of lower case
  kAsciiNumber = 2,
  kAsciiUpper = 4,  // o200k only
  kAsciiSpace = 8,
  kAsciiNewline = 16,
  kAsciiSign = 32,
  kAsciiHard = 64,
};

struct MaskTables {
  MaskPattern pattern;
  const std::uint8_t* classes = nullptr;  // char_classes()
  MaskClass fold[16] = {};                // by CharClass
  alignas(64) std::uint8_t ascii[128] = {};
  // Junctions: null if pieces are not cut.
  const std::uint64_t* may_cross = nullptr;
  const std::uint16_t* unlisted = nullptr;
};

// The bit of the filter of junctions.h for two characters, given as a little-endian number of up to
// six bytes.
inline constexpr int kJunctionBits = 22;  // 512 KiB
__attribute__((always_inline)) inline std::uint64_t junction_bit(std::uint64_t characters) {
  return (characters << 16) * 0x9E3779B97F4A7C15U >> (64 - kJunctionBits);
}

inline constexpr std::uint32_t kPartBit = 0x80000000;  // a start that is a cut inside a piece

// The masks of a block. A character's class stands on all of its bytes, so that the byte before is
// the character before.
struct BlockMasks {
  std::uint64_t letter, upper, caseless, number, space, newline, sign, wall, hard;
  std::uint64_t blank, quote, slash;        // ' ', '\'', '/'
  std::uint64_t first, of1, of2, of3, of4;  // first bytes of characters; the same by length
  std::uint64_t non_ascii;
};

// Where a split stands. Zero but for `base`, `origin` and `last`, which are the place to start: the
// start of a piece.
struct MaskState {
  std::uint32_t base = 0;    // of the next block
  std::uint32_t origin = 0;  // where the split started
  std::uint32_t last = 0;    // the last start of a piece (no cut) that was written, or the origin
  bool started = false;
  std::uint8_t seen = 0;        // the class bytes of all characters seen, or'ed (but plain Han)
  std::uint32_t hard_end = 0;   // kHard: where the characters end that stopped the split
  std::uint32_t digit_run = 0;  // digits of the group at the end of the last block
  std::uint32_t suffix_end = 0xFFFFFFFF;  // o200k: where the last contraction ended
  BlockMasks previous = {}, current = {};
  std::uint64_t painted[kMaskClasses] = {};  // what characters of this block cover of the next
  bool is_painted = false;
  // What the rules need of the last block.
  std::uint64_t lone = 0, free = 0, absorbed = 0, free_newline = 0, free_sign = 0, reached = 0;
  std::uint64_t force = 0, forbid = 0;  // starts of the next block
};

enum class MaskStop : std::uint8_t {
  kRoom,  // `starts` is full
  kEnd,   // all of the text is done
  kHard,  // stopped before the block at `base`: all starts before it are written
};

struct MaskResult {
  std::uint32_t count;
  MaskStop stop;
};

inline constexpr std::uint32_t kMaskSlack = 64;  // entries that may be written behind the last

// Writes starts of pieces and parts (those with kPartBit, if `mark_parts`) until fewer than
// kMaskSlack of `room` are left.
using MaskSplit = MaskResult (*)(const MaskTables& tables, const std::uint8_t* text,
                                 std::uint32_t size, bool mark_parts, MaskState* state,
                                 std::uint32_t* starts, std::uint32_t room);

struct MaskKernels {
  MaskSplit gpt2, cl100k, o200k, deepseek;

  MaskSplit of(MaskFamily family) const {
    switch (family) {
      case MaskFamily::kGpt2:
        return gpt2;
      case MaskFamily::kCl100k:
        return cl100k;
      case MaskFamily::kO200k:
        return o200k;
      case MaskFamily::kDeepseek:
        return deepseek;
      case MaskFamily::kNoMasks:
        break;
    }
    return nullptr;
  }
};

const MaskKernels& mask_kernels(SimdLevel level);

extern const MaskKernels kScalarMaskKernels;
#if defined(__x86_64__)
extern const MaskKernels kAvx2MaskKernels;
extern const MaskKernels kAvx512MaskKernels;
#endif

}  // namespace headrace::tokenize
