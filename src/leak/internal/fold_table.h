// SPDX-License-Identifier: Apache-2.0
// What the leak check sees of each code point: one look-up. Private to the room.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headrace/result.h"

namespace headrace::leak {

enum class Kind : std::uint32_t {
  kSeparator,  // ends a word, and is nothing itself: space, punctuation, symbols, controls
  kJoiner,     // nothing, inside a word too: marks, format characters such as the soft hyphen
  kSingle,     // a token by itself: Han, kana, Hangul, and scripts written without spaces
  kLetter,     // goes on with the letters beside it
  kDigit,      // goes on with the digits beside it
  kSeveral,    // several of these: value() is the place in FoldTable::several()
};

// Kind and what the code point is folded to, in one word.
class Fold {
 public:
  constexpr Fold() = default;
  constexpr Fold(Kind kind, std::uint32_t value)
      : bits_(static_cast<std::uint32_t>(kind) << 28 | value) {}
  constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 28); }
  constexpr std::uint32_t value() const { return bits_ & 0xFFFFFFF; }
  constexpr std::uint32_t bits() const { return bits_; }
  bool operator==(const Fold&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

// NFKC and full case folding, then accents off and traditional characters to simplified ones, code
// point by code point. Immutable; made at the first call (some 0.1 s), then shared. Thread-safe.
class FoldTable {
 public:
  static Result<const FoldTable*> get();

  Fold operator[](std::uint32_t code_point) const {
    return code_point < kTableSize ? table_[code_point] : beyond(code_point);
  }
  std::span<const Fold> several(Fold fold) const {
    const std::uint32_t at = fold.value();
    return std::span(pool_).subspan(at + 1, pool_[at].bits());
  }
  // Of all entries: indexes made with another table would silently find nothing.
  std::uint64_t digest() const { return digest_; }

 private:
  FoldTable() = default;
  Result<void> fill();
  static Fold beyond(std::uint32_t code_point) {
    return code_point < 0x32400 ? Fold(Kind::kSingle, code_point) : Fold();
  }

  static constexpr std::uint32_t kTableSize = 0x30000;  // planes 0 to 2; plane 3 is Han as it is
  std::vector<Fold> table_;
  std::vector<Fold> pool_;  // rows of kSeveral: their length, then they
  std::uint64_t digest_ = 0;
};

}  // namespace headrace::leak
