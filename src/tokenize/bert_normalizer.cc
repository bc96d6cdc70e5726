// SPDX-License-Identifier: Apache-2.0
// BertNormalizer, one character at a time.
//
// Its four steps (clean, blanks around Han, accents off, small letters) each take the whole text in
// tokenizers; all but the third look at single characters, so they run as one here. Accents go by
// canonical decomposition, which orders marks: characters that it changes are decomposed one by
// one, their marks wait until the next character that is none, then are ordered and those that are
// accents dropped. An accent that stands between marks keeps them apart, so it is dropped last.
//
// The tables were asked from the engine (tools/make_bert_tables.py): its blanks, marks, punctuation
// and letters are those of different versions of Unicode, and its decomposition is that of Unicode
// 9.0, which nfc.cc explains.
#include "tokenize/bert_normalizer.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <unicode/normalizer2.h>
#include <unicode/uniset.h>

#include "base/error.h"

namespace headrace::tokenize {
namespace {

// The first five are part of bert_tables.inc.
enum BertClass : std::uint8_t {
  kRemoved = 1,  // by clean_text
  kBlank = 2,
  kHan = 4,
  kAccent = 8,
  kPunctuation = 16,
  kChangesCase = 32,
  kDecomposes = 64,  // or is ordered among marks
};

struct SmallLetters {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t difference;
};

#include "tokenize/bert_tables.inc"

constexpr std::uint32_t kCodePoints = 0x110000;
constexpr std::uint32_t kCapitalDottedI = 0x130;  // alone, it becomes two
constexpr char16_t kAssignedIn9[] = u"[:age=9.0:]";
constexpr char16_t kDecomposesIn9[] = u"[[[:NFD_QC=N:][:^ccc=0:]]&[:age=9.0:]]";

class Tables {
 public:
  Tables() : classes_(std::make_unique<std::uint8_t[]>(kCodePoints)) {
    for (std::size_t i = 0; i < std::size(kClassRuns); ++i) {
      const std::uint32_t end =
          i + 1 < std::size(kClassRuns) ? kClassRuns[i + 1] >> 8 : kCodePoints;
      std::fill(&classes_[kClassRuns[i] >> 8], classes_.get() + end,
                static_cast<std::uint8_t>(kClassRuns[i]));
    }
    for (const SmallLetters& run : kSmallLetters) {
      for (std::uint32_t c = run.first; c <= run.last; c += run.step) classes_[c] |= kChangesCase;
    }
    classes_[kCapitalDottedI] |= kChangesCase;
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeSet decomposes(kDecomposesIn9, status);
    for (std::int32_t i = 0; i < decomposes.getRangeCount(); ++i) {
      for (UChar32 c = decomposes.getRangeStart(i); c <= decomposes.getRangeEnd(i); ++c) {
        classes_[c] |= kDecomposes;
      }
    }
    assigned_ = std::make_unique<icu::UnicodeSet>(kAssignedIn9, status);
    assigned_->freeze();
    const icu::Normalizer2* newest = icu::Normalizer2::getNFDInstance(status);
    HEADRACE_DCHECK(U_SUCCESS(status));
    nfd_ = std::make_unique<icu::FilteredNormalizer2>(*newest, *assigned_);
  }

  std::uint8_t of(std::uint32_t c) const { return classes_[c]; }
  const icu::Normalizer2& nfd() const { return *nfd_; }

 private:
  std::unique_ptr<std::uint8_t[]> classes_;
  std::unique_ptr<icu::UnicodeSet> assigned_;
  std::unique_ptr<icu::FilteredNormalizer2> nfd_;
};

const Tables& tables() {
  static const Tables kTables;
  return kTables;
}

std::uint32_t small_letter(std::uint32_t c) {
  const auto* const after = std::ranges::upper_bound(kSmallLetters, c, {}, &SmallLetters::first);
  const SmallLetters& run = after[-1];
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(c) + run.difference);
}

class Normalizing {
 public:
  Normalizing(const BertNormalizerOptions& options, std::string* out)
      : options_(options), out_(*out) {}

  void add(std::uint32_t c) {
    std::uint8_t bits = tables_.of(c);
    if (options_.clean_text) {
      if ((bits & kRemoved) != 0) return;
      if ((bits & kBlank) != 0) {
        c = ' ';
        bits = tables_.of(c);
      }
    }
    const bool is_han = options_.handle_chinese_chars && (bits & kHan) != 0;
    if (is_han) put_starter(' ');
    if (options_.strip_accents && (bits & kDecomposes) != 0) {
      decompose(c);
    } else {
      put_starter(c);
    }
    if (is_han) put_starter(' ');
  }

  void finish() {
    if (marks_.empty()) return;
    std::ranges::stable_sort(marks_, {}, &std::pair<std::uint8_t, std::uint32_t>::first);
    for (const auto& [combining_class, c] : marks_) put(c);
    marks_.clear();
  }

 private:
  void decompose(std::uint32_t c) {
    decomposed_.remove();
    if (!tables_.nfd().getDecomposition(static_cast<UChar32>(c), decomposed_)) {
      decomposed_.append(static_cast<UChar32>(c));
    }
    for (std::int32_t i = 0; i < decomposed_.length(); i = decomposed_.moveIndex32(i, 1)) {
      const UChar32 part = decomposed_.char32At(i);
      const std::uint8_t combining_class = tables_.nfd().getCombiningClass(part);
      if (combining_class == 0) {
        put_starter(static_cast<std::uint32_t>(part));
      } else {
        marks_.emplace_back(combining_class, static_cast<std::uint32_t>(part));
      }
    }
  }

  void put_starter(std::uint32_t c) {
    finish();
    put(c);
  }

  void put(std::uint32_t c) {
    const std::uint8_t bits = tables_.of(c);
    if (options_.strip_accents && (bits & kAccent) != 0) return;
    if (options_.lowercase && (bits & kChangesCase) != 0) {
      if (c == kCapitalDottedI) {
        append(U'i');
        append(0x307);
        return;
      }
      c = small_letter(c);
    }
    append(c);
  }

  void append(std::uint32_t c) {
    if (c < 0x80) {
      out_ += static_cast<char>(c);
    } else if (c < 0x800) {
      append_bytes({0xC0 | c >> 6, 0x80 | (c & 0x3F)});
    } else if (c < 0x10000) {
      append_bytes({0xE0 | c >> 12, 0x80 | (c >> 6 & 0x3F), 0x80 | (c & 0x3F)});
    } else {
      append_bytes(
          {0xF0 | c >> 18, 0x80 | (c >> 12 & 0x3F), 0x80 | (c >> 6 & 0x3F), 0x80 | (c & 0x3F)});
    }
  }

  void append_bytes(std::initializer_list<std::uint32_t> bytes) {
    for (const std::uint32_t byte : bytes) out_ += static_cast<char>(byte);
  }

  const BertNormalizerOptions& options_;
  std::string& out_;
  const Tables& tables_ = tables();
  std::vector<std::pair<std::uint8_t, std::uint32_t>> marks_;  // with their combining class
  icu::UnicodeString decomposed_;
};

}  // namespace

void bert_normalize(std::string_view text, const BertNormalizerOptions& options,
                    std::string* normalized) {
  normalized->clear();
  Normalizing normalizing(options, normalized);
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto* const end = p + text.size();
  for (std::uint32_t length = 0; p < end; p += length) normalizing.add(utf8_decode(p, &length));
  normalizing.finish();
}

BertBreak bert_break(std::uint32_t code_point) {
  const std::uint8_t bits = tables().of(code_point);
  if ((bits & kBlank) != 0) return BertBreak::kBlank;
  return (bits & kPunctuation) != 0 ? BertBreak::kPunctuation : BertBreak::kNoBreak;
}

}  // namespace headrace::tokenize
