// SPDX-License-Identifier: Apache-2.0
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "base/counter_rng.h"
#include "io/file.h"
#include "io/test_folder.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

using Fields = std::vector<std::shared_ptr<arrow::Field>>;

std::shared_ptr<arrow::Array> column(const std::shared_ptr<arrow::DataType>& type,
                                     const std::string& json) {
  auto array = arrow::json::ArrayFromJSONString(type, json);
  EXPECT_TRUE(array.ok()) << array.status().message();
  return *array;
}

class ParquetTest : public testing::Test {
 protected:
  std::string write(const Fields& fields, const arrow::ArrayVector& columns,
                    std::int64_t rows_per_group = 1000) {
    const auto table = arrow::Table::Make(arrow::schema(fields), columns);
    auto file = *arrow::io::FileOutputStream::Open(folder_ / "x.parquet");
    const auto status = parquet::arrow::WriteTable(
        *table, arrow::default_memory_pool(), file, rows_per_group,
        parquet::WriterProperties::Builder()
            .compression(parquet::Compression::ZSTD)
            ->enable_page_checksum()
            ->build(),
        parquet::ArrowWriterProperties::Builder().store_schema()->build());
    EXPECT_TRUE(status.ok() && file->Close().ok()) << status.message();
    return folder_ / "x.parquet";
  }

  // `count` rows of text "t0", "t1" ... and their number.
  std::string write_rows(int count, int rows_per_group) {
    const CounterRng rng(5, purpose("rows"));
    arrow::StringBuilder texts;
    arrow::Int64Builder numbers;
    for (int i = 0; i < count; ++i) {
      // Does not compress, so that pages are most of the file.
      std::string text = "t" + std::to_string(i) + "x";
      for (std::uint64_t j = 0; j < 20; ++j) {
        text += std::to_string(rng.at(static_cast<std::uint64_t>(i) * 20 + j));
      }
      EXPECT_TRUE(texts.Append(text).ok());
      EXPECT_TRUE(numbers.Append(i).ok());
    }
    return write({arrow::field("n", arrow::int64()), arrow::field("text", arrow::utf8())},
                 {*numbers.Finish(), *texts.Finish()}, rows_per_group);
  }

  io::TestFolder folder_;
};

TEST_F(ParquetTest, TextAndTheOtherColumnsAsJson) {
  const auto tags = arrow::list(arrow::utf8());
  const auto inner =
      arrow::struct_({arrow::field("a", arrow::int32()), arrow::field("b", arrow::boolean())});
  const std::string path =
      write({arrow::field("id", arrow::uint64()), arrow::field("text", arrow::utf8()),
             arrow::field("score", arrow::float64()), arrow::field("f", arrow::float32()),
             arrow::field("tags", tags), arrow::field("meta", inner),
             arrow::field("when", arrow::timestamp(arrow::TimeUnit::SECOND, "UTC")),
             arrow::field("price", arrow::decimal128(30, 2)), arrow::field("none", arrow::null()),
             arrow::field("map", arrow::map(arrow::utf8(), arrow::int8()))},
            {column(arrow::uint64(), "[18446744073709551615, 2]"),
             column(arrow::utf8(), R"(["第一", ""])"), column(arrow::float64(), "[1.0, 0.1]"),
             column(arrow::float32(), "[0.1, null]"), column(tags, R"([["a\"b", null], []])"),
             column(inner, R"([{"a":1,"b":true}, null])"),
             column(arrow::timestamp(arrow::TimeUnit::SECOND, "UTC"), "[0, null]"),
             column(arrow::decimal128(30, 2), R"(["1234567890123456789012345.67", null])"),
             column(arrow::null(), "[null, null]"),
             column(arrow::map(arrow::utf8(), arrow::int8()), R"([[["k", 1]], []])")});
  const Seen seen = read_all("parquet", path);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("第一", ""));
  ASSERT_EQ(seen.sink.documents.size(), 2u);
  EXPECT_EQ(seen.sink.documents[0].meta,
            R"({"id":18446744073709551615,"score":1.0,"f":0.1,"tags":["a\"b",null],)"
            R"("meta":{"a":1,"b":true},"when":"1970-01-01 00:00:00.000Z",)"
            R"("price":1234567890123456789012345.67,"none":null,"map":[["k",1]]})");
  EXPECT_EQ(seen.sink.documents[1].meta,
            R"({"id":2,"score":0.1,"f":null,"tags":[],"meta":null,"when":null,"price":null,)"
            R"("none":null,"map":[]})");
  EXPECT_EQ(seen.sink.documents[1].id, DocumentId::make(3, 1).value);
  EXPECT_EQ(seen.sink.documents[1].line, 0u);
  EXPECT_EQ(seen.counts.encoding, "");
  EXPECT_EQ(seen.counts.lines, 0u);
}

TEST_F(ParquetTest, DecimalsKeepAllDigits) {
  struct Case {
    std::shared_ptr<arrow::DataType> type;
    const char* value;
    const char* json;
  };
  const Case kCases[] = {
      {arrow::decimal128(38, 0), "-99999999999999999999999999999999999999",
       "-99999999999999999999999999999999999999"},
      {arrow::decimal128(38, 37), "1.2345678901234567890123456789012345678",
       "1.2345678901234567890123456789012345678"},
      {arrow::decimal128(9, 9), "0.000000001", "1E-9"},
      {arrow::decimal128(10, 2), "0.10", "0.10"},
      {arrow::decimal256(76, 10),
       "123456789012345678901234567890123456789012345678901234567890.2500000000",
       "123456789012345678901234567890123456789012345678901234567890.2500000000"}};
  for (const Case& test : kCases) {
    const std::string path =
        write({arrow::field("text", arrow::utf8()), arrow::field("n", test.type)},
              {column(arrow::utf8(), R"(["t"])"),
               column(test.type, std::string("[\"") + test.value + "\"]")});
    const Seen seen = read_all("parquet", path);
    ASSERT_EQ(seen.sink.documents.size(), 1u);
    EXPECT_EQ(seen.sink.documents[0].meta, std::string("{\"n\":") + test.json + "}");
  }
}

TEST_F(ParquetTest, NotFiniteAndBinary) {
  arrow::DoubleBuilder numbers;
  arrow::BinaryBuilder bytes;
  ASSERT_TRUE(numbers.AppendValues({std::numeric_limits<double>::quiet_NaN(), 1e300}).ok());
  ASSERT_TRUE(bytes.Append("plain").ok() && bytes.Append("\xFF\x01").ok());
  const std::string path =
      write({arrow::field("text", arrow::utf8()), arrow::field("n", arrow::float64()),
             arrow::field("b", arrow::binary())},
            {column(arrow::utf8(), R"(["a", "b"])"), *numbers.Finish(), *bytes.Finish()});
  const Seen seen = read_all("parquet", path);
  EXPECT_EQ(seen.sink.documents[0].meta, R"({"n":null,"b":"plain"})");
  EXPECT_EQ(seen.sink.documents[1].meta, R"({"n":1e+300,"b":{"base64":"/wE="}})");
}

TEST_F(ParquetTest, AnySplitGivesTheSame) {
  const std::string path = write_rows(1000, 70);
  const Seen whole = read_all("parquet", path, {}, nullptr, 1 << 30);
  EXPECT_EQ(whole.splits, 1u);
  ASSERT_EQ(whole.sink.documents.size(), 1000u);
  EXPECT_EQ(whole.sink.documents[999].meta, R"({"n":999})");
  EXPECT_EQ(whole.sink.documents[999].id, DocumentId::make(3, 999).value);
  const Seen each = read_all("parquet", path, {}, nullptr, 1);
  EXPECT_EQ(each.splits, 15u);
  EXPECT_EQ(each.sink.documents, whole.sink.documents);
  const Seen some = read_all("parquet", path, {}, nullptr, io::file_info(path)->bytes / 8);
  EXPECT_GT(some.splits, 2u);
  EXPECT_LT(some.splits, 15u);
  EXPECT_EQ(some.sink.documents, whole.sink.documents);
}

TEST_F(ParquetTest, KeepReadsOnlyWhatIsNamed) {
  const auto meta =
      arrow::struct_({arrow::field("date", arrow::utf8()), arrow::field("lang", arrow::utf8())});
  const std::string path =
      write({arrow::field("x", arrow::int64()), arrow::field("meta", meta),
             arrow::field("text", arrow::utf8()), arrow::field("url", arrow::utf8())},
            {column(arrow::int64(), "[1, 2]"), column(meta, R"([{"date":"d","lang":"zh"}, null])"),
             column(arrow::utf8(), R"(["a", "b"])"), column(arrow::utf8(), R"(["u", null])")});
  const Seen seen =
      read_all("parquet", path, {.keep = {"url", "meta.date", "none"}, .keep_all = false});
  EXPECT_EQ(seen.sink.documents[0].meta, R"({"url":"u","meta.date":"d"})");
  EXPECT_EQ(seen.sink.documents[1].meta, R"({"url":null})");
  const Seen none = read_all("parquet", path, {.keep = {}, .keep_all = false});
  EXPECT_EQ(none.sink.documents[0].meta, "");
}

TEST_F(ParquetTest, TextInsideStructs) {
  const auto meta = arrow::struct_(
      {arrow::field("k", arrow::int64()), arrow::field("text", arrow::large_utf8())});
  const std::string path =
      write({arrow::field("doc", meta)},
            {column(meta, R"([{"k":1,"text":"a"}, {"k":2,"text":null}, null])")});
  const Seen seen = read_all("parquet", path, {.text_field = "doc.text"});
  EXPECT_THAT(seen.sink.texts(), ElementsAre("a"));
  EXPECT_EQ(seen.sink.documents[0].meta, R"({"doc":{"k":1}})");
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("text_null", "text_missing"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kDrop);
  EXPECT_EQ(seen.sink.rejections[0].offset, 1u);
}

TEST_F(ParquetTest, RowsWithoutText) {
  const std::string path =
      write({arrow::field("n", arrow::int64()), arrow::field("text", arrow::utf8())},
            {column(arrow::int64(), "[1, 2]"), column(arrow::utf8(), R"(["a", null])")});
  EXPECT_THAT(read_all("parquet", path).sink.reasons(), ElementsAre("text_null"));
  EXPECT_THAT(read_all("parquet", path, {.text_field = "n"}).sink.reasons(),
              ElementsAre("text_not_string", "text_not_string"));
  for (const bool keep_all : {true, false}) {
    const Seen seen = read_all("parquet", path, {.text_field = "content", .keep_all = keep_all});
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("text_missing", "text_missing"));
    EXPECT_THAT(seen.sink.texts(), IsEmpty());
  }
}

TEST_F(ParquetTest, BadTextIsTheRowsAlone) {
  arrow::BinaryBuilder texts;
  ASSERT_TRUE(texts.Append("good").ok() && texts.Append("bad \xFF").ok() &&
              texts.Append(std::string(500, 'x')).ok() && texts.Append("last").ok());
  const auto bytes = *texts.Finish();
  // As the text column of a careless writer has it.
  const auto strings = *bytes->View(arrow::utf8());
  const std::string path = write({arrow::field("text", arrow::utf8())}, {strings});
  const Seen seen = read_all("parquet", path, {.max_record_bytes = 100});
  EXPECT_THAT(seen.sink.texts(), ElementsAre("good", "last"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("invalid_utf8", "record_too_long"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
  EXPECT_EQ(seen.sink.rejections[0].bytes, "bad \xFF");
}

TEST_F(ParquetTest, DictionaryColumns) {
  const auto type = arrow::dictionary(arrow::int32(), arrow::utf8());
  const auto dictionary = *arrow::DictionaryArray::FromArrays(
      type, column(arrow::int32(), "[1, 0, null]"), column(arrow::utf8(), R"(["a", "b"])"));
  const std::string path =
      write({arrow::field("text", type), arrow::field("d", type)}, {dictionary, dictionary});
  const Seen seen = read_all("parquet", path);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("b", "a"));
  EXPECT_EQ(seen.sink.documents[0].meta, R"({"d":"b"})");
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("text_null"));
}

TEST_F(ParquetTest, FilesThatAreNone) {
  const std::string good = io::read_file(write_rows(100, 50)).value();
  const Seen cut = read_all("parquet", folder_.put("cut.parquet", good.substr(0, good.size() / 2)));
  EXPECT_THAT(cut.sink.reasons(), ElementsAre("truncated"));
  EXPECT_EQ(cut.sink.rejections[0].kind, Rejection::kQuarantine);
  EXPECT_THAT(cut.note_kinds(), ElementsAre("truncated"));
  const Seen other = read_all("parquet", folder_.put("other.parquet", "{\"text\":\"a\"}\n"));
  EXPECT_THAT(other.sink.reasons(), ElementsAre("not_parquet"));
  EXPECT_THAT(other.note_kinds(), ElementsAre("corrupt"));
  EXPECT_THAT(read_all("parquet", folder_.put("zero.parquet", "")).note_kinds(),
              ElementsAre("empty_file"));
  EXPECT_THAT(read_all("parquet", write_rows(0, 50)).note_kinds(), ElementsAre("valid_empty"));
  const auto reader = registry().find("parquet")->make({}, TestDecoders()).value();
  EXPECT_EQ(reader->split(folder_ / "missing", 0, 100).error().code(), Code::kNotFound);
}

TEST_F(ParquetTest, DamagedPagesCostTheirRowGroupOnly) {
  const std::string path = write_rows(300, 100);
  std::string bytes = io::read_file(path).value();
  // Inside the pages of the second group: the file is three groups and a footer.
  const std::size_t from = bytes.size() / 2;
  for (std::size_t i = from; i < from + 60; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  const Seen seen = read_all("parquet", folder_.put("damaged.parquet", bytes));
  EXPECT_EQ(seen.sink.documents.size() + seen.sink.rejections.size(), 300u);
  EXPECT_GE(seen.sink.documents.size(), 200u);
  EXPECT_GE(seen.sink.rejections.size(), 1u);
  EXPECT_THAT(seen.sink.reasons(), Each("corrupt"));
  EXPECT_THAT(seen.note_kinds(), ElementsAre("corrupt"));
  for (const SeenDocument& document : seen.sink.documents) {
    EXPECT_EQ(document.text.substr(0, document.text.find('x')),
              "t" + std::to_string(DocumentId{document.id}.place()));
  }
}

}  // namespace
}  // namespace headrace::read
