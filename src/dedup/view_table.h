// SPDX-License-Identifier: Apache-2.0
// What the steps of a hash view do to each code point. Private to the room.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::dedup {

// What becomes of a code point that a normalization boundary follows.
enum class Effect : std::uint8_t {
  kKeep,   // its own bytes
  kSpace,  // white space
  kDrop,   // nothing
  kMap,    // the bytes of ViewTable::mapped()
  kMixed,  // text with white space or removed punctuation in it: the slow way
  kJoin,   // it may interact with what stands before it: the slow way, with that
};

struct ViewSteps {
  bool nfkc = false;
  bool casefold = false;
  bool punctuation = false;
  bool whitespace = false;
  bool operator==(const ViewSteps&) const = default;
};

// Immutable once made; one per set of steps and process. Thread-safe.
class ViewTable {
 public:
  // Made at the first call (some milliseconds), then shared.
  static Result<const ViewTable*> of(ViewSteps steps);

  bool folds_space() const { return steps_.whitespace; }

  // What an ASCII byte becomes if that is one ASCII byte, else 0.
  char ascii(unsigned char byte) const { return ascii_[byte]; }

  Effect effect_bmp(std::uint32_t code_point) const { return effects_[code_point]; }
  // Of a code point above U+FFFF: asked of ICU each time, being rare.
  Effect effect_supplementary(std::uint32_t code_point) const;

  // What a BMP code point with Effect::kMap becomes.
  std::string_view mapped(std::uint32_t code_point) const {
    const std::uint32_t at = mapped_at_[code_point];
    return std::string_view(pool_).substr(at + 1, static_cast<unsigned char>(pool_[at]));
  }

  // The table of the same steps without nfkc and casefold.
  const ViewTable& folding() const { return folding_ == nullptr ? *this : *folding_; }

  // nfkc and casefold of whole text, by ICU, appended to `out`: the slow way, and the definition.
  void transform(std::string_view text, std::string* out) const;

 private:
  ViewTable(ViewSteps steps, const ViewTable* folding);
  bool is_plainly_kept(std::uint32_t code_point) const;
  Effect effect_of(std::uint32_t code_point, std::string* transformed) const;

  const ViewSteps steps_;
  const ViewTable* const folding_;
  std::array<char, 0x80> ascii_{};
  std::array<Effect, 0x10000> effects_;
  std::vector<std::uint32_t> mapped_at_;  // by code point, into pool_
  std::string pool_;                      // length byte, bytes
};

}  // namespace headrace::dedup
