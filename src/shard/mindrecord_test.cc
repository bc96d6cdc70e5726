// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "shard/field_test_set.h"
#include "shard/mindrecord_header.h"
#include "shard/mindrecord_rows.h"

namespace headrace::shard {
namespace {

FieldOptions small_pages() {
  FieldOptions options;
  options.header_bytes = 1 << 14;
  options.page_bytes = 1 << 15;
  return options;
}

std::string header_json(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  return file.substr(8, length);
}

std::string saying(std::string_view format, const Schema& schema, const TestRow& row,
                   const FieldOptions& options = {}) {
  auto writer = create_field_writer(format, fresh_folder("refused") + "/a", schema, options);
  if (!writer) return writer.error().message();
  const Result<void> added = add_row(**writer, row);
  return added ? "" : added.error().message();
}

TEST(MindRecordTest, KeepsWhatEveryContainerKeeps) {
  check_container("mindrecord", ".mindrecord", small_pages());
}

// The bytes that MindSpore's own writer gives these rows.
TEST(MindRecordTest, TextHasMindSporesBytes) {
  const std::string folder = fresh_folder("mindrecord_text");
  FieldOptions options = small_pages();
  options.index_fields = {"domain", "quality_score"};
  options.description = "docs";
  const Schema schema = schema_of({{"text", FieldType::kString, {}},
                                   {"domain", FieldType::kString, {}},
                                   {"quality_score", FieldType::kFloat32, {}}});
  write_rows("mindrecord", folder + "/ex_text", schema,
             {{"a.com", packed(0.5F), "Hello"}, {"b.org", packed(0.87F), "café\n"}}, options);
  const std::string file = slurp(folder + "/ex_text.mindrecord");
  EXPECT_EQ(
      header_json(file),
      R"({"header_size":16384,"index_fields":[{"index_field":"domain","schema_id":0},)"
      R"({"index_field":"quality_score","schema_id":0}],"page":[{"end_row_id":2,"page_id":0,)"
      R"("page_size":24,"page_type":"BLOB_DATA","page_type_id":0,"row_group_ids":[{"id":0,)"
      R"("offset":0}],"shard_id":0,"start_row_id":0},{"end_row_id":0,"page_id":1,"page_size":105,)"
      R"("page_type":"RAW_DATA","page_type_id":0,"row_group_ids":[{"id":0,"offset":0}],)"
      R"("shard_id":0,"start_row_id":0}],"page_size":32768,"compression_size":0,"schema":[)"
      R"({"blob_fields":[],"desc":"docs","schema":{"domain":{"type":"string"},"quality_score":)"
      R"({"type":"float32"},"text":{"type":"string"}}}],"shard_addresses":["ex_text.mindrecord"],)"
      R"("shard_id":0,"statistics":null,"version":"3.0"})");
  ASSERT_EQ(file.size(), 49257U);
  EXPECT_EQ(file.substr(0x4000, 24),
            from_hex("0400000000000000 00000000 0400000000000000 00000000"));
  EXPECT_EQ(file.substr(0xc000), from_hex("2c00000000000000 83") + "\xa6" + "domain" + "\xa5" +
                                     "a.com" + "\xad" + "quality_score" + from_hex("ca3f000000") +
                                     "\xa4" + "text" + "\xa5" + "Hello" +
                                     from_hex("2d00000000000000 83") + "\xa6" + "domain" + "\xa5" +
                                     "b.org" + "\xad" + "quality_score" + from_hex("ca3f5eb852") +
                                     "\xa4" + "text" + from_hex("a6636166c3a90a"));
}

TEST(MindRecordTest, TokensHaveMindSporesBytes) {
  const std::string folder = fresh_folder("mindrecord_tokens");
  FieldOptions options = small_pages();
  options.description = "tokens";
  using Ids = std::vector<std::int32_t>;
  write_rows(
      "mindrecord", folder + "/ex_tok", schema_of({{"input_ids", FieldType::kInt32, {-1}}}),
      {{packed(Ids{1, 300, 70000, -5, 50256})}, {packed(Ids{0, 127, 128, 32767, 32768, 65535})}},
      options);
  const std::string file = slurp(folder + "/ex_tok.mindrecord");
  const std::string json = header_json(file);
  EXPECT_NE(json.find(R"("index_fields":null)"), std::string::npos);
  EXPECT_NE(json.find(R"("compression_size":6,)"), std::string::npos);
  EXPECT_NE(json.find(R"({"input_ids":{"shape":[-1],"type":"int32"}})"), std::string::npos);
  EXPECT_EQ(file.substr(0x4000, 54),
            from_hex("1200000000000000 00000005 1880 01 2c01 70110100 fb 50c40000"
                     "1400000000000000 00000006 05a0 00 7f 8000 ff7f 00800000 ffff0000"));
  EXPECT_EQ(file.substr(0xc000),
            from_hex("0500000000000000 81a2696400 0500000000000000 81a2696400"));
}

TEST(MindRecordTest, PacksIntegersByTheirWidths) {
  const MindRecordRows rows(schema_of({{"x", FieldType::kInt64, {-1}}}), true);
  const auto packed_bytes = [&](const std::vector<std::int64_t>& values) {
    const std::string value = packed(values);
    const std::vector<std::string_view> row{value};
    std::string record;
    std::int64_t saved = 0;
    rows.encode_blob(row, &record, &saved);
    FieldBuffer buffer;
    buffer.reset(1);
    EXPECT_TRUE(rows.decode_blob(record, &buffer));
    EXPECT_EQ(buffer.value(0), value);
    return record;
  };
  EXPECT_EQ(packed_bytes({}), from_hex("00000000"));
  EXPECT_EQ(packed_bytes({-1}), from_hex("00000001 00 ff"));
  EXPECT_EQ(packed_bytes({2147483648}), from_hex("00000001 c0 0000008000000000"));
  EXPECT_EQ(packed_bytes({-129, 32768}), from_hex("00000002 60 7fff 00800000"));
  EXPECT_EQ(packed_bytes({127, 128, -128, -129, 32767, 32768, -32768, -32769}),
            from_hex("00000008 1166 7f 8000 80 7fff ff7f 00800000 0080 ff7fffff"));
}

TEST(MindRecordTest, MalformedRecordsAreErrors) {
  const MindRecordRows rows(schema_of({{"a", FieldType::kInt32, {}},
                                       {"b", FieldType::kBytes, {}},
                                       {"x", FieldType::kInt32, {-1}}}),
                            true);
  FieldBuffer buffer;
  for (const char* raw : {"", "80", "81", "81a161", "81a161cb0000", "81a161cf0000000100000000",
                          "81a161a0", "81a16101ff", "91a16101"}) {
    buffer.reset(3);
    EXPECT_FALSE(rows.decode_raw(from_hex(raw), &buffer)) << raw;
  }
  for (const char* blob :
       {"", "0000000000000001", "000000000000000000000000000000ff",
        "00000000000000000000000000000004 ffffffff", "00000000000000000000000000000005 00000001 c0",
        "0000000000000000 0000000000000006 00000001 0001 aa"}) {
    buffer.reset(3);
    EXPECT_FALSE(rows.decode_blob(from_hex(blob), &buffer)) << blob;
  }
}

// Many groups, many raw pages; what every one of MindSpore's readers relies on.
TEST(MindRecordTest, PagesKeepTheirRules) {
  const std::string folder = fresh_folder("mindrecord_pages");
  const Schema schema = schema_of({{"text", FieldType::kString, {}}, {"x", FieldType::kBytes, {}}});
  std::vector<TestRow> rows;
  for (std::size_t i = 0; i < 400; ++i) {
    rows.push_back(
        {std::string(i % 7 == 0 ? 9000 : 40, 'a'), std::string(i % 5 == 0 ? 20000 : 9, 'b')});
  }
  rows.push_back({std::string(32768 - 8 - 7 - 2, 'c'), std::string(32768 - 8, 'd')});
  FieldOptions options = small_pages();
  options.header_bytes = 1 << 16;
  write_rows("mindrecord", folder + "/a", schema, rows, options);
  EXPECT_EQ(read_rows("mindrecord", folder + "/a.mindrecord"), rows);
  const auto header =
      parse_mindrecord_header(header_json(slurp(folder + "/a.mindrecord")), "a.mindrecord");
  ASSERT_TRUE(header) << header.error().message();
  EXPECT_EQ(header->rows(), rows.size());
  std::uint64_t next_row = 0;
  std::uint64_t next_group = 0;
  std::uint64_t raw_group = 0;
  for (const MindRecordPage& page : header->pages) {
    EXPECT_LE(page.bytes, header->page_bytes);
    if (!page.blob) {
      ++raw_group;
      continue;
    }
    EXPECT_EQ(page.type_id, next_group++);
    EXPECT_EQ(page.first_row, next_row);
    next_row = page.end_row;
  }
  EXPECT_GT(next_group, 20U);
  EXPECT_GT(raw_group, 5U);
}

TEST(MindRecordTest, RefusesWhatMindSporeCannotRead) {
  const auto one = [](FieldType type, std::vector<std::int64_t> shape = {}) {
    return schema_of({{"x", type, std::move(shape)}});
  };
  EXPECT_NE(saying("mindrecord", one(FieldType::kUint16, {-1}), {}).find("no uint16"),
            std::string::npos);
  EXPECT_NE(saying("mindrecord", one(FieldType::kInt32, {-1}), {""}).find("empty array"),
            std::string::npos);
  EXPECT_NE(saying("mindrecord", one(FieldType::kString), {"\xff"}).find("not UTF-8"),
            std::string::npos);
  EXPECT_NE(saying("mindrecord", one(FieldType::kBytes), {std::string(40000, 'x')}, small_pages())
                .find("raise page_bytes"),
            std::string::npos);
  FieldOptions indexed = small_pages();
  indexed.index_fields = {"x"};
  EXPECT_NE(saying("mindrecord", one(FieldType::kFloat32),
                   {packed(std::numeric_limits<float>::quiet_NaN())}, indexed)
                .find("not finite"),
            std::string::npos);
  EXPECT_NE(saying("mindrecord", one(FieldType::kBytes), {"a"}, indexed).find("index field 'x'"),
            std::string::npos);
  EXPECT_EQ(saying("mindrecord", one(FieldType::kFloat64), {packed(std::nan(""))}), "");
  FieldOptions odd = small_pages();
  odd.page_bytes += 2;
  EXPECT_NE(saying("mindrecord", one(FieldType::kBytes), {"a"}, odd).find("multiple of 4"),
            std::string::npos);
  auto name = create_field_writer("mindrecord", fresh_folder("bad_name") + "/a;b",
                                  one(FieldType::kBytes), small_pages());
  EXPECT_EQ(name.error().code(), Code::kInvalidArgument);
}

TEST(MindRecordTest, ARenamedFileIsReported) {
  const std::string folder = fresh_folder("mindrecord_renamed");
  write_rows("mindrecord", folder + "/a", every_type(), every_type_rows(3), small_pages());
  for (const char* extension : {".mindrecord", ".mindrecord.db", ".mindrecord.hri"}) {
    std::filesystem::rename(folder + "/a" + extension, folder + "/b" + extension);
  }
  const std::string error = first_error("mindrecord", folder + "/b.mindrecord");
  EXPECT_NE(error.find("'a.mindrecord'"), std::string::npos) << error;
  std::filesystem::remove(folder + "/b.mindrecord.db");
  EXPECT_NE(first_error("mindrecord", folder + "/b.mindrecord").find("index database"),
            std::string::npos);
}

TEST(MindRecordTest, ATextThatReadsAsAMarkIsNotTheEnd) {
  const std::string folder = fresh_folder("mindrecord_marks");
  const Schema schema = schema_of({{"text", FieldType::kString, {}}});
  for (const char* text : {"the end is ENCRYPT", "a HASH"}) {
    write_rows("mindrecord", folder + "/a", schema, {{text}}, small_pages());
    EXPECT_FALSE(slurp(folder + "/a.mindrecord").ends_with(text));
    EXPECT_EQ(read_rows("mindrecord", folder + "/a.mindrecord"), (std::vector<TestRow>{{text}}));
  }
}

TEST(MindRecordTest, AnEmptyShardIsOne) {
  const std::string folder = fresh_folder("mindrecord_empty");
  write_rows("mindrecord", folder + "/a", every_type(), {}, small_pages());
  EXPECT_NE(header_json(slurp(folder + "/a.mindrecord")).find(R"("page":null)"), std::string::npos);
  EXPECT_TRUE(read_rows("mindrecord", folder + "/a.mindrecord").empty());
}

TEST(MindRecordTest, NewerVersionsAreRefused) {
  const std::string folder = fresh_folder("mindrecord_newer");
  write_rows("mindrecord", folder + "/a", every_type(), every_type_rows(3), small_pages());
  std::filesystem::remove(folder + "/a.mindrecord.hri");
  std::string bytes = slurp(folder + "/a.mindrecord");
  bytes.replace(bytes.find(R"("version":"3.0")"), 15, R"("version":"4.0")");
  spill(folder + "/a.mindrecord", bytes);
  auto opened = open_field_reader("mindrecord", folder + "/a.mindrecord");
  EXPECT_EQ(opened.error().code(), Code::kUnsupported);
  EXPECT_NE(opened.error().message().find("'4.0'"), std::string::npos);
}

}  // namespace
}  // namespace headrace::shard
