// SPDX-License-Identifier: Apache-2.0
// Published ids of real tokenizers. Needs HEADRACE_DATA.
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "headrace/tokenizer.h"

#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;
using Json = nlohmann::json;

const char* data_folder() { return std::getenv("HEADRACE_DATA"); }

#define SKIP_WITHOUT_DATA() \
  if (data_folder() == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set"

std::string tokenizer_path(const std::string& name) {
  return std::string(data_folder()) + "/tokenizers/" + name + "/tokenizer.json";
}

Ids encode(Encoder* encoder, std::string_view text) {
  Ids ids;
  const auto encoded = encoder->encode(text, &ids);
  EXPECT_TRUE(encoded.has_value()) << encoded.error().message();
  return ids;
}

void replace_all(std::string* text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) {
    text->replace(at, from.size(), to);
  }
}

// Lines of a golden input: not the empty ones, with its three escapes undone.
std::vector<std::string> input_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream stream(read_text(path));
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) continue;
    replace_all(&line, "\\n", "\n");
    replace_all(&line, "\\s", " ");
    replace_all(&line, "\\x", "");
    lines.push_back(line);
  }
  return lines;
}

Ids parse_ids(const std::string& line) {
  Ids ids;
  std::istringstream stream(line);
  for (std::string number; std::getline(stream, number, ',');) {
    ids.push_back(static_cast<std::uint32_t>(std::stoul(number)));
  }
  return ids;
}

std::vector<Ids> expected_ids(const std::string& path) {
  std::vector<Ids> all;
  std::istringstream stream(read_text(path));
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) all.push_back(parse_ids(line));
  }
  return all;
}

class KitokenGoldenTest : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

// The vectors of Systemcluster/kitoken, made by the original implementations.
TEST_P(KitokenGoldenTest, Ids) {
  SKIP_WITHOUT_DATA();
  const auto [name, vectors] = GetParam();
  const std::string folder = std::string(data_folder()) + "/tokenizers/golden/";
  auto tokenizer = Tokenizer::open(tokenizer_path(name));
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  Encoder encoder(*tokenizer, {.special_tokens_in_text = true});
  for (const char* input : {"small", "mixed", "utf8"}) {
    std::vector<std::string> texts = input_lines(folder + input + "_input.txt");
    if (std::string_view(input) == "utf8") texts = {read_text(folder + "utf8_input.txt")};
    const auto expected =
        expected_ids(folder + "tokenizers/" + input + "_tokens_" + vectors + ".txt");
    ASSERT_EQ(texts.size(), expected.size()) << input;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(encode(&encoder, texts[i]), expected[i]) << input << " " << i << ": " << texts[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, KitokenGoldenTest,
                         ::testing::Values(std::pair{"gpt2", "gpt2"},
                                           std::pair{"llama3", "llama32"},
                                           std::pair{"deepseek_v3", "r1"},
                                           std::pair{"gpt_neox", "gpt_neox"},
                                           std::pair{"modernbert", "modernbert"}),
                         [](const auto& test) { return std::string(test.param.first); });

// Texts and ids recorded from tokenizers 0.23, by the hash of the tokenizer file.
TEST(RecordedIdsTest, ByHashOfTheFile) {
  SKIP_WITHOUT_DATA();
  const Json golden = Json::parse(
      read_text(std::string(data_folder()) + "/../formats/vectors/tokenizer_golden.json"));
  int sets = 0;
  for (const char* name : {"llama3", "qwen3", "deepseek_v3"}) {
    auto tokenizer = Tokenizer::open(tokenizer_path(name));
    ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
    Encoder encoder(*tokenizer, {.special_tokens_in_text = true});
    for (const auto& [set, values] : golden["sets"].items()) {
      if (values.value("tokenizer_json_sha256", "") != tokenizer->sha256()) continue;
      ++sets;
      for (std::size_t i = 0; i < golden["texts"].size(); ++i) {
        const auto text = golden["texts"][i].get<std::string>();
        EXPECT_EQ(encode(&encoder, text), values["ids_no_special"][i].get<Ids>())
            << set << " " << i << ": " << text;
      }
    }
  }
  EXPECT_EQ(sets, 3);
}

// Files of other kinds are refused, with the part that is not supported.
TEST(RealFilesTest, OtherModelsAreRefusedByName) {
  SKIP_WITHOUT_DATA();
  const std::pair<const char*, const char*> cases[] = {
      {"bert-base-cased", "BertNormalizer"},
      {"llama2", "Prepend"},
      {"mistral03", "Metaspace"},
      {"clip", "Replace"},
  };
  for (const auto& [name, part] : cases) {
    const auto opened = Tokenizer::open(tokenizer_path(name));
    ASSERT_FALSE(opened.has_value()) << name;
    EXPECT_EQ(opened.error().code(), Code::kUnsupported) << opened.error().message();
    EXPECT_NE(opened.error().message().find(part), std::string::npos) << opened.error().message();
  }
}

}  // namespace
}  // namespace headrace::tokenize
