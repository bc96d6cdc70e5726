// SPDX-License-Identifier: Apache-2.0
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/json/from_string.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/test_folder.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ArrowTest : public testing::Test {
 protected:
  enum Form { kFile, kStream };

  // `batches` of JSON rows of one type.
  std::string write(const std::shared_ptr<arrow::Schema>& schema,
                    const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                    Form form = kFile, bool compress = false) {
    const std::string path = folder_ / (form == kFile ? "x.arrow" : "x.ipc");
    auto sink = *arrow::io::FileOutputStream::Open(path);
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    if (compress) options.codec = *arrow::util::Codec::Create(arrow::Compression::ZSTD);
    auto writer = form == kFile ? *arrow::ipc::MakeFileWriter(sink, schema, options)
                                : *arrow::ipc::MakeStreamWriter(sink, schema, options);
    for (const auto& batch : batches) EXPECT_TRUE(writer->WriteRecordBatch(*batch).ok());
    EXPECT_TRUE(writer->Close().ok() && sink->Close().ok());
    return path;
  }

  static std::shared_ptr<arrow::RecordBatch> batch(const std::shared_ptr<arrow::Schema>& schema,
                                                   const std::string& json) {
    const auto rows = *arrow::json::ArrayFromJSONString(arrow::struct_(schema->fields()), json);
    return *arrow::RecordBatch::FromStructArray(rows);
  }

  // Batches of 1, 2, 3 ... rows, numbered through.
  std::string write_numbered(int count, Form form = kFile, bool compress = false) {
    const auto schema =
        arrow::schema({arrow::field("text", arrow::utf8()), arrow::field("n", arrow::int64())});
    std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
    int n = 0;
    for (int i = 0; i < count; ++i) {
      std::string json = "[";
      for (int k = 0; k <= i; ++k, ++n) {
        json += fmt::format(R"({}["t{}",{}])", k > 0 ? "," : "", n, n);
      }
      batches.push_back(batch(schema, json + "]"));
    }
    return write(schema, batches, form, compress);
  }

  io::TestFolder folder_;
};

TEST_F(ArrowTest, RowsOfFilesAndStreams) {
  const auto schema =
      arrow::schema({arrow::field("id", arrow::uint64()), arrow::field("text", arrow::large_utf8()),
                     arrow::field("tags", arrow::list(arrow::utf8()))});
  const auto rows = batch(schema, R"([[18446744073709551615, "第一", ["a", null]],
                                      [2, null, []], [null, "", null]])");
  for (const Form form : {kFile, kStream}) {
    for (const bool compress : {false, true}) {
      const Seen seen = read_all("arrow", write(schema, {rows, rows}, form, compress));
      EXPECT_THAT(seen.sink.texts(), ElementsAre("第一", "", "第一", ""));
      ASSERT_EQ(seen.sink.documents.size(), 4u);
      EXPECT_EQ(seen.sink.documents[0].meta, R"({"id":18446744073709551615,"tags":["a",null]})");
      EXPECT_EQ(seen.sink.documents[1].meta, R"({"id":null,"tags":null})");
      EXPECT_EQ(seen.sink.documents[3].id, DocumentId::make(3, 5).value);
      EXPECT_THAT(seen.sink.reasons(), ElementsAre("text_null", "text_null"));
      EXPECT_THAT(seen.note_kinds(), IsEmpty());
    }
  }
  const Seen some = read_all("arrow", write(schema, {rows}), {.keep = {"id"}, .keep_all = false});
  EXPECT_EQ(some.sink.documents[0].meta, R"({"id":18446744073709551615})");
  const Seen none = read_all("arrow", write(schema, {rows}),
                             {.text_field = "content", .keep = {}, .keep_all = false});
  EXPECT_THAT(none.sink.reasons(), ElementsAre("text_missing", "text_missing", "text_missing"));
}

// The JSON of one value in each of some columns.
TEST_F(ArrowTest, NumbersAndTimesAsJson) {
  using arrow::TimeUnit;
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  struct Case {
    std::shared_ptr<arrow::DataType> type;
    std::int64_t value;
    const char* json;
  };
  const Case kCases[] = {
      {arrow::timestamp(TimeUnit::SECOND), -1, R"("1969-12-31 23:59:59")"},
      {arrow::timestamp(TimeUnit::MILLI), 1, R"("1970-01-01 00:00:00.001")"},
      {arrow::timestamp(TimeUnit::MICRO), 1, R"("1970-01-01 00:00:00.000001")"},
      {arrow::timestamp(TimeUnit::NANO), kMax, R"("2262-04-11 23:47:16.854775807")"},
      {arrow::timestamp(TimeUnit::NANO), kMin, R"("1677-09-21 00:12:43.145224192")"},
      {arrow::timestamp(TimeUnit::SECOND, "UTC"), 0, R"("1970-01-01 00:00:00Z")"},
      {arrow::timestamp(TimeUnit::SECOND, "Asia/Shanghai"), 0, R"("1970-01-01 00:00:00Z")"},
      {arrow::timestamp(TimeUnit::SECOND, "no/such/zone"), 0, R"("1970-01-01 00:00:00Z")"},
      {arrow::timestamp(TimeUnit::SECOND), kMax, "9223372036854775807"},
      {arrow::timestamp(TimeUnit::MICRO), kMin, "-9223372036854775808"},
      {arrow::date32(), -1, R"("1969-12-31")"},
      {arrow::date32(), 2147483647, "2147483647"},
      {arrow::date64(), 86'400'000, R"("1970-01-02")"},
      {arrow::date64(), -1, "-1"},
      {arrow::time32(TimeUnit::SECOND), 86'399, R"("23:59:59")"},
      {arrow::time32(TimeUnit::SECOND), 86'400, "86400"},
      {arrow::time64(TimeUnit::NANO), -1, "-1"},
      {arrow::float16(), 0x3E00, "1.5"},
      {arrow::decimal32(9, 2), -123456789, "-1234567.89"},
      {arrow::decimal64(18, 18), 1, "1E-18"}};
  for (const Case& test : kCases) {
    SCOPED_TRACE(test.type->ToString() + " " + std::to_string(test.value));
    // Little-endian: the low bytes are the narrower value.
    const auto bytes = arrow::Buffer::FromString(
        std::string(reinterpret_cast<const char*>(&test.value), sizeof test.value));
    const auto data = arrow::ArrayData::Make(test.type, 1, {nullptr, bytes}, 0);
    const auto schema =
        arrow::schema({arrow::field("text", arrow::utf8()), arrow::field("n", test.type)});
    const auto text = *arrow::MakeArrayFromScalar(arrow::StringScalar("t"), 1);
    const auto rows = arrow::RecordBatch::Make(schema, 1, {text, arrow::MakeArray(data)});
    const Seen seen = read_all("arrow", write(schema, {rows}));
    ASSERT_EQ(seen.sink.documents.size(), 1u);
    EXPECT_EQ(seen.sink.documents[0].meta, std::string("{\"n\":") + test.json + "}");
  }
}

TEST_F(ArrowTest, FieldsOfOneName) {
  const auto schema =
      arrow::schema({arrow::field("text", arrow::utf8()), arrow::field("n", arrow::int8()),
                     arrow::field("text", arrow::utf8()), arrow::field("n", arrow::int8())});
  const std::string path = write(schema, {batch(schema, R"([["a", 1, "b", 2]])")});
  const TestDecoders decoders;
  const auto reader = registry().find("arrow")->make({}, decoders).value();
  TestSink sink;
  const auto counts = reader->read(reader->split(path, 0, 1 << 30).value()[0], sink, {});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(counts.error().message(), HasSubstr(path));
  EXPECT_THAT(counts.error().message(), HasSubstr("more than one field is named 'text'"));
}

TEST_F(ArrowTest, AnySplitGivesTheSame) {
  for (const bool compress : {false, true}) {
    const std::string path = write_numbered(20, kFile, compress);
    const Seen whole = read_all("arrow", path, {}, nullptr, 1 << 30);
    EXPECT_EQ(whole.splits, 1u);
    ASSERT_EQ(whole.sink.documents.size(), 210u);
    EXPECT_EQ(whole.sink.documents[209].id, DocumentId::make(3, 209).value);
    const std::uint64_t bytes = io::file_info(path)->bytes;
    for (const std::uint64_t target : {std::uint64_t{1}, bytes / 7, bytes / 2}) {
      const Seen cut = read_all("arrow", path, {}, nullptr, target);
      EXPECT_GT(cut.splits, 1u);
      EXPECT_EQ(cut.sink.documents, whole.sink.documents);
    }
  }
  EXPECT_EQ(read_all("arrow", write_numbered(20, kStream), {}, nullptr, 1).splits, 1u);
}

TEST_F(ArrowTest, OneBadTextCostsItsRow) {
  arrow::BinaryBuilder texts;
  ASSERT_TRUE(texts.Append("good").ok() && texts.Append("bad \xFF").ok());
  const auto strings = *(*texts.Finish())->View(arrow::utf8());
  const auto schema = arrow::schema({arrow::field("text", arrow::utf8())});
  const Seen seen =
      read_all("arrow", write(schema, {arrow::RecordBatch::Make(schema, 2, {strings})}));
  EXPECT_THAT(seen.sink.texts(), ElementsAre("good"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("invalid_utf8"));
}

TEST_F(ArrowTest, FilesThatLostTheirEndGiveWholeBatches) {
  for (const Form form : {kFile, kStream}) {
    const std::string bytes = io::read_file(write_numbered(6, form)).value();
    const Seen cut = read_all("arrow", folder_.put("cut.arrow", bytes.substr(0, bytes.size() / 2)));
    EXPECT_GE(cut.sink.documents.size(), 1u);
    EXPECT_LT(cut.sink.documents.size(), 21u);
    EXPECT_THAT(cut.sink.reasons(), ElementsAre("truncated"));
    EXPECT_EQ(cut.sink.rejections[0].kind, Rejection::kQuarantine);
    EXPECT_THAT(cut.note_kinds(), ElementsAre("truncated"));
  }
}

TEST_F(ArrowTest, WhatIsNoArrow) {
  const Seen other = read_all("arrow", folder_.put("x.arrow", "{\"text\":\"a\"}\n"));
  EXPECT_THAT(other.sink.reasons(), ElementsAre("not_arrow"));
  EXPECT_THAT(other.note_kinds(), ElementsAre("corrupt"));
  EXPECT_THAT(read_all("arrow", folder_.put("zero.arrow", "")).note_kinds(),
              ElementsAre("empty_file"));
  EXPECT_THAT(read_all("arrow", write_numbered(0)).note_kinds(), ElementsAre("valid_empty"));
  EXPECT_THAT(read_all("arrow", write_numbered(0, kStream)).note_kinds(),
              ElementsAre("valid_empty"));
  EXPECT_EQ(registry().for_path("a.feather")->name, "arrow");
}

TEST_F(ArrowTest, DamageNeverReadsOutside) {
  // Any byte may be anything: rows come out or are told, and nothing is read out of bounds.
  const std::string good = io::read_file(write_numbered(4)).value();
  for (std::size_t at = 8; at < good.size(); at += 5) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(~bytes[at]);
    const Seen seen = read_all("arrow", folder_.put("damaged.arrow", bytes));
    EXPECT_LE(seen.sink.documents.size(), 10u) << at;
  }
}

}  // namespace
}  // namespace headrace::read
