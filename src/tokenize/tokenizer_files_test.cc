// SPDX-License-Identifier: Apache-2.0
// Files of the general way: SentencePiece models, Unigram, WordPiece, BPE from characters.
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "headrace/tokenizer.h"

#include "tokenize/byte_pieces.h"
#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using ::testing::HasSubstr;
using Ids = std::vector<std::uint32_t>;
using Json = nlohmann::json;

Result<Tokenizer> open_as(const std::string& name, const std::string& bytes,
                          const TokenizerOptions& options = {}) {
  const std::string path =
      ::testing::TempDir() + "files_" + std::to_string(::getpid()) + "_" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  auto opened = Tokenizer::open(path, options);
  std::remove(path.c_str());
  return opened;
}

Ids encode(const Result<Tokenizer>& tokenizer, std::string_view text, bool special = false) {
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  if (!tokenizer) return {};
  Encoder encoder(*tokenizer, {.special_tokens_in_text = special});
  Ids ids;
  EXPECT_TRUE(encoder.encode(text, &ids).has_value());
  Ids again;
  EXPECT_TRUE(encoder.encode(text, &again).has_value());
  EXPECT_EQ(ids, again);  // whatever the cache holds
  return ids;
}

// --- a SentencePiece model, field by field ---

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
std::string message(int field, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string piece(const std::string& text, float score, std::uint64_t type = 1) {
  std::string bits(4, '\0');
  std::memcpy(bits.data(), &score, 4);
  return message(1, message(1, text) + varint(2 << 3 | 5) + bits + number(3, type));
}

std::string model(std::uint64_t type, const std::string& pieces, bool bytes = false) {
  return piece("<unk>", 0, 2) + piece("<s>", 0, 3) + pieces +
         message(2, number(3, type) + number(35, bytes ? 1 : 0)) + message(3, number(4, 0));
}

TEST(SentencePieceTest, Bpe) {
  const std::string pieces = piece("▁a", -1) + piece("ab", -2) + piece("▁", -3) + piece("a", -4) +
                             piece("b", -5) + piece("xyz", -6) + piece("yz", -1.5F);
  const auto tokenizer = open_as("bpe.model", model(2, pieces));
  EXPECT_EQ(encode(tokenizer, "a b"), (Ids{2, 4, 6}));
  EXPECT_EQ(encode(tokenizer, "bab"), (Ids{4, 6, 3}));
  // x, y and z are no pieces; their merges are.
  EXPECT_EQ(encode(tokenizer, "xyz"), (Ids{4, 7}));
  EXPECT_EQ(encode(tokenizer, "yz"), (Ids{4, 8}));
  // A run of unknown characters is one.
  EXPECT_EQ(encode(tokenizer, "aqxqb"), (Ids{2, 0, 6}));
  // A control token in a text is text, asked or not.
  EXPECT_EQ(encode(tokenizer, "<s>", true), (Ids{4, 0}));
  EXPECT_EQ(tokenizer->token_id("<s>"), 1U);
  EXPECT_EQ(tokenizer->decode(Ids{2, 4, 6}).value(), "a b");
  EXPECT_EQ(tokenizer->special_tokens(), (std::vector<std::string>{"<unk>", "<s>"}));
  EXPECT_EQ(encode(tokenizer, ""), Ids{});
}

TEST(SentencePieceTest, BytesForWhatIsUnknown) {
  std::string pieces = piece("▁", -1);
  for (unsigned byte = 0; byte < 256; ++byte) pieces += piece(byte_piece(byte), 0, 6);
  const auto tokenizer = open_as("bytes.model", model(2, pieces, true));
  EXPECT_EQ(encode(tokenizer, "é"), (Ids{2, 3 + 0xC3, 3 + 0xA9}));
  EXPECT_EQ(tokenizer->decode(Ids{2, 3 + 0xC3, 3 + 0xA9}).value(), "é");
}

TEST(SentencePieceTest, Unigram) {
  const std::string pieces = piece("▁", -2) + piece("a", -3) + piece("b", -3) + piece("ab", -4) +
                             piece("▁ab", -5) + piece("<x>", 0, 4) + piece("aa", -6.5F);
  const auto tokenizer = open_as("unigram.model", model(1, pieces));
  EXPECT_EQ(encode(tokenizer, "ab"), Ids{6});
  EXPECT_EQ(encode(tokenizer, "bab"), (Ids{2, 4, 5}));
  EXPECT_EQ(encode(tokenizer, "aab"), (Ids{2, 3, 5}));
  EXPECT_EQ(encode(tokenizer, "a<x>qqb"), (Ids{2, 3, 7, 0, 4}));
}

TEST(SentencePieceTest, WhatIsRefused) {
  const std::string good = model(1, piece("a", -1));
  const struct {
    const char* name;
    std::string bytes;
    const char* in_message;
  } cases[] = {
      {"cut off", good.substr(0, good.size() - 3), "cut off or damaged"},
      {"in a piece", good.substr(0, 5), "cut off or damaged"},
      {"a word model", model(3, piece("a", -1)), "model_type 3"},
      {"twice", model(1, piece("a", -1) + piece("a", -2)), "is there twice"},
      {"empty", model(1, piece("", -1)), "piece 2 is empty"},
      {"not UTF-8", model(1, piece("\xFF", -1)), "not UTF-8"},
      {"no unknown", piece("a", -1), "no piece is the unknown one"},
      {"bytes are missing", model(2, piece("<0x00>", 0, 6), true), "with 1 byte pieces"},
      {"unused", model(2, piece("a", 0, 5)), "is unused"},
      {"another type", model(2, piece("a", 0, 9)), "has type 9"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto opened = open_as("bad.model", c.bytes);
    ASSERT_FALSE(opened.has_value());
    EXPECT_THAT(opened.error().message(), HasSubstr(c.in_message));
  }
}

TEST(TokenizerFilesTest, AnyOtherFileIsRefused) {
  for (const char* bytes : {"", "hello", "\x1f\x8b zip"}) {
    const auto opened = open_as("file.bin", bytes);
    ASSERT_FALSE(opened.has_value()) << bytes;
    EXPECT_THAT(opened.error().message(), HasSubstr("not a tokenizer.json"));
  }
}

TEST(TokenizerFilesTest, VocabularyNeedsLowercase) {
  const std::string lines = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nab\n##c\nÉ\n.\n";
  const auto without = open_as("vocab.txt", lines);
  ASSERT_FALSE(without.has_value());
  EXPECT_THAT(without.error().message(), HasSubstr("lowercase"));
  const auto tokenizer = open_as("vocab.txt", lines, {.lowercase = true});
  EXPECT_EQ(encode(tokenizer, "ABc. É [SEP]"), (Ids{4, 5, 7, 1, 1, 1, 1}));
  EXPECT_EQ(encode(tokenizer, "[SEP]", true), Ids{3});
  EXPECT_EQ(tokenizer->decode(Ids{4, 5, 7}).value(), "abc.");
  EXPECT_EQ(tokenizer->before(), Ids{2});
  EXPECT_EQ(tokenizer->behind(), Ids{3});
  const auto cased = open_as("vocab.txt", lines, {.lowercase = false});
  EXPECT_EQ(encode(cased, "É"), Ids{6});
  EXPECT_NE(cased->fingerprint(), tokenizer->fingerprint());
}

Json json_file(const Json& model, const Json& pre_tokenizer = nullptr,
               const Json& normalizer = nullptr) {
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", Json::array()},
          {"normalizer", normalizer},
          {"pre_tokenizer", pre_tokenizer},
          {"post_processor", nullptr},
          {"decoder", nullptr},
          {"model", model}};
}

TEST(TokenizerFilesTest, CharacterBpe) {
  Json model = {
      {"type", "BPE"},
      {"unk_token", "<unk>"},
      {"fuse_unk", false},
      {"vocab", {{"<unk>", 0}, {"a", 1}, {"b", 2}, {"ab", 3}, {"<0xC3>", 4}, {"<0xA9>", 5}}},
      {"merges", Json::array({"a b"})}};
  EXPECT_EQ(encode(open_as("t.json", json_file(model).dump()), "abxyb"), (Ids{3, 0, 0, 2}));
  model["fuse_unk"] = true;
  EXPECT_EQ(encode(open_as("t.json", json_file(model).dump()), "abxyb"), (Ids{3, 0, 2}));
  // An unknown character waits behind the bytes that follow it.
  model["byte_fallback"] = true;
  EXPECT_EQ(encode(open_as("t.json", json_file(model).dump()), "azéb"), (Ids{1, 4, 5, 0, 2}));
  model["unk_token"] = nullptr;
  EXPECT_EQ(encode(open_as("t.json", json_file(model).dump()), "azb"), (Ids{3}));
}

TEST(TokenizerFilesTest, SuffixOfWords) {
  const Json model = {{"type", "BPE"},
                      {"unk_token", "<unk>"},
                      {"end_of_word_suffix", "</w>"},
                      {"vocab", {{"<unk>", 0}, {"a", 1}, {"b</w>", 2}, {"ab</w>", 3}, {"b", 4}}},
                      {"merges", Json::array({Json::array({"a", "b</w>"})})}};
  const auto tokenizer = open_as("t.json", json_file(model, {{"type", "WhitespaceSplit"}}).dump());
  EXPECT_EQ(encode(tokenizer, "ab b aba"), (Ids{3, 2, 1, 4, 0}));
}

TEST(TokenizerFilesTest, PostProcessorSaysWhatStandsAround) {
  Json json = json_file({{"type", "WordPiece"},
                         {"unk_token", "<unk>"},
                         {"continuing_subword_prefix", "##"},
                         {"max_input_chars_per_word", 100},
                         {"vocab", {{"<unk>", 0}, {"<s>", 1}, {"the", 2}}}},
                        {{"type", "WhitespaceSplit"}});
  json["post_processor"] = Json::parse(R"({"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
      "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}})");
  const auto tokenizer = open_as("t.json", json.dump());
  EXPECT_EQ(encode(tokenizer, "the cat"), (Ids{2, 0}));
  EXPECT_EQ(tokenizer->before(), Ids{1});
  EXPECT_EQ(tokenizer->behind(), Ids{});
  json["post_processor"]["special_tokens"]["<s>"]["ids"] = Json::array({7});
  const auto bad = open_as("t.json", json.dump());
  ASSERT_FALSE(bad.has_value());
  EXPECT_THAT(bad.error().message(), HasSubstr("no token has id 7"));
}

}  // namespace
}  // namespace headrace::tokenize
