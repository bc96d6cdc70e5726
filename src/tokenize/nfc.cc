// SPDX-License-Identifier: Apache-2.0
// NFC of Unicode 9.0 on top of a newer ICU.
//
// The normalizer of tokenizers (crate unicode-normalization-alignments 0.1.12) holds the tables of
// Unicode 9.0. Normalization of assigned characters never changes between versions, so those tables
// are today's, with everything assigned later taken as inert: exactly what ICU's
// FilteredNormalizer2 over [:age=9.0:] is. Marks of later versions are then not reordered and later
// compositions not made.
//
// Text is normalized in windows. A character outside nfc_sensitive_ranges() has class 0 and joins
// nothing before it, so form C never reaches over its front: only from the last such character
// before a sensitive one to the next such character does anything change. English and Chinese hold
// almost no sensitive characters, so the cost is the search for one; whole documents through ICU
// (UTF-8 to UTF-16 and back) would cost several per cent of an encoder's time.
#include "tokenize/nfc.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <unicode/normalizer2.h>
#include <unicode/uniset.h>

#include "base/error.h"
#include "tokenize/unicode_classes.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr char16_t kAssignedIn9[] = u"[:age=9.0:]";
constexpr char16_t kSensitiveIn9[] = u"[[[:NFC_QC=N:][:NFC_QC=M:][:^ccc=0:]]&[:age=9.0:]]";

struct Normalizers {
  Normalizers() {
    UErrorCode status = U_ZERO_ERROR;
    assigned = std::make_unique<icu::UnicodeSet>(kAssignedIn9, status);
    assigned->freeze();
    const icu::Normalizer2* newest[] = {
        // in the order of UnicodeForm
        icu::Normalizer2::getNFCInstance(status), icu::Normalizer2::getNFDInstance(status),
        icu::Normalizer2::getNFKCInstance(status), icu::Normalizer2::getNFKDInstance(status)};
    HEADRACE_DCHECK(U_SUCCESS(status));
    for (const icu::Normalizer2* form : newest) {
      forms.push_back(std::make_unique<icu::FilteredNormalizer2>(*form, *assigned));
    }
  }
  std::unique_ptr<icu::UnicodeSet> assigned;
  std::vector<std::unique_ptr<icu::FilteredNormalizer2>> forms;
};

const icu::Normalizer2& normalizer(UnicodeForm form = UnicodeForm::kNfc) {
  static const Normalizers kNormalizers;
  return *kNormalizers.forms[static_cast<std::size_t>(form)];
}

class SensitiveScan {
 public:
  explicit SensitiveScan(std::string_view text)
      : p_(reinterpret_cast<const std::uint8_t*>(text.data())), end_(p_ + text.size()) {}

  // Moves to the next sensitive character. False: there is none.
  bool find() {
    std::uint32_t length = 0;
    for (; p_ < end_; p_ += length) {
      if (skip_ascii()) {
        length = 0;
        continue;
      }
      if (sensitive(&length)) return true;
      before_ = p_;
    }
    return false;
  }

  // Moves behind the sensitive characters here.
  void pass() {
    std::uint32_t length = 0;
    while (p_ < end_ && sensitive(&length)) p_ += length;
  }

  const std::uint8_t* position() const { return p_; }
  // The last character before position() that is not sensitive, or the start of the text.
  const std::uint8_t* before() const { return before_; }

 private:
  bool skip_ascii() {
    std::uint64_t word = 0;
    if (end_ - p_ < 8) return false;
    std::memcpy(&word, p_, 8);
    if ((word & 0x8080808080808080U) != 0) return false;
    p_ += 8;
    before_ = p_ - 1;
    return true;
  }

  bool sensitive(std::uint32_t* length) const {
    const std::uint32_t c = utf8_decode(p_, length);
    return (classes_[c] & kMayChangeUnderNfc) != 0;
  }

  const std::uint8_t* p_;
  const std::uint8_t* end_;
  const std::uint8_t* before_ = p_;
  const std::uint8_t* classes_ = char_classes();
};

// ICU orders marks by insertion, which is quadratic when a long run of them is out of order. So
// long windows are ordered here first: the same order by definition, and then ICU has nothing to
// insert.
constexpr std::int32_t kLongWindow = 64;

void order_marks(icu::UnicodeString* text) {
  std::vector<std::pair<std::uint8_t, UChar32>> marks;
  icu::UnicodeString ordered;
  const auto flush = [&] {
    std::ranges::stable_sort(marks, {}, &std::pair<std::uint8_t, UChar32>::first);
    for (const auto& [combining_class, c] : marks) ordered.append(c);
    marks.clear();
  };
  for (std::int32_t i = 0; i < text->length(); i = text->moveIndex32(i, 1)) {
    const UChar32 c = text->char32At(i);
    const std::uint8_t combining_class = normalizer().getCombiningClass(c);
    if (combining_class != 0) {
      marks.emplace_back(combining_class, c);
      continue;
    }
    flush();
    ordered.append(c);
  }
  flush();
  *text = std::move(ordered);
}

icu::UnicodeString normalize_window(const icu::UnicodeString& window,
                                    UnicodeForm form = UnicodeForm::kNfc) {
  icu::UnicodeString ordered = window;
  if (window.length() > kLongWindow) order_marks(&ordered);
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString normalized = normalizer(form).normalize(ordered, status);
  HEADRACE_DCHECK(U_SUCCESS(status));
  return normalized;
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> nfc_sensitive_ranges() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeSet set(kSensitiveIn9, status);
  HEADRACE_DCHECK(U_SUCCESS(status));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (std::int32_t i = 0; i < set.getRangeCount(); ++i) {
    ranges.emplace_back(static_cast<std::uint32_t>(set.getRangeStart(i)),
                        static_cast<std::uint32_t>(set.getRangeEnd(i)));
  }
  return ranges;
}

bool to_nfc(std::string_view text, std::string* normalized) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  SensitiveScan scan(text);
  bool changed = false;
  std::size_t copied = 0;  // text before it is in *normalized already, once `changed`
  while (scan.find()) {
    const auto begin = static_cast<std::size_t>(scan.before() - bytes);
    scan.pass();
    const std::string_view window =
        text.substr(begin, static_cast<std::size_t>(scan.position() - bytes) - begin);
    const icu::UnicodeString before = icu::UnicodeString::fromUTF8(
        icu::StringPiece(window.data(), static_cast<std::int32_t>(window.size())));
    const icu::UnicodeString after = normalize_window(before);
    if (after == before) continue;
    if (!changed) normalized->clear();
    changed = true;
    normalized->append(text.substr(copied, begin - copied));
    after.toUTF8String(*normalized);
    copied = begin + window.size();
  }
  if (changed) normalized->append(text.substr(copied));
  return changed;
}

void to_unicode_form(UnicodeForm form, std::string_view text, std::string* normalized) {
  if (form == UnicodeForm::kNfc) {
    if (!to_nfc(text, normalized)) normalized->assign(text);
    return;
  }
  normalized->clear();
  normalize_window(icu::UnicodeString::fromUTF8(
                       icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size()))),
                   form)
      .toUTF8String(*normalized);
}

}  // namespace headrace::tokenize
