// SPDX-License-Identifier: Apache-2.0
// The case files of known failures, as they are. jsonl_test.cc holds the same outcomes with inputs
// of its own.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::ElementsAre;

class JsonlCasesTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("HEADRACE_DATA");
    if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
    cases_ = std::string(data) + "/../cases/";
  }

  Seen read(const char* name, const ReadOptions& options = {}) const {
    return read_all("jsonl", cases_ + name, options);
  }

  std::string cases_;
};

TEST_F(JsonlCasesTest, B001B002LineDiscipline) {
  EXPECT_EQ(read("B001/in.jsonl").sink.documents.size(), 5u);
  EXPECT_EQ(read("B002/in.jsonl").sink.documents.size(), 3u);
}

TEST_F(JsonlCasesTest, B003CutOffLastPart) {
  EXPECT_EQ(read("B003/part-2.jsonl.gz").sink.documents.size(), 5u);

  const Seen gzip_cut = read("B003/part-0.jsonl.gz");
  EXPECT_EQ(gzip_cut.sink.documents.size(), 119u);
  EXPECT_EQ(gzip_cut.sink.documents.back().meta, R"({"id":"r118"})");
  EXPECT_THAT(gzip_cut.sink.reasons(), ElementsAre("truncated"));
  EXPECT_EQ(gzip_cut.sink.rejections[0].offset, 24514u);
  EXPECT_THAT(gzip_cut.note_kinds(), ElementsAre("truncated"));
  const Seen text_cut = read("B003/part-1.jsonl");
  EXPECT_EQ(text_cut.sink.documents.size(), 4u);
  EXPECT_THAT(text_cut.sink.reasons(), ElementsAre("truncated"));
  EXPECT_EQ(text_cut.sink.rejections[0].offset, 824u);
  EXPECT_THAT(text_cut.note_kinds(), ElementsAre("truncated"));
}

TEST_F(JsonlCasesTest, B004OneBadByte) {
  const Seen bad_bytes = read("B004/in.jsonl");
  ASSERT_EQ(bad_bytes.sink.rejections.size(), 4u);
  const std::uint64_t lines[] = {3, 5, 6, 7};
  const std::uint64_t offsets[] = {65, 137, 181, 210};
  const char* bad_offsets[] = {"offset 88 ", "offset 175 ", "offset 204 ", "offset 238 "};
  for (std::size_t i = 0; i < 4; ++i) {
    const SeenRejection& bad = bad_bytes.sink.rejections[i];
    EXPECT_EQ(bad.reason, "invalid_utf8");
    EXPECT_EQ(bad.line, lines[i]);
    EXPECT_EQ(bad.offset, offsets[i]);
    EXPECT_NE(bad.detail.find(bad_offsets[i]), std::string::npos) << bad.detail;
  }
}

TEST_F(JsonlCasesTest, B005SeveralFrames) {
  EXPECT_EQ(read("B005/multi.jsonl.zst").sink.documents.size(), 6u);
  EXPECT_EQ(read("B005/multi_then_garbage.jsonl.zst").sink.documents.size(), 6u);
  const Seen zstd_cut = read("B005/cut.jsonl.zst");
  EXPECT_EQ(zstd_cut.sink.documents.size(), 3u);
  EXPECT_THAT(zstd_cut.sink.reasons(), ElementsAre("truncated"));
  EXPECT_EQ(zstd_cut.sink.rejections[0].offset, 144u);
}

TEST_F(JsonlCasesTest, B007EmptyFiles) {
  for (const char* name : {"empty.jsonl.gz", "empty.jsonl.zst", "zero.jsonl"}) {
    EXPECT_THAT(read((std::string("B007/") + name).c_str()).note_kinds(),
                ElementsAre("valid_empty"));
  }
  for (const char* name : {"zero.jsonl.gz", "zero.jsonl.zst"}) {
    EXPECT_THAT(read((std::string("B007/") + name).c_str()).note_kinds(),
                ElementsAre("empty_file"));
  }
}

TEST_F(JsonlCasesTest, B008RecordLongerThanTheBlock) {
  const Seen huge = read("B008/huge.jsonl.gz");
  ASSERT_EQ(huge.sink.documents.size(), 3u);
  std::size_t characters = 0;
  for (const char c : huge.sink.documents[1].text) characters += (c & 0xC0) != 0x80 ? 1 : 0;
  EXPECT_EQ(characters, 19573414u);
  const Seen limited = read("B008/huge.jsonl.gz", {.max_record_bytes = 16 << 20});
  EXPECT_EQ(limited.sink.documents.size(), 2u);
  EXPECT_THAT(limited.sink.reasons(), ElementsAre("record_too_long"));
  EXPECT_EQ(limited.sink.rejections[0].offset, 30u);
  EXPECT_EQ(limited.sink.rejections[0].line, 2u);
}

TEST_F(JsonlCasesTest, B009NullsFirst) {
  for (const char* name : {"B009/null_first.jsonl.gz", "B009/string_first.jsonl.gz"}) {
    const Seen rows = read(name);
    EXPECT_EQ(rows.sink.documents.size(), 20001u);
    std::size_t licensed = 0;
    for (const SeenDocument& row : rows.sink.documents) {
      licensed += row.meta.find("\"MIT\"") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(licensed, 1u);
  }
}

TEST_F(JsonlCasesTest, B010MixedTypes) {
  EXPECT_EQ(read("B010/in.jsonl").sink.documents.size(), 5u);
}

TEST_F(JsonlCasesTest, B012UnpairedSurrogates) {
  const Seen surrogates = read("B012/in.jsonl");
  EXPECT_THAT(surrogates.sink.texts(),
              ElementsAre("ok 😀 pair", std::string("nul \0 inside", 12), "𠮷 is one character"));
  EXPECT_THAT(surrogates.sink.reasons(),
              ElementsAre("unpaired_surrogate", "unpaired_surrogate", "unpaired_surrogate"));
}

TEST_F(JsonlCasesTest, B013DeclaredEncoding) {
  const std::vector<std::string> utf8 = read("B013/utf8.jsonl").sink.texts();
  EXPECT_EQ(utf8.size(), 3u);
  EXPECT_EQ(read("B013/gb18030.jsonl", {.encoding = "gb18030"}).sink.texts(), utf8);
}

}  // namespace
}  // namespace headrace::read
