// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_folder.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

std::string utf16_big(std::string_view ascii) {
  std::string out;
  for (const char c : ascii) {
    out += '\0';
    out += c;
  }
  return out;
}

class PlainTextTest : public testing::Test {
 protected:
  Seen read(std::string_view bytes, const std::string& documents,
            std::uint64_t target_bytes = 1 << 20, std::uint64_t max_record_bytes = 1 << 20,
            const std::string& encoding = "auto") {
    return read_all(
        "text", folder_.put("x.txt", bytes),
        {.documents = documents, .encoding = encoding, .max_record_bytes = max_record_bytes},
        &decoders_, target_bytes);
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(PlainTextTest, WholeFile) {
  const Seen seen = read("one\r\n\n第二\u2028行\n", "file", 1);
  EXPECT_EQ(seen.splits, 1u);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("one\r\n\n第二\u2028行\n"));
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 0).value);
  EXPECT_EQ(seen.sink.documents[0].line, 1u);
  EXPECT_EQ(seen.sink.documents[0].meta, "");
  EXPECT_EQ(seen.counts.lines, 3u);
  EXPECT_EQ(seen.counts.encoding, "utf-8");
  EXPECT_THAT(read("\xEF\xBB\xBFmarked", "file").sink.texts(), ElementsAre("marked"));
  EXPECT_THAT(read(" \n", "file").sink.texts(), ElementsAre(" \n"));
}

TEST_F(PlainTextTest, EmptyFileHoldsNoDocument) {
  for (const char* documents : {"file", "paragraph", "line"}) {
    const Seen seen = read("", documents);
    EXPECT_THAT(seen.sink.texts(), IsEmpty());
    EXPECT_THAT(seen.note_kinds(), ElementsAre("valid_empty")) << documents;
  }
}

TEST_F(PlainTextTest, WholeFileThatCannotBeRead) {
  EXPECT_THAT(read("第一 \xFF", "file").sink.reasons(), ElementsAre("invalid_utf8"));
  decoders_.evidence = {"gb18030", 0.5, "detected", {"gb18030"}};
  EXPECT_THAT(read("\xCA\xFD\xBE\xDD", "file").sink.reasons(),
              ElementsAre("undetermined_encoding"));
  EXPECT_THAT(read("\xCA\xFD\xBE\xDD", "file", 1, 100, "gb18030").sink.texts(),
              ElementsAre("数据"));
  EXPECT_THAT(read("\xFF", "file", 1, 100, "gb18030").sink.reasons(), ElementsAre("undecodable"));

  const Seen too_long = read(std::string(3 << 20, 'x'), "file", 1, 1 << 20);
  EXPECT_THAT(too_long.sink.reasons(), ElementsAre("record_too_long"));
  EXPECT_EQ(too_long.sink.rejections[0].kind, Rejection::kDrop);
  EXPECT_LE(too_long.sink.rejections[0].bytes.size(), std::size_t{1} << 17);
  EXPECT_EQ(too_long.counts.bytes, std::uint64_t{3} << 20);
  EXPECT_EQ(read(std::string(100, 'x'), "file", 1, 100).sink.documents.size(), 1u);
}

TEST_F(PlainTextTest, CutOffArchive) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "line " + std::to_string(i * 7919) + "\n\n";
  const std::string packed = zstd(text);
  const std::string cut = packed.substr(0, packed.size() * 8 / 10);
  const Seen file = read(cut, "file");
  EXPECT_THAT(file.sink.texts(), IsEmpty());
  EXPECT_THAT(file.sink.reasons(), ElementsAre("truncated"));
  EXPECT_THAT(file.note_kinds(), ElementsAre("truncated"));
  for (const char* documents : {"line", "paragraph"}) {
    const Seen lines = read(cut, documents);
    EXPECT_GT(lines.sink.documents.size(), 1000u);
    EXPECT_LE(lines.sink.rejections.size(), 1u);
    EXPECT_THAT(lines.note_kinds(), ElementsAre("truncated"));
  }
}

TEST_F(PlainTextTest, Lines) {
  const Seen seen = read("one\r\n\n \t\n第二行\nlast", "line");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("one", "第二行", "last"));
  EXPECT_EQ(seen.counts.lines, 5u);
  EXPECT_EQ(seen.counts.blank_lines, 2u);
  EXPECT_EQ(seen.sink.documents[1].id, DocumentId::make(3, 9).value);
  EXPECT_EQ(seen.sink.documents[1].line, 4u);
}

TEST_F(PlainTextTest, AnySplitOfLinesGivesTheSame) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    bytes += std::string(static_cast<std::size_t>(i * i % 47), 'x') +
             (i % 9 == 0 ? "第\xE6\n" : "第\r\n");
  }
  const Seen whole = read(bytes, "line", 1 << 20, 40);
  ASSERT_GT(whole.sink.rejections.size(), 10u);
  for (const std::uint64_t target : {1, 2, 3, 7, 50, 333, 1000}) {
    const Seen cut = read(bytes, "line", target, 40);
    EXPECT_GT(cut.splits, 1u);
    EXPECT_EQ(cut.sink.documents, whole.sink.documents);
    EXPECT_EQ(cut.sink.rejections, whole.sink.rejections);
    EXPECT_EQ(cut.counts.lines, whole.counts.lines);
    EXPECT_EQ(cut.counts.bytes, bytes.size());
  }
}

TEST_F(PlainTextTest, Paragraphs) {
  const Seen seen = read("\n\none\r\ntwo\r\n \r\n第三\n\n\nlast", "paragraph", 1);
  EXPECT_EQ(seen.splits, 1u);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("one\r\ntwo", "第三", "last"));
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 2).value);
  EXPECT_EQ(seen.sink.documents[0].line, 3u);
  EXPECT_EQ(seen.sink.documents[1].id, DocumentId::make(3, 15).value);
  EXPECT_EQ(seen.counts.blank_lines, 5u);
  EXPECT_EQ(seen.counts.lines, 9u);
}

TEST_F(PlainTextTest, ParagraphIsTheUnitOfLoss) {
  const Seen seen = read("第一\nbad \xFF\nline\n\n第二\n", "paragraph");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("第二"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("invalid_utf8"));
  EXPECT_EQ(seen.sink.rejections[0].bytes, "第一\nbad \xFF\nline");

  const Seen too_long = read("aaaa\nbbbb\ncccc\n\nshort\n", "paragraph", 1, 9);
  EXPECT_THAT(too_long.sink.texts(), ElementsAre("short"));
  EXPECT_THAT(too_long.sink.reasons(), ElementsAre("record_too_long"));
  EXPECT_EQ(read("aaaa\nbbbb\n\n", "paragraph", 1, 9).sink.documents.size(), 1u);
}

TEST_F(PlainTextTest, ParagraphsOfUtf16) {
  decoders_.evidence = {"utf-16be", 1.0, "byte order mark", {}};
  const Seen seen = read("\xFE\xFF" + utf16_big("one\r\ntwo\r\n \r\nthree\n"), "paragraph");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("one\r\ntwo", "three"));
}

TEST_F(PlainTextTest, UnknownUnitIsRefused) {
  const auto reader = registry().find("text")->make({.documents = "sentence"}, decoders_);
  ASSERT_FALSE(reader);
  EXPECT_NE(reader.error().message().find("sentence"), std::string::npos);
}

TEST_F(PlainTextTest, Extensions) {
  for (const char* path : {"a.txt", "a.TXT.gz", "README.md", "b.text"}) {
    ASSERT_NE(registry().for_path(path), nullptr) << path;
    EXPECT_EQ(registry().for_path(path)->name, "text");
  }
}

}  // namespace
}  // namespace headrace::read
