// SPDX-License-Identifier: Apache-2.0
// Unicode normalization form, only on request.
//
// NFC composes what is decomposed (e + U+0301 → é) and leaves full-width punctuation, digits,
// superscripts, ligatures and half-width kana alone. (It does replace the few characters that
// Unicode declares equal to another, such as U+212B ÅNGSTRÖM SIGN → Å and the compatibility
// ideographs U+F900-FAFF that have a canonical equal.) NFKC folds all of these, which cannot be
// undone: ， becomes a comma. It is never the default.
//
// ICU's UTF-8 path; its quick check answers for nearly all texts. Cost: a byte scan where no
// character lies above U+02FF, else one pass of the quick check. Source: UAX #15.
#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>

#include "base/error.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

class UnicodeForm final : public Step {
 public:
  UnicodeForm(const icu::Normalizer2* form, unsigned char first_lead)
      : form_(form), first_lead_(first_lead) {}

  std::size_t apply(std::string& text, Markup&, std::string& scratch) const override {
    unsigned char highest = 0;
    for (const char c : text) highest = std::max(highest, static_cast<unsigned char>(c));
    if (highest < first_lead_) return 0;
    const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
    UErrorCode error = U_ZERO_ERROR;
    if (form_->isNormalizedUTF8(piece, error) && U_SUCCESS(error)) return 0;
    scratch.clear();
    icu::StringByteSink<std::string> sink(&scratch, static_cast<std::int32_t>(text.size()));
    icu::Edits edits;
    form_->normalizeUTF8(0, piece, sink, &edits, error);
    if (U_FAILURE(error) || scratch == text) return 0;
    text.swap(scratch);
    return static_cast<std::size_t>(std::max(edits.numberOfChanges(), 1));
  }

 private:
  const icu::Normalizer2* const form_;  // ICU's own, lives as long as the process
  const unsigned char first_lead_;      // no byte below it begins a character that changes
};

Result<std::unique_ptr<Step>> make(const OptionValues& options) {
  const bool nfkc = options.at("form") == "nfkc";
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* form =
      nfkc ? icu::Normalizer2::getNFKCInstance(error) : icu::Normalizer2::getNFCInstance(error);
  if (U_FAILURE(error)) {
    return unavailable("unicode_form: ICU could not open its data: {}", u_errorName(error));
  }
  // NFC changes nothing below U+0300 (CC 80), NFKC nothing below U+00A0 (C2 A0).
  return std::make_unique<UnicodeForm>(form, nfkc ? 0xC2 : 0xCC);
}

}  // namespace

void register_unicode_form(Registry& registry) {
  registry.add({"unicode_form",
                "places recomposed or replaced",
                "brings the text to a Unicode normalization form",
                {{"form",
                  "nfc",
                  {"nfc", "nfkc"},
                  "nfc composes accents only; nfkc also folds full-width, superscript and ligature "
                  "forms, which cannot be undone"}},
                make});
}

}  // namespace headrace::normalize
