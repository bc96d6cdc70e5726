// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_folder.h"
#include "read/internal/archive_test_support.h"
#include "read/internal/csv_rows.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CsvTest : public testing::Test {
 protected:
  Seen read(std::string_view bytes, std::string_view name = "x.csv",
            const ReadOptions& options = {}) {
    return read_all("csv", folder_.put(name, bytes), options, &decoders_, 1);
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(CsvTest, RowsAndTheirOtherFields) {
  const Seen seen = read(
      "\xEF\xBB\xBFid,text,\"a, \"\"b\"\"\"\r\n"
      "12345678901234567890,第一,2024-01-02\r\n"
      "\r\n"
      "007,\"two\r\nlines, \"\"quoted\"\"\",\"\"\r\n"
      "x,last,\"1.0\"");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("第一", "two\r\nlines, \"quoted\"", "last"));
  ASSERT_EQ(seen.sink.documents.size(), 3u);
  EXPECT_EQ(seen.sink.documents[0].meta,
            R"({"id":"12345678901234567890","a, \"b\"":"2024-01-02"})");
  EXPECT_EQ(seen.sink.documents[1].meta, R"({"id":"007","a, \"b\"":""})");
  EXPECT_EQ(seen.sink.documents[2].meta, R"({"id":"x","a, \"b\"":"1.0"})");
  EXPECT_EQ(seen.sink.documents[1].line, 4u);
  EXPECT_EQ(seen.sink.documents[2].line, 6u);
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 23).value);
  EXPECT_EQ(seen.counts.lines, 6u);
  EXPECT_EQ(seen.counts.blank_lines, 1u);
  EXPECT_EQ(seen.splits, 1u);
}

TEST_F(CsvTest, TabsByTheExtension) {
  const Seen seen = read(gzip("text\tn\n\t\na, b\t1\n\"x\ty\"\t2\n"), "x.tsv.gz");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("", "a, b", "x\ty"));
  EXPECT_EQ(seen.sink.documents[2].meta, R"({"n":"2"})");
}

TEST_F(CsvTest, KeepAndTextField) {
  const Seen seen =
      read("a,b,c\n1,2,3\n", "x.csv", {.text_field = "b", .keep = {"c"}, .keep_all = false});
  EXPECT_THAT(seen.sink.texts(), ElementsAre("2"));
  EXPECT_EQ(seen.sink.documents[0].meta, R"({"c":"3"})");
  const Seen missing = read("a,b\n1,2\n3,4\n");
  EXPECT_THAT(missing.sink.reasons(), ElementsAre("text_missing", "text_missing"));
  EXPECT_EQ(missing.sink.rejections[0].bytes, R"({"a":"1","b":"2"})");
}

TEST_F(CsvTest, BadRowsCostThemselves) {
  const Seen seen =
      read("text,n\na,1\nb\nc,2,3\n\"d\"x,4\ne \"quoted\" inside,5\nf \xFF,6\n\"g\n\"\"\",7\nh,8\n",
           "x.csv", {.encoding = "utf-8"});
  EXPECT_THAT(seen.sink.texts(), ElementsAre("a", "e \"quoted\" inside", "g\n\"", "h"));
  EXPECT_THAT(seen.sink.reasons(),
              ElementsAre("ragged_row", "ragged_row", "bad_quotes", "invalid_utf8"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
  EXPECT_EQ(seen.sink.rejections[0].line, 3u);
  EXPECT_EQ(seen.sink.rejections[0].offset, 11u);
  EXPECT_EQ(seen.sink.rejections[0].bytes, "b");
  EXPECT_THAT(seen.sink.rejections[1].detail, HasSubstr("line 4 has 3 fields"));
}

TEST_F(CsvTest, QuotesThatDoNotClose) {
  const Seen seen = read("text,n\na,1\n\"b,2\nc,3\nd,4\n");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("a"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("unclosed_quote"));
  EXPECT_EQ(seen.sink.rejections[0].bytes, "\"b,2\nc,3\nd,4");
  EXPECT_EQ(seen.sink.rejections[0].line, 3u);
  const Seen header = read("\"text,n\na,1\n");
  EXPECT_THAT(header.sink.reasons(), ElementsAre("unclosed_quote"));
}

TEST_F(CsvTest, FilesOfOneRow) {
  const Seen named = read("\n\ntext,n\n\n");
  EXPECT_THAT(named.sink.reasons(), ElementsAre());
  EXPECT_THAT(named.note_kinds(), ElementsAre("valid_empty"));
  EXPECT_EQ(named.counts.blank_lines, 3u);
  // It may be a row of a file without names: it is not passed over in silence.
  const Seen other = read("\n\n1,2");
  EXPECT_THAT(other.sink.reasons(), ElementsAre("bad_header"));
  EXPECT_EQ(other.sink.rejections[0].kind, Rejection::kQuarantine);
  EXPECT_EQ(other.sink.rejections[0].bytes, "1,2");
  EXPECT_EQ(other.sink.rejections[0].offset, 2u);
  EXPECT_EQ(other.sink.rejections[0].line, 3u);
  EXPECT_THAT(read("a,b\n\xFF\n", "x.csv", {.encoding = "utf-8"}).sink.reasons(),
              ElementsAre("invalid_utf8"));
  EXPECT_THAT(read(std::string("text\n\r\0\n", 8), "x.csv", {.encoding = "utf-8"}).sink.texts(),
              ElementsAre(std::string("\r\0", 2)));
  // Behind empty lines the names are names.
  EXPECT_THAT(read("\n\r\ntext\na\n").sink.texts(), ElementsAre("a"));
}

TEST_F(CsvTest, ColumnsOfOneName) {
  const Seen seen = read("text,n,text\na,1,b\n");
  EXPECT_THAT(seen.sink.texts(), ElementsAre());
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("bad_header", "bad_header"));
  EXPECT_THAT(seen.sink.rejections[0].detail, HasSubstr("two columns are named 'text'"));
  EXPECT_EQ(seen.sink.rejections[1].bytes, "a,1,b");
  EXPECT_EQ(read("text,n,n\na,1,2\n").sink.documents[0].meta, R"({"n":"1","n":"2"})");
}

TEST_F(CsvTest, LinesThatEndInCarriageReturnsAlone) {
  const Seen seen = read("text,n\ra,1\rb,2\r");
  EXPECT_THAT(seen.sink.texts(), ElementsAre());
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("bad_header"));
  EXPECT_THAT(seen.sink.rejections[0].detail, HasSubstr("CR alone"));
}

TEST_F(CsvTest, HugeRowsAreDroppedAndTheirQuotesFollowed) {
  const std::string inside = "text,n\n1\n";
  const Seen seen =
      read("text,n\n\"" + inside + std::string(100, 'x') + "\n" + inside + "\",1\nb,2\n", "x.csv",
           {.max_record_bytes = 60});
  EXPECT_THAT(seen.sink.texts(), ElementsAre("b"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("record_too_long"));
  const Seen line =
      read("text,n\n" + std::string(100, 'x') + ",1\nb,2\n", "x.csv", {.max_record_bytes = 60});
  EXPECT_THAT(line.sink.texts(), ElementsAre("b"));
  EXPECT_THAT(line.sink.reasons(), ElementsAre("record_too_long"));
}

TEST_F(CsvTest, OtherEncodings) {
  const Seen gbk =
      read("text,n\n\xCA\xFD\xBE\xDD,\"\xC7\xE5\"\n", "x.csv", {.encoding = "gb18030"});
  EXPECT_THAT(gbk.sink.texts(), ElementsAre("数据"));
  EXPECT_EQ(gbk.sink.documents[0].meta, R"({"n":"清"})");
  EXPECT_EQ(gbk.counts.encoding, "gb18030");
  std::string utf16 = "\xFF\xFE";
  for (const char c : std::string_view("text,n\r\n\"a\nb\"\"\",1\r\n\r\nc,2\r\n")) {
    utf16 += c;
    utf16 += '\0';
  }
  const Seen wide = read(utf16, "x.csv", {.encoding = "utf-16le"});
  EXPECT_THAT(wide.sink.texts(), ElementsAre("a\nb\"", "c"));
  EXPECT_EQ(wide.sink.documents[1].meta, R"({"n":"2"})");
  EXPECT_EQ(wide.counts.blank_lines, 1u);
}

TEST_F(CsvTest, Ends) {
  EXPECT_THAT(read("").note_kinds(), ElementsAre("valid_empty"));
  EXPECT_THAT(read("text,n\n").sink.documents, IsEmpty());
  const std::string zipped = gzip("text,n\na,1\n" + std::string(200, 'x') + ",2\n");
  const Seen cut = read(zipped.substr(0, zipped.size() - 12), "x.csv.gz");
  EXPECT_THAT(cut.note_kinds(), ElementsAre("truncated"));
  EXPECT_EQ(cut.sink.documents.size() + cut.sink.rejections.size(), 2u);
}

TEST(CsvFieldsTest, Table) {
  struct Case {
    const char* row;
    std::vector<std::string_view> fields;
  };
  const Case cases[] = {{"", {""}},
                        {",", {"", ""}},
                        {"a,", {"a", ""}},
                        {"\"\",\"\"\"\"", {"", "\""}},
                        {"\"a\"\"b\"\"c\",d", {"a\"b\"c", "d"}},
                        {" \"a\" ,b", {" \"a\" ", "b"}},
                        {"\"a,b\",", {"a,b", ""}}};
  CsvFields fields(',');
  for (const Case& one : cases) {
    EXPECT_TRUE(fields.cut(one.row)) << one.row;
    EXPECT_EQ(fields.fields(), one.fields) << one.row;
  }
  for (const char* bad : {"\"a", "\"a\"b", "a,\"b\" ,c", "\"\"\""}) EXPECT_FALSE(fields.cut(bad));
}

}  // namespace
}  // namespace headrace::read
