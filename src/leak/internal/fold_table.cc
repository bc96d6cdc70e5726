// SPDX-License-Identifier: Apache-2.0
// Asks ICU once what becomes of each code point.
//
// The leak check compares words, not texts, so it can fold code point by code point where the hash
// view of dedup must normalise in context: a combining mark is dropped whether it is composed or
// not, and Hangul syllables are compared as they stand. Traditional → simplified is one code point
// to one; conversion of phrases would change lengths, and both sides pass the same table anyway:
// what matters is that two ways to write a character meet, not which one is right.
#include "leak/internal/fold_table.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>

#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::leak {
namespace {

// Scripts whose words are not spaced out: a run of letters would be a sentence.
bool is_unspaced(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

Kind kind_of(UChar32 c) {
  const std::uint32_t category = U_GET_GC_MASK(c);
  if ((category & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0) return Kind::kJoiner;
  if ((category & U_GC_L_MASK) != 0) {
    UErrorCode code = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &code);
    // The mark of long vowels belongs to no script of its own.
    return is_unspaced(script) || c == 0x30FC ? Kind::kSingle : Kind::kLetter;
  }
  if ((category & U_GC_N_MASK) != 0) return c == 0x3007 ? Kind::kSingle : Kind::kDigit;
  return (category & U_GC_MC_MASK) != 0 ? Kind::kLetter : Kind::kSeparator;
}

// Pairs that ICU's table leaves apart though books in traditional characters use them: variants of
// the same character, the first one folded to the second.
constexpr char16_t kMoreVariants[] =
    u"讎仇彷仿儁俊脩修殭僵韆千卽即厤历蔘参祇只衹只閤合衕同諮咨墰坛垻坝碕埼殻壳牠它甯宁"
    u"嵗岁嶽岳峯峰鉅巨榦干彔录噁恶牴抵枴拐柺拐捱挨襬摆敎教鏇旋旂旗旣既麴曲朮术硃朱査查"
    u"棊棋譭毁滙汇泝溯遡溯璿璇畵画糉粽餈糍醣糖冑胄揹背苧苎囌苏甦苏薹苔廕荫濛蒙矇蒙簑蓑"
    u"蹠跖寀采鍼针鈡钟鈅钥鎌镰彫雕琱雕鵰雕麪面麫面舘馆賙周";

// to[c - kFirst] for every BMP Han character: its simplified form, or itself.
constexpr UChar32 kFirstHan = 0x3400;
constexpr UChar32 kLastHan = 0xA000;

Result<std::vector<UChar32>> simplified_forms() {
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<icu::Transliterator> transliterator(
      icu::Transliterator::createInstance("Traditional-Simplified", UTRANS_FORWARD, code));
  if (U_FAILURE(code) || transliterator == nullptr) {
    return internal_error(
        "making the leak check's characters: ICU has no Traditional-Simplified ({})",
        u_errorName(code));
  }
  // One text, a line each: a call per character would take a hundred times as long.
  icu::UnicodeString lines;
  for (UChar32 c = kFirstHan; c < kLastHan; ++c) lines.append(c).append(u'\n');
  transliterator->transliterate(lines);

  std::vector<UChar32> forms;
  std::int32_t at = 0;
  for (UChar32 c = kFirstHan; c < kLastHan; ++c) {
    const std::int32_t end = lines.indexOf(u'\n', at);
    if (end < 0) return internal_error("making the leak check's characters: ICU lost a line");
    const bool is_one = lines.countChar32(at, end - at) == 1;
    forms.push_back(is_one ? lines.char32At(at) : c);
    at = end + 1;
  }
  constexpr std::size_t kPairs = sizeof(kMoreVariants) / sizeof(char16_t) / 2;
  for (std::size_t i = 0; i < kPairs; ++i) {
    forms[kMoreVariants[2 * i] - kFirstHan] = kMoreVariants[2 * i + 1];
  }
  // A form may itself be folded further; chains are short, and a loop is no reason to hang.
  for (UChar32& form : forms) {
    for (int i = 0; i < 4 && form >= kFirstHan && form < kLastHan; ++i) {
      form = forms[static_cast<std::size_t>(form - kFirstHan)];
    }
  }
  return forms;
}

}  // namespace

Result<const FoldTable*> FoldTable::get() {
  struct Made {
    FoldTable table;
    Result<void> filled;
    Made() : filled(table.fill()) {}
  };
  static const Made made;
  if (!made.filled.has_value()) return made.filled.error();
  return &made.table;
}

Result<void> FoldTable::fill() {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc_fold = icu::Normalizer2::getNFKCCasefoldInstance(code);
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(code);
  if (U_FAILURE(code)) {
    return internal_error("making the leak check's characters: ICU has no NFKC data ({})",
                          u_errorName(code));
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<UChar32> simplified, simplified_forms());

  table_.resize(kTableSize);
  for (UChar32 c = 1; c < static_cast<UChar32>(kTableSize); ++c) {
    if (U_IS_SURROGATE(c) || u_charType(c) == U_UNASSIGNED) continue;
    const Kind own = kind_of(c);
    if (own == Kind::kJoiner) {
      table_[c] = Fold(own, 0);
      continue;
    }
    icu::UnicodeString text(c);
    if (!nfkc_fold->isInert(c)) text = nfkc_fold->normalize(icu::UnicodeString(c), code);
    if (own != Kind::kSingle) text = nfd->normalize(text, code);
    std::vector<Fold> folds;
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      UChar32 part = text.char32At(i);
      const Kind kind = kind_of(part);
      if (kind == Kind::kJoiner) continue;
      if (part >= kFirstHan && part < kLastHan) {
        part = simplified[static_cast<std::size_t>(part - kFirstHan)];
      }
      folds.emplace_back(kind, kind == Kind::kSeparator ? 0 : static_cast<std::uint32_t>(part));
    }
    const bool is_nothing = std::all_of(folds.begin(), folds.end(),
                                        [](Fold f) { return f.kind() == Kind::kSeparator; });
    if (is_nothing) continue;
    if (folds.size() == 1) {
      table_[c] = folds[0];
      continue;
    }
    table_[c] = Fold(Kind::kSeveral, static_cast<std::uint32_t>(pool_.size()));
    pool_.emplace_back(Kind::kSeparator, static_cast<std::uint32_t>(folds.size()));
    pool_.insert(pool_.end(), folds.begin(), folds.end());
  }
  const auto bytes = [](const std::vector<Fold>& folds) {
    return std::string_view(reinterpret_cast<const char*>(folds.data()),
                            folds.size() * sizeof(Fold));
  };
  digest_ = hash64(bytes(table_), hash64(bytes(pool_)));
  return {};
}

}  // namespace headrace::leak
