// SPDX-License-Identifier: Apache-2.0
// What a tokenizer.json may say, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "headrace/tokenizer.h"

#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

Json tiny() { return Json::parse(read_text(kTinyTokenizer)); }

Status refusal(const std::string& text, std::string* path = nullptr) {
  const TestFile file(text);
  if (path != nullptr) *path = file.path();
  auto opened = Tokenizer::open(file.path());
  return opened.has_value() ? Status(Code::kInternal, "it was accepted") : opened.error();
}

TEST(TokenizerJsonTest, TinyFile) {
  const auto tokenizer = Tokenizer::open(kTinyTokenizer);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  EXPECT_EQ(tokenizer->vocabulary_size(), 500U);
  EXPECT_EQ(tokenizer->token_id("<|endoftext|>"), 499U);
  EXPECT_EQ(tokenizer->token_id("!"), 0U);
  EXPECT_EQ(tokenizer->token_id("no such token"), std::nullopt);
  EXPECT_EQ(tokenizer->special_tokens(), std::vector<std::string>{"<|endoftext|>"});
}

TEST(TokenizerJsonTest, Sha256OfTheFile) {
  EXPECT_EQ(Tokenizer::open(kTinyTokenizer)->sha256(),
            "4ae2c51d5e738efd1ec2dafcf503741ec455211a353db9ad3a52c0ac9ceead58");  // sha256sum
}

TEST(TokenizerJsonTest, MissingFile) {
  const auto opened = Tokenizer::open("/nonexistent/tokenizer.json");
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), Code::kNotFound);
  EXPECT_THAT(opened.error().message(), HasSubstr("/nonexistent/tokenizer.json"));
}

TEST(TokenizerJsonTest, CutOffFile) {
  const std::string whole = read_text(kTinyTokenizer);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.rfind('}')}) {
    std::string path;
    const Status status = refusal(whole.substr(0, size), &path);
    EXPECT_EQ(status.code(), Code::kCorrupt) << size;
    EXPECT_THAT(status.message(), HasSubstr(path));
    EXPECT_THAT(status.message(), HasSubstr("not whole JSON"));
  }
}

struct Refused {
  const char* pointer;  // of the value to set
  Json value;
  Code code;
  const char* in_message;
};

TEST(TokenizerJsonTest, FieldsThatAreNotUnderstoodAreNamed) {
  const Refused cases[] = {
      {"/version", "2.0", Code::kUnsupported, "\"version\" is \"2.0\""},
      {"/truncation", {{"max_length", 512}}, Code::kUnsupported, "\"truncation\""},
      {"/padding", {{"pad_id", 0}}, Code::kUnsupported, "\"padding\""},
      {"/surprise", 1, Code::kUnsupported, "unknown field \"surprise\""},
      {"/normalizer", {{"type", "Shout"}}, Code::kUnsupported, "normalizer \"Shout\""},
      {"/normalizer",
       {{"type", "Sequence"}, {"normalizers", Json::array({{{"type", "Spell"}}})}},
       Code::kUnsupported,
       "normalizer \"Spell\""},
      {"/normalizer", {{"type", "NFC"}, {"form", 2}}, Code::kUnsupported, "\"form\""},
      {"/pre_tokenizer", {{"type", "Guess"}}, Code::kUnsupported, "pre_tokenizer \"Guess\""},
      {"/pre_tokenizer/pretokenizers/0/pattern",
       {{"Regex", "(a)\\1"}},
       Code::kUnsupported,
       "pattern (a)\\1: this escape at byte 5"},
      {"/pre_tokenizer/pretokenizers/0/pattern",
       {{"Regex", " *"}},
       Code::kUnsupported,
       "may match nothing"},
      {"/pre_tokenizer/pretokenizers/0/pattern",
       {{"Regex", "\\p{Greek}+"}},
       Code::kUnsupported,
       "\\p{Greek}"},
      {"/pre_tokenizer/pretokenizers/0/behavior", "Doubled", Code::kUnsupported, "\"Doubled\""},
      {"/pre_tokenizer/pretokenizers/1",
       {{"type", "UnicodeScripts"}},
       Code::kUnsupported,
       "\"UnicodeScripts\""},
      {"/post_processor", {{"type", "Odd"}}, Code::kUnsupported, "post_processor \"Odd\""},
      {"/decoder/type", "CTC", Code::kUnsupported, "decoder \"CTC\""},
      {"/model", nullptr, Code::kCorrupt, "no \"model\""},
      {"/model/type", "WordLevel", Code::kUnsupported, "model \"WordLevel\""},
      {"/model/dropout", 0.1, Code::kUnsupported, "\"dropout\" is 0.1"},
      {"/model/continuing_subword_prefix", "##", Code::kUnsupported,
       "\"continuing_subword_prefix\""},
      {"/model/ignore_merges", "yes", Code::kCorrupt, "\"ignore_merges\" is \"yes\""},
      {"/model/shiny", true, Code::kUnsupported, "unknown field \"shiny\""},
      {"/model/vocab", Json::array(), Code::kCorrupt, "\"vocab\""},
      {"/model/vocab/%", "one", Code::kCorrupt, "id of \"%\""},
      {"/model/vocab/%", 0, Code::kCorrupt, "twice"},
      {"/model/vocab/%", 5000000, Code::kUnsupported, "the limit is 2097150"},
      {"/model/merges", nullptr, Code::kCorrupt, "\"merges\""},
      {"/model/merges/3",
       {"a", "nowhere"},
       Code::kCorrupt,
       "merge 4: \"a\" + \"nowhere\": \"nowhere\" is not in the vocabulary"},
      {"/model/merges/3", "a b c", Code::kCorrupt, "is not a pair"},
      {"/added_tokens/0/single_word", true, Code::kUnsupported, "\"single_word\""},
      {"/added_tokens/0/id", 700, Code::kUnsupported, "the file says id 700"},
      {"/added_tokens/0/colour", "red", Code::kUnsupported, "\"colour\""},
      {"/added_tokens/0/content", 4, Code::kCorrupt, "\"content\""},
  };
  for (const Refused& c : cases) {
    SCOPED_TRACE(c.pointer);
    Json json = tiny();
    json[Json::json_pointer(c.pointer)] = c.value;
    const Status status = refusal(json.dump());
    EXPECT_EQ(status.code(), c.code) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(c.in_message));
    EXPECT_THAT(status.message(), HasSubstr("tokenizer /"));
    EXPECT_EQ(status.message().find('\n'), std::string::npos);
  }
}

// tokenizers drops what a vocabulary without an unknown token has no token for.
TEST(TokenizerJsonTest, VocabularyWithoutAByte) {
  Json json = tiny();
  json["model"]["vocab"]["another name"] = json["model"]["vocab"]["~"];
  json["model"]["vocab"].erase("~");
  json["model"]["merges"] = Json::array();
  const TestFile file(json.dump());
  const auto tokenizer = Tokenizer::open(file.path());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  Encoder encoder(*tokenizer);
  std::vector<std::uint32_t> with;
  std::vector<std::uint32_t> without;
  ASSERT_TRUE(encoder.encode("a~b", &with).has_value());
  ASSERT_TRUE(encoder.encode("ab", &without).has_value());
  EXPECT_EQ(with.size(), 2U);
  EXPECT_EQ(with, without);
}

TEST(TokenizerJsonTest, FieldsThatDoNotMatterAreAccepted) {
  const struct {
    const char* pointer;
    Json value;
  } cases[] = {
      {"/normalizer", {{"type", "Sequence"}, {"normalizers", Json::array()}}},
      {"/post_processor", {{"type", "ByteLevel"}}},
      {"/decoder", nullptr},
      {"/model/unk_token", "!"},  // nothing is unknown to a vocabulary with all bytes
      {"/model/byte_fallback", true},
      {"/model/dropout", 0.0},
      {"/model/end_of_word_suffix", ""},
      {"/added_tokens", Json::array()},
  };
  for (const auto& c : cases) {
    Json json = tiny();
    json[Json::json_pointer(c.pointer)] = c.value;
    const TestFile file(json.dump());
    const auto opened = Tokenizer::open(file.path());
    EXPECT_TRUE(opened.has_value()) << c.pointer << ": " << opened.error().message();
  }
}

TEST(TokenizerJsonTest, MergesAsStringsAreTheSame) {
  Json json = tiny();
  Json merges = Json::array({"#version: 0.2"});
  for (const Json& merge : json["model"]["merges"]) {
    merges.push_back(merge[0].get<std::string>() + " " + merge[1].get<std::string>());
  }
  json["model"]["merges"] = merges;
  const TestFile file(json.dump());
  Encoder strings(Tokenizer::open(file.path()).value());
  Encoder pairs(Tokenizer::open(kTinyTokenizer).value());
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  const std::string_view text = "Every document and each stage, 数据的质量";
  ASSERT_TRUE(strings.encode(text, &a).has_value());
  ASSERT_TRUE(pairs.encode(text, &b).has_value());
  EXPECT_EQ(a, b);
  EXPECT_LT(a.size(), text.size() / 2);
}

}  // namespace
}  // namespace headrace::tokenize
