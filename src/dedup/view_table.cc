// SPDX-License-Identifier: Apache-2.0
// Asks ICU once per code point what the steps of a hash view do to it.
//
// A code point c with a normalization boundary before it, followed by another such code point,
// normalises alone: NFKC of the text is NFKC of its parts (UAX #15, "stable code points"; ICU
// Normalizer2::hasBoundaryBefore). Full case folding knows no context at all. So for nearly every
// code point of real text the result stands in a table, and ICU sees only what can join.
#include "dedup/view_table.h"

#include <mutex>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "base/error.h"

namespace headrace::dedup {
namespace {

icu::StringPiece piece(std::string_view text) {
  return icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size()));
}

// ICU's own tables, or null if its data file is missing.
const icu::Normalizer2* nfkc_instance() {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(code);
  return U_SUCCESS(code) ? nfkc : nullptr;
}

void append_code_point(std::uint32_t code_point, std::string* out) {
  char bytes[U8_MAX_LENGTH];
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, code_point);
  out->append(bytes, static_cast<std::size_t>(size));
}

}  // namespace

Result<const ViewTable*> ViewTable::of(ViewSteps steps) {
  if (steps.nfkc && nfkc_instance() == nullptr) {
    return internal_error("making a hash view: ICU has no NFKC data");
  }
  static std::array<std::once_flag, 16> once;
  static std::array<std::unique_ptr<const ViewTable>, 16> tables;
  const auto index = static_cast<std::size_t>(steps.nfkc | steps.casefold << 1 |
                                              steps.punctuation << 2 | steps.whitespace << 3);
  const ViewTable* folding = nullptr;
  if (steps.nfkc || steps.casefold) {
    HEADRACE_ASSIGN_OR_RETURN(
        folding, of({.punctuation = steps.punctuation, .whitespace = steps.whitespace}));
  }
  std::call_once(once[index], [&] { tables[index].reset(new ViewTable(steps, folding)); });
  return tables[index].get();
}

ViewTable::ViewTable(ViewSteps steps, const ViewTable* folding)
    : steps_(steps), folding_(folding), mapped_at_(0x10000) {
  std::string transformed;
  for (std::uint32_t c = 0; c < 0x10000; ++c) {
    effects_[c] = U_IS_SURROGATE(c) ? Effect::kKeep : effect_of(c, &transformed);
    if (effects_[c] != Effect::kMap) continue;
    mapped_at_[c] = static_cast<std::uint32_t>(pool_.size());
    pool_ += static_cast<char>(transformed.size());  // the longest, of U+FDFA, has 33 bytes
    pool_ += transformed;
  }
  for (std::uint32_t c = 1; c < ascii_.size(); ++c) {
    if (effects_[c] == Effect::kKeep) ascii_[c] = static_cast<char>(c);
    if (effects_[c] == Effect::kSpace) ascii_[c] = ' ';
    if (effects_[c] == Effect::kMap) ascii_[c] = mapped(c)[0];  // a capital
  }
}

Effect ViewTable::effect_supplementary(std::uint32_t code_point) const {
  if (code_point > 0x10FFFF) return Effect::kKeep;  // not UTF-8
  std::string transformed;
  const Effect effect = effect_of(code_point, &transformed);
  return effect == Effect::kMap ? Effect::kMixed : effect;
}

// A quick answer for most code points: Han and Hangul, emoji, private and unassigned ones. Letters
// with case are not among them, for their full folding may be longer than their simple one.
bool ViewTable::is_plainly_kept(std::uint32_t code_point) const {
  constexpr std::uint32_t kCaseless = U_GC_LO_MASK | U_GC_SO_MASK | U_GC_CO_MASK | U_GC_CN_MASK;
  const auto c = static_cast<UChar32>(code_point);
  return (U_GET_GC_MASK(c) & kCaseless) != 0 && u_foldCase(c, U_FOLD_CASE_DEFAULT) == c &&
         (!steps_.nfkc || nfkc_instance()->isInert(c));
}

Effect ViewTable::effect_of(std::uint32_t code_point, std::string* transformed) const {
  const auto c = static_cast<UChar32>(code_point);
  if (is_plainly_kept(code_point)) return Effect::kKeep;
  if (steps_.nfkc && !nfkc_instance()->hasBoundaryBefore(c)) return Effect::kJoin;

  std::string own;
  append_code_point(code_point, &own);
  transformed->clear();
  transform(own, transformed);
  bool has_space = false;
  bool has_removed = false;
  bool has_other = false;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(transformed->size());) {
    UChar32 part;
    U8_NEXT_UNSAFE(transformed->data(), i, part);
    if (steps_.whitespace && u_isUWhiteSpace(part)) {
      has_space = true;
    } else if (steps_.punctuation && u_ispunct(part)) {
      has_removed = true;
    } else {
      has_other = true;
    }
  }
  if (has_space + has_removed + has_other > 1) return Effect::kMixed;
  if (has_space) return Effect::kSpace;
  if (has_removed) return Effect::kDrop;
  return *transformed == own ? Effect::kKeep : Effect::kMap;
}

void ViewTable::transform(std::string_view text, std::string* out) const {
  UErrorCode code = U_ZERO_ERROR;  // the calls below fail only when memory ends
  std::string normalized;
  if (steps_.nfkc) {
    icu::StringByteSink<std::string> sink(&normalized);
    nfkc_instance()->normalizeUTF8(0, piece(text), sink, nullptr, code);
    text = normalized;
  }
  if (steps_.casefold) {
    icu::StringByteSink<std::string> sink(out);
    icu::CaseMap::utf8Fold(0, piece(text), sink, nullptr, code);
  } else {
    out->append(text);
  }
}

}  // namespace headrace::dedup
