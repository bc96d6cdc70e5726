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
  return std::string(data_folder()) + "/tokenizers/" + name;
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

struct Golden {
  const char* name;
  const char* file;
  const char* vectors;  // folder and name
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

class KitokenGoldenTest : public ::testing::TestWithParam<Golden> {};

// The vectors of Systemcluster/kitoken, made by the original implementations.
TEST_P(KitokenGoldenTest, Ids) {
  SKIP_WITHOUT_DATA();
  const Golden& golden = GetParam();
  const std::string folder = std::string(data_folder()) + "/tokenizers/golden/";
  auto tokenizer = Tokenizer::open(tokenizer_path(golden.file));
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  Encoder encoder(*tokenizer, {.special_tokens_in_text = true});
  const std::string vectors = golden.vectors;
  const std::size_t slash = vectors.find('/');
  for (const char* input : {"small", "mixed", "utf8"}) {
    std::vector<std::string> texts = input_lines(folder + input + "_input.txt");
    if (std::string_view(input) == "utf8") texts = {read_text(folder + "utf8_input.txt")};
    const auto expected = expected_ids(folder + vectors.substr(0, slash + 1) + input + "_tokens_" +
                                       vectors.substr(slash + 1) + ".txt");
    ASSERT_EQ(texts.size(), expected.size()) << input;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(encode(&encoder, texts[i]), expected[i]) << input << " " << i << ": " << texts[i];
    }
  }
}

constexpr Golden kGoldens[] = {
    {"gpt2", "gpt2/tokenizer.json", "tokenizers/gpt2"},
    {"llama3", "llama3/tokenizer.json", "tokenizers/llama32"},
    {"deepseek_v3", "deepseek_v3/tokenizer.json", "tokenizers/r1"},
    {"gpt_neox", "gpt_neox/tokenizer.json", "tokenizers/gpt_neox"},
    {"modernbert", "modernbert/tokenizer.json", "tokenizers/modernbert"},
    {"bert_base_cased", "bert-base-cased/tokenizer.json", "tokenizers/bert_base_cased"},
    {"clip", "clip/tokenizer.json", "tokenizers/clip_base"},
    {"llama2", "llama2/tokenizer.json", "tokenizers/llama2"},
    {"mistral01", "mistral01/tokenizer.json", "tokenizers/mistral01"},
    {"mistral03", "mistral03/tokenizer.json", "tokenizers/mistral03"},
    {"cl100k_base", "cl100k_base.tiktoken", "tiktoken/cl100k_base"},
    {"o200k_base", "o200k_base.tiktoken", "tiktoken/o200k_base"},
    {"p50k_base", "p50k_base.tiktoken", "tiktoken/p50k_base"},
    {"kimi_k2", "kimi_k2.tiktoken", "tiktoken/kimi_k2"},
    {"llama3_ranks", "llama3/tokenizer.model.tiktoken", "tokenizers/llama32"},
    {"llama2_model", "llama2/tokenizer.model", "sentencepiece/llama2"},
    {"mistral01_model", "mistral01/tokenizer.model", "sentencepiece/mistral01"},
    {"mistral03_model", "mistral03/tokenizer.model", "sentencepiece/mistral03"},
    {"t5_model", "t5/nai-t5.model", "sentencepiece/nai-t5"},
};
INSTANTIATE_TEST_SUITE_P(All, KitokenGoldenTest, ::testing::ValuesIn(kGoldens),
                         [](const auto& test) { return std::string(test.param.name); });

// Texts and ids recorded from tokenizers 0.23 and tiktoken, by the hash of the file or by its name.
TEST(RecordedIdsTest, Ids) {
  SKIP_WITHOUT_DATA();
  const Json golden = Json::parse(
      read_text(std::string(data_folder()) + "/../formats/vectors/tokenizer_golden.json"));
  const struct {
    const char* file;
    const char* set;  // "": by its hash
    bool special;     // in texts
  } cases[] = {
      {"llama3/tokenizer.json", "", true},
      {"qwen3/tokenizer.json", "", true},
      {"deepseek_v3/tokenizer.json", "", true},
      {"mistral03/tokenizer.json", "", true},
      {"bert-base-cased/tokenizer.json", "", true},
      {"p50k_base.tiktoken", "tiktoken:p50k_base", false},
      {"cl100k_base.tiktoken", "tiktoken:cl100k_base", false},
      {"o200k_base.tiktoken", "tiktoken:o200k_base", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.file);
    auto tokenizer = Tokenizer::open(tokenizer_path(c.file));
    ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
    Encoder encoder(*tokenizer, {.special_tokens_in_text = c.special});
    int sets = 0;
    for (const auto& [set, values] : golden["sets"].items()) {
      if (set != c.set && values.value("tokenizer_json_sha256", "") != tokenizer->sha256())
        continue;
      ++sets;
      for (std::size_t i = 0; i < golden["texts"].size(); ++i) {
        const auto text = golden["texts"][i].get<std::string>();
        EXPECT_EQ(encode(&encoder, text), values["ids_no_special"][i].get<Ids>())
            << set << " " << i << ": " << text;
      }
    }
    EXPECT_EQ(sets, 1);
  }
}

}  // namespace
}  // namespace headrace::tokenize
