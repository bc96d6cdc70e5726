// SPDX-License-Identifier: Apache-2.0
// Detection over real files with known encodings, where HEADRACE_DATA names a folder with them.
// What may never happen is an accepted wrong answer; how many files are left undetermined is
// bounded so that a detector that shrugs at everything fails as well.
#include <cstdio>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "normalize/internal/test_data.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

constexpr double kAccepted = 0.9;

// Our name for a folder name of the set; "" for encodings that detection does not answer for.
std::string expected_name(const std::string& folder) {
  static const std::map<std::string, std::string> names = {{"Big5", "big5"},
                                                           {"GB2312", "gb18030"},
                                                           {"EUC-JP", "euc-jp"},
                                                           {"SHIFT_JIS", "shift_jis"},
                                                           {"CP932", "shift_jis"},
                                                           {"EUC-KR", "euc-kr"},
                                                           {"CP949", "euc-kr"},
                                                           {"EUC-TW", "euc-tw"},
                                                           {"utf-8", "utf-8"},
                                                           {"utf-8-sig", "utf-8"},
                                                           {"ascii", "utf-8"},
                                                           {"UTF-16LE", "utf-16le"},
                                                           {"UTF-16BE", "utf-16be"},
                                                           {"UTF-32LE", "utf-32le"},
                                                           {"UTF-32BE", "utf-32be"},
                                                           {"iso-8859-1", "windows-1252"},
                                                           {"windows-1252", "windows-1252"}};
  const auto found = names.find(folder);
  return found == names.end() ? std::string() : found->second;
}

TEST(EncodingDataTest, LabelledFeedsAndPages) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const auto files =
      files_of_tar(read_gzip(data_folder() + "/enc-charset-samples/chardet_tests.tar.gz"));
  ASSERT_GT(files.size(), 400U);
  struct Score {
    std::size_t files = 0;
    std::size_t right = 0;
    std::size_t accepted = 0;
  };
  std::map<std::string, Score> scores;
  Score all;
  for (const auto& [path, bytes] : files) {
    const std::string folder = path.substr(0, path.find('/'));
    const std::string expected = expected_name(folder);
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    const bool is_accepted = evidence.confidence >= kAccepted;
    if (folder == "UTF-16" || folder == "UTF-32" || folder == "README.txt") continue;
    if (is_accepted) {
      EXPECT_EQ(evidence.encoding, expected) << path << ": " << evidence.why;
    }
    // Of the eight-bit alphabets only this one is ever accepted; how often is counted elsewhere.
    if (expected.empty() || expected == "windows-1252") continue;
    const bool is_right = evidence.encoding == expected;
    for (Score* score : {&scores[expected], &all}) {
      ++score->files;
      score->right += is_right;
      score->accepted += is_right && is_accepted;
    }
  }
  for (const auto& [encoding, score] : scores) {
    std::printf("%-10s files %3zu right %3zu accepted %3zu\n", encoding.c_str(), score.files,
                score.right, score.accepted);
  }
  EXPECT_GE(all.files, 160U);
  EXPECT_GE(all.accepted * 100, all.files * 95) << all.accepted << " of " << all.files;
}

TEST(EncodingDataTest, ChinesePages) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const auto files =
      files_of_tar(read_gzip(data_folder() + "/zh-web-extraction-gbk/pages_and_truth.tar.gz"));
  std::size_t gb18030 = 0;
  std::size_t utf8 = 0;
  for (const auto& [path, bytes] : files) {
    if (path.find(".html") == std::string::npos) continue;
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    EXPECT_GE(evidence.confidence, kAccepted) << path << ": " << evidence.why;
    // Only the two encodings occur, and valid UTF-8 of a page is UTF-8.
    std::string text;
    const bool valid = decoders().declared("utf-8").value()->decode(bytes, &text).has_value();
    EXPECT_EQ(evidence.encoding, valid ? "utf-8" : "gb18030") << path;
    (valid ? utf8 : gb18030) += 1;
  }
  EXPECT_EQ(gb18030, 47U);
  EXPECT_EQ(utf8, 22U);
}

TEST(EncodingDataTest, WholeNovels) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  std::size_t novels = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(data_folder() + "/zh-novels/gb18030")) {
    ++novels;
    const std::string bytes = read_file(entry.path());
    const EncodingEvidence evidence = decoders().detect(std::string_view(bytes).substr(0, 1 << 20),
                                                        {.whole = bytes.size() <= 1 << 20});
    EXPECT_EQ(evidence.encoding, "gb18030") << entry.path();
    EXPECT_GE(evidence.confidence, kAccepted) << entry.path();
    std::string text;
    EXPECT_TRUE(decoders().declared("gbk").value()->decode(bytes, &text).has_value());
    EXPECT_EQ(decoders().detect(text, {.whole = true}).why, "valid UTF-8");
  }
  EXPECT_EQ(novels, 2U);
}

TEST(EncodingDataTest, CaseB013) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const std::string folder = data_folder() + "/../cases/B013/";
  const std::string utf8 = read_file(folder + "utf8.jsonl");
  const std::string gb18030 = read_file(folder + "gb18030.jsonl");
  ASSERT_FALSE(utf8.empty());
  std::string text;
  ASSERT_TRUE(decoders().declared("gb18030").value()->decode(gb18030, &text).has_value());
  EXPECT_EQ(text, utf8);
  EXPECT_EQ(decoders().detect(utf8, {.whole = true}).confidence, 1);
  const EncodingEvidence evidence = decoders().detect(gb18030, {.whole = true});
  EXPECT_TRUE(evidence.confidence < kAccepted || evidence.encoding == "gb18030");
}

}  // namespace
}  // namespace headrace::normalize
