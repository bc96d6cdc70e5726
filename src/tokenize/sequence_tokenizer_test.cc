// SPDX-License-Identifier: Apache-2.0
#include "tokenize/sequence_tokenizer.h"

#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tokenize/bert_normalizer.h"
#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::int64_t>;
using Json = nlohmann::json;

constexpr std::size_t kWhole = 1 << 30;
const std::string kFolder = HEADRACE_TEST_DATA "/transformer/";

Ids encode(const SequenceTokenizer& tokenizer, std::string_view text, std::size_t most = kWhole) {
  Ids ids = {-1};  // what was there before goes
  const auto encoded = tokenizer.start()->encode(text, most, &ids);
  EXPECT_TRUE(encoded.has_value()) << encoded.error().message();
  return ids;
}

Json small_file() {
  return Json::parse(R"({
    "version": "1.0", "truncation": null, "padding": null,
    "added_tokens": [{"id": 1, "content": "[UNK]", "single_word": false, "lstrip": false,
                      "rstrip": false, "normalized": false, "special": true}],
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": null, "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    "decoder": null,
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 5,
              "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "ab": 4, "##c": 5,
                        "a": 6, "##b": 7, "abc": 8, "é": 9, "中": 10, ".": 11}}})");
}

Result<std::unique_ptr<SequenceTokenizer>> open(const Json& json) {
  const TestFile file(json.dump());
  return sequence_tokenizers().open(file.path(), {});
}

TEST(SequenceTokenizerTest, VocabularyGivesTheIdsOfTokenizers) {
  const Json expected = Json::parse(read_text(kFolder + "expected.json"));
  const auto tokenizer = sequence_tokenizers().open(kFolder + "vocab.txt", {});
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  EXPECT_EQ((*tokenizer)->vocabulary_size(), 16U);
  EXPECT_EQ((*tokenizer)->added(), 2U);
  constexpr std::size_t kCutTo = 40;
  for (std::size_t i = 0; i < expected["texts"].size(); ++i) {
    EXPECT_EQ(encode(**tokenizer, expected["texts"][i].get<std::string>(), kCutTo),
              expected["ids"][i].get<Ids>());
  }
}

TEST(SequenceTokenizerTest, WordsBecomeTheLongestPieces) {
  const auto tokenizer = open(small_file());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  const struct {
    const char* text;
    Ids ids;
  } kCases[] = {
      {"", {2, 3}},
      {"abc", {2, 8, 3}},
      {"ABCc", {2, 8, 5, 3}},
      {"abbc", {2, 4, 7, 5, 3}},
      {"abx", {2, 1, 3}},     // one unknown part: the whole word
      {"abcccc", {2, 1, 3}},  // six characters
      {"ab.c a", {2, 4, 11, 1, 6, 3}},
      {"a中a", {2, 6, 10, 6, 3}},
      {"a[UNK]a", {2, 6, 1, 6, 3}},  // a special token in the text
      {"a\xC3\x81", {2, 1, 3}},      // aÁ: "aa"
      {"e\xCC\x81", {2, 1, 3}},      // the accent goes before the vocabulary is asked
  };
  for (const auto& c : kCases) EXPECT_EQ(encode(**tokenizer, c.text), c.ids) << c.text;
}

TEST(SequenceTokenizerTest, LongTextsAreCutAndTheirStretchesJoin) {
  const auto tokenizer = open(small_file());
  ASSERT_TRUE(tokenizer.has_value());
  std::string text;
  Ids ids = {2};
  for (int i = 0; i < 30'000; ++i) {
    text += i % 3 == 0 ? "abc " : i % 3 == 1 ? "ab\xCC\x81 " : "a. ";
    if (i % 3 == 0) ids.push_back(8);
    if (i % 3 == 1) ids.push_back(4);
    if (i % 3 == 2) ids.insert(ids.end(), {6, 11});
  }
  ids.push_back(3);
  EXPECT_EQ(encode(**tokenizer, text), ids);
  for (const std::size_t most : {3U, 4U, 100U, 39'999U}) {
    Ids cut(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(most) - 1);
    cut.push_back(3);
    EXPECT_EQ(encode(**tokenizer, text, most), cut);
  }
}

TEST(SequenceTokenizerTest, TextThatIsNotUtf8IsAnErrorOfTheRecord) {
  const auto tokenizer = open(small_file());
  ASSERT_TRUE(tokenizer.has_value());
  Ids ids;
  const auto encoded = (*tokenizer)->start()->encode("a\xFF", kWhole, &ids);
  ASSERT_FALSE(encoded.has_value());
  EXPECT_EQ(encoded.error().reach(), Reach::kRecord);
}

TEST(SequenceTokenizerTest, LengthAndPaddingOfTheFile) {
  Json json = small_file();
  EXPECT_FALSE((*open(json))->max_length().has_value());
  EXPECT_EQ((*open(json))->padding_id(), 0);
  json["truncation"] = {
      {"direction", "Right"}, {"max_length", 7}, {"strategy", "LongestFirst"}, {"stride", 0}};
  json["padding"] = {{"direction", "Right"}, {"pad_id", 11}, {"pad_type_id", 0}};
  const auto tokenizer = open(json);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  EXPECT_EQ((*tokenizer)->max_length(), 7U);
  EXPECT_EQ((*tokenizer)->padding_id(), 11);
  EXPECT_NE((*tokenizer)->fingerprint(), (*open(small_file()))->fingerprint());
}

TEST(SequenceTokenizerTest, TemplatesAndNoPostProcessor) {
  Json json = small_file();
  json["post_processor"] = Json::parse(R"({"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "B", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
      "pair": [], "special_tokens": {"B": {"id": "B", "ids": [2, 11], "tokens": ["[CLS]", "."]}}})");
  EXPECT_EQ(encode(**open(json), "a"), (Ids{2, 11, 6}));
  json["post_processor"] = nullptr;
  EXPECT_EQ(encode(**open(json), "a"), (Ids{6}));
}

TEST(SequenceTokenizerTest, WhatIsNotKnownIsRefusedByName) {
  const struct {
    const char* patch;
    const char* says;
  } kCases[] = {
      {R"({"model": {"type": "BPE"}})", "model \"BPE\": only WordPiece"},
      {R"({"model": {"dropout": 0.1}})", "unknown field \"dropout\""},
      {R"({"model": {"unk_token": "<unk>"}})", "unk_token \"<unk>\" is not in the vocabulary"},
      {R"({"model": {"vocab": {"x": -1}}})", "id of \"x\" is -1"},
      {R"({"normalizer": {"type": "NFKC"}})", "normalizer \"NFKC\""},
      {R"({"normalizer": {"lower": true}})", "unknown field \"lower\""},
      {R"({"pre_tokenizer": {"type": "Whitespace"}})", "pre_tokenizer \"Whitespace\""},
      {R"({"pre_tokenizer": null})", "no pre_tokenizer"},
      {R"({"post_processor": {"type": "Odd"}})", "\"Odd\""},
      {R"({"post_processor": {"cls": ["[CLS]", 99]}})", "no token has id 99"},
      {R"({"truncation": {"direction": "Left", "max_length": 5}})", "\"direction\" is \"Left\""},
      {R"({"padding": {"direction": "Left", "pad_id": 0}})", "\"direction\" is \"Left\""},
      {R"({"padding": {"direction": "Right", "pad_id": 50}})", "no token has pad_id 50"},
      {R"({"version": "2.0"})", "\"version\" is \"2.0\""},
      {R"({"extra": 1})", "unknown field \"extra\""},
  };
  for (const auto& c : kCases) {
    Json json = small_file();
    const Json patch = Json::parse(c.patch);
    json.merge_patch(patch);
    const auto tokenizer = open(json);
    ASSERT_FALSE(tokenizer.has_value()) << c.patch;
    EXPECT_NE(tokenizer.error().message().find(c.says), std::string::npos)
        << tokenizer.error().message();
    EXPECT_NE(tokenizer.error().message().find("tokenizer "), std::string::npos);
  }
  const TestFile cut(small_file().dump().substr(0, 300));
  EXPECT_FALSE(sequence_tokenizers().open(cut.path(), {}).has_value());
  EXPECT_FALSE(sequence_tokenizers().open("/no/such/vocab.txt", {}).has_value());
}

TEST(SequenceTokenizerTest, VocabularyMustHoldTheTokensOfBert) {
  const std::string path = ::testing::TempDir() + "headrace_vocabulary_test.txt";
  for (const char* const lines : {"", "a\nb\n", "[UNK]\n[CLS]\n"}) {
    std::ofstream(path) << lines;
    const auto tokenizer = sequence_tokenizers().open(path, {});
    ASSERT_FALSE(tokenizer.has_value()) << lines;
    EXPECT_NE(tokenizer.error().message().find("not the vocabulary of a BERT"), std::string::npos);
  }
  std::ofstream(path) << "[UNK]\r\n[CLS]\r\n[SEP]\r\nA\r\na";
  const auto lower = sequence_tokenizers().open(path, {.lowercase = true});
  const auto cased = sequence_tokenizers().open(path, {.lowercase = false});
  ASSERT_TRUE(lower && cased);
  EXPECT_EQ(encode(**lower, "A a"), (Ids{1, 4, 4, 2}));
  EXPECT_EQ(encode(**cased, "A a"), (Ids{1, 3, 4, 2}));
  EXPECT_NE((*lower)->fingerprint(), (*cased)->fingerprint());
  std::remove(path.c_str());
}

TEST(BertNormalizerTest, Steps) {
  const BertNormalizerOptions all;
  const BertNormalizerOptions none = {false, false, false, false};
  const BertNormalizerOptions clean = {true, false, false, false};
  const BertNormalizerOptions han = {false, true, false, false};
  const BertNormalizerOptions accents = {false, false, true, false};
  const BertNormalizerOptions lower = {false, false, false, true};
  const struct {
    BertNormalizerOptions options;
    const char* text;
    const char* wanted;
  } kCases[] = {
      {none, "ÀÉ\t中\u200d", "ÀÉ\t中\u200d"},
      {clean, "a\tb\r\nc\u00a0d\u3000e\u200df\u00adg\ufffdh", "a b  c d efgh"},
      {han, "a中b\uF900", "a 中 b \uF900 "},
      {accents, "ÀÉ e\u0323\u0301 \u212B", "AE e A"},
      {accents, "각", "\u1100\u1161\u11a8"},
      {lower, "ÀÉ\u0130ΑΣ\u1E9E", "àéi\u0307ασß"},
      {all, "Crème BRÛLÉE 中国", "creme brulee  中  国 "},
  };
  for (const auto& c : kCases) {
    std::string got = "before";
    bert_normalize(c.text, c.options, &got);
    EXPECT_EQ(got, c.wanted) << c.text;
  }
}

TEST(BertNormalizerTest, MarksOutOfOrderStayLinear) {
  std::string text = "e";
  for (int i = 0; i < 200'000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
  std::string got;
  bert_normalize(text, {}, &got);
  EXPECT_EQ(got, "e");
}

// The vectors of Systemcluster/kitoken, which have no tokens around the texts.
TEST(SequenceTokenizerTest, GoldenIdsOfBertBaseCased) {
  const char* const data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const std::string folder = std::string(data) + "/tokenizers/";
  const auto tokenizer = sequence_tokenizers().open(folder + "bert-base-cased/tokenizer.json", {});
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  std::string numbers = read_text(folder + "golden/tokenizers/utf8_tokens_bert_base_cased.txt");
  Ids wanted = {101};
  std::istringstream stream(numbers);
  for (std::string number; std::getline(stream, number, ',');) wanted.push_back(std::stol(number));
  wanted.push_back(102);
  ASSERT_GT(wanted.size(), 100U);
  EXPECT_EQ(encode(**tokenizer, read_text(folder + "golden/utf8_input.txt")), wanted);
}

}  // namespace
}  // namespace headrace::tokenize
