// SPDX-License-Identifier: Apache-2.0
// Normalizers and pre-tokenizers, with texts that tokenizers 0.22.2 was asked for.
#include <gtest/gtest.h>

#include "tokenize/normalizer_steps.h"
#include "tokenize/pre_tokenizer_steps.h"

namespace headrace::tokenize {
namespace {

using Texts = std::vector<std::string>;

std::string normalized(const NormalizerStep& step, std::string_view text) {
  std::string out = "what was there before";
  step->normalize(text, &out);
  return out;
}

TEST(NormalizerStepsTest, Texts) {
  EXPECT_EQ(normalized(make_prepend("▁"), "a"), "▁a");
  EXPECT_EQ(normalized(make_prepend("▁"), ""), "");
  EXPECT_EQ(normalized(make_replace("aa", "b"), "aaa aa"), "ba b");
  EXPECT_EQ(normalized(make_replace(Regex::parse("\\s+", RegexDialect::kOniguruma).value(), " "),
                       "a \n\u3000b "),
            "a b ");
  EXPECT_EQ(normalized(make_strip(true, true), "\u3000 a b\n"), "a b");
  EXPECT_EQ(normalized(make_strip(true, false), " a "), "a ");
  EXPECT_EQ(normalized(make_strip(false, true), " a "), " a");
  EXPECT_EQ(normalized(make_strip(true, true), " \n"), "");
  EXPECT_EQ(normalized(make_strip_accents(), "e\u0301x\u1cf2"), "ex");
  EXPECT_EQ(normalized(make_nmt(), "a\u0007b\tc\u200bd\u2581"), "ab c d ");
  EXPECT_EQ(normalized(make_byte_chars(), " é"), "ĠÃ©");
  EXPECT_EQ(normalized(make_unicode_form(UnicodeForm::kNfkc), "ﬁ①e\u0301"), "fi1é");
  EXPECT_EQ(normalized(make_unicode_form(UnicodeForm::kNfd), "é가"), "e\u0301\u1100\u1161");
  EXPECT_EQ(normalized(make_unicode_form(UnicodeForm::kNfkd), "ﬁé"), "fie\u0301");
  EXPECT_EQ(normalized(make_unicode_form(UnicodeForm::kNfc), "e\u0301"), "é");
  const BertNormalizerOptions lower = {false, false, false, true};
  EXPECT_EQ(normalized(make_bert_step(lower), "ÀΣİ中"), "àσi\u0307中");
}

class Collector final : public PieceSink {
 public:
  void piece(std::string_view text, bool at_start) override {
    pieces.emplace_back(text);
    starts += at_start;
  }
  Texts pieces;
  int starts = 0;
};

Texts split(const PreTokenizerStep& step, std::string_view text) {
  Collector collector;
  std::string buffer = "what was there before";
  step->split(text, true, &buffer, &collector);
  EXPECT_LE(collector.starts, 1);
  return collector.pieces;
}

TEST(PreTokenizerStepsTest, Behaviours) {
  const std::string_view text = "the-final--countdown-";
  const std::pair<SplitBehavior, Texts> cases[] = {
      {SplitBehavior::kRemoved, {"the", "final", "countdown"}},
      {SplitBehavior::kIsolated, {"the", "-", "final", "-", "-", "countdown", "-"}},
      {SplitBehavior::kMergedWithPrevious, {"the-", "final-", "-", "countdown-"}},
      {SplitBehavior::kMergedWithNext, {"the", "-final", "-", "-countdown", "-"}},
      {SplitBehavior::kContiguous, {"the", "-", "final", "--", "countdown", "-"}},
  };
  for (const auto& [behavior, pieces] : cases) {
    EXPECT_EQ(split(make_split(std::string("-"), behavior, false), text), pieces);
    auto regex = Regex::parse("-", RegexDialect::kOniguruma);
    EXPECT_EQ(split(make_split(*std::move(regex), behavior, false), text), pieces);
    EXPECT_EQ(split(make_split(CodePointSet{{'-', '-'}}, behavior, false), text), pieces);
  }
  EXPECT_EQ(split(make_split(std::string("-"), SplitBehavior::kRemoved, true), text),
            (Texts{"-", "-", "-", "-"}));
}

TEST(PreTokenizerStepsTest, Metaspace) {
  const auto always = make_metaspace("▁", PrependScheme::kAlways, true);
  EXPECT_EQ(split(always, "Hey   friend!"), (Texts{"▁Hey", "▁", "▁", "▁friend!"}));
  EXPECT_EQ(split(always, " a"), Texts{"▁a"});
  EXPECT_EQ(split(always, "▁a"), Texts{"▁a"});
  EXPECT_EQ(split(make_metaspace("▁", PrependScheme::kNever, false), "a b"), Texts{"a▁b"});
  const auto first = make_metaspace("▁", PrependScheme::kFirst, false);
  EXPECT_EQ(split(first, "a b"), Texts{"▁a▁b"});
  Collector behind;
  std::string buffer;
  first->split("a b", false, &buffer, &behind);
  EXPECT_EQ(behind.pieces, Texts{"a▁b"});
}

TEST(PreTokenizerStepsTest, BytesAndPrefix) {
  EXPECT_EQ(split(make_byte_chars_step(), " é"), Texts{"ĠÃ©"});
  EXPECT_EQ(split(make_prefix_space(), "a"), Texts{" a"});
  EXPECT_EQ(split(make_prefix_space(), " a"), Texts{" a"});
  EXPECT_EQ(split(make_bert_words(), " a,b 中"), (Texts{"a", ",", "b", "中"}));
  EXPECT_EQ(split(make_splitter_step(make_gpt2_splitter()), "I'm a  b"),
            (Texts{"I", "'m", " a", " ", " b"}));
}

}  // namespace
}  // namespace headrace::tokenize
