// SPDX-License-Identifier: Apache-2.0
// Pages with the text that people or their publishers say they hold: mean F1 over runs of four
// tokens (words, single Chinese characters), bounded from below a little under what is reached.
#include <algorithm>
#include <simdjson.h>

#include <gtest/gtest.h>
#include <unicode/uchar.h>

#include "normalize/internal/test_data.h"
#include "normalize/internal/utf8.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using Shingles = std::map<std::string, int>;

bool is_han(char32_t c) { return c >= 0x3400 && c <= 0x9FFF; }
bool is_word(char32_t c) { return c == '_' || u_isalnum(static_cast<UChar32>(c)) != 0; }

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size();) {
    const internal::CodePoint c = internal::code_point_at(text, i);
    const bool word = is_word(c.value) && !is_han(c.value);
    if (is_han(c.value) || (word && !in_word)) tokens.emplace_back();
    if (is_han(c.value) || word) tokens.back().append(text.substr(i, c.length));
    in_word = word;
    i += c.length;
  }
  return tokens;
}

Shingles shingles_of(std::string_view text) {
  const std::vector<std::string> tokens = tokens_of(text);
  Shingles shingles;
  for (std::size_t i = 0; i == 0 || i + 4 <= tokens.size(); ++i) {
    std::string shingle;
    for (std::size_t k = i; k < std::min(i + 4, tokens.size()); ++k) shingle += tokens[k] + '\n';
    ++shingles[shingle];
  }
  return shingles;
}

double f1_of(std::string_view text, std::string_view truth) {
  const Shingles found = shingles_of(text);
  const Shingles wanted = shingles_of(truth);
  double common = 0;
  double all = 0;
  for (const auto& [shingle, count] : found) {
    all += count;
    const auto other = wanted.find(shingle);
    if (other != wanted.end()) common += std::min(count, other->second);
  }
  for (const auto& [shingle, count] : wanted) all += count;
  return 2 * common / all;
}

// What a reader makes of the bytes of a page.
std::string decoded(const std::string& bytes) {
  if (simdjson::validate_utf8(bytes.data(), bytes.size())) return bytes;
  const icu::UnicodeString unicode(bytes.data(), static_cast<std::int32_t>(bytes.size()),
                                   "gb18030");
  std::string text;
  unicode.toUTF8String(text);
  return text;
}

class Score {
 public:
  void add(const std::string& page, std::string_view truth) {
    std::string text = decoded(page);
    Markup markup = Markup::kHtml;
    step_->apply(text, markup, scratch_);
    ASSERT_TRUE(simdjson::validate_utf8(text.data(), text.size()));
    sum_ += f1_of(text, truth);
    ++pages_;
  }
  double mean() const { return pages_ == 0 ? 0 : sum_ / pages_; }
  int pages() const { return pages_; }

 private:
  std::unique_ptr<Step> step_ = make_step("html_to_text", {}).value();
  std::string scratch_;
  double sum_ = 0;
  int pages_ = 0;
};

TEST(HtmlDataTest, EnglishNews) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const std::string folder = data + "/html-extraction-bench/aeb/";
  simdjson::dom::parser parser;
  simdjson::dom::object truth;
  ASSERT_EQ(parser.load(folder + "ground-truth.json").get(truth), simdjson::SUCCESS);
  Score score;
  for (const auto [name, page] : truth) {
    std::string_view body;
    ASSERT_EQ(page["articleBody"].get(body), simdjson::SUCCESS);
    score.add(read_gzip(folder + "html/" + std::string(name) + ".html.gz"), body);
  }
  EXPECT_EQ(score.pages(), 181);
  EXPECT_GT(score.mean(), .97);
}

TEST(HtmlDataTest, ChinesePages) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const Files files =
      files_of_tar(read_gzip(data + "/zh-web-extraction-gbk/pages_and_truth.tar.gz"));
  Score score;
  for (const auto& [name, page] : files) {
    if (!name.starts_with("original/")) continue;
    const std::string base = name.substr(9, name.size() - 9 - 5);
    score.add(page, files.at("cleaned/" + base + ".txt"));
  }
  EXPECT_EQ(score.pages(), 69);
  EXPECT_GT(score.mean(), .94);
}

}  // namespace
}  // namespace headrace::normalize
