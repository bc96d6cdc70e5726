// SPDX-License-Identifier: Apache-2.0
// Detection over real files with known encodings, where HEADRACE_DATA names a folder with them.
// What may never happen is an accepted wrong answer; how many files are left undetermined is
// bounded so that a detector that shrugs at everything fails as well.
#include <cstdio>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "normalize/internal/encodings.h"
#include "normalize/internal/test_data.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

constexpr double kAccepted = 0.9;

// The name that we decode the files of a folder of the set by: "iso-8859-2-croatian" → iso-8859-2.
std::string label_of(std::string folder) {
  if (folder.starts_with("iso-8859-") || folder.starts_with("windows-")) {
    const std::size_t language = folder.find_last_of('-');
    if (folder.find_first_of("0123456789", language) == std::string::npos) {
      folder.resize(language);
    }
  }
  static const std::map<std::string, std::string> names = {
      {"ascii", "utf-8"}, {"utf-8-sig", "utf-8"}, {"GB2312", "gb18030"}};
  const auto found = names.find(folder);
  return found == names.end() ? folder : found->second;
}

std::string decoded(std::string_view encoding, std::string_view bytes) {
  std::string text;
  const auto decoder = decoders().declared(encoding);
  EXPECT_TRUE(decoder.has_value()) << encoding;
  bytes.remove_prefix(byte_order_mark_length(bytes));
  if (!decoder.has_value() || !(*decoder)->decode(bytes, &text).has_value()) text.clear();
  return text;
}

// Bytes of two of these pages are no character of TIS-620; windows-874, where they are quotation
// marks, is what they are in. Three files have bad bytes, so that nothing decodes them.
TEST(EncodingDataTest, LabelledFeedsAndPages) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const auto files =
      files_of_tar(read_gzip(data_folder() + "/enc-charset-samples/chardet_tests.tar.gz"));
  std::size_t all = 0;
  std::size_t right = 0;
  std::size_t accepted = 0;
  for (const auto& [path, bytes] : files) {
    const std::string folder = path.substr(0, path.find('/'));
    if (folder == "UTF-16" || folder == "UTF-32" || folder == "README.txt") continue;
    ++all;
    const std::string label = label_of(folder);
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    std::string name = evidence.encoding;
    if (name.empty() && !evidence.candidates.empty()) name = evidence.candidates.front();
    const std::string truth = decoded(label, bytes);
    const bool same = !name.empty() && (internal::resolve_encoding(label)->name == name ||
                                        (!truth.empty() && decoded(name, bytes) == truth));
    right += same;
    if (evidence.confidence >= kAccepted) {
      EXPECT_TRUE(same) << path << " as " << name << ": " << evidence.why;
      accepted += same;
    }
  }
  std::printf("labelled files %zu, right %zu, accepted %zu\n", all, right, accepted);
  EXPECT_EQ(all, 421U);
  EXPECT_GE(right, 419U);
  EXPECT_GE(accepted, 395U);
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
