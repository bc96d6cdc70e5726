// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "shard/field_test_set.h"
#include "shard/tfrecord_shard.h"

namespace headrace::shard {
namespace {

Schema without_float64() {
  std::vector<Field> fields = every_type().fields();
  std::erase_if(fields, [](const Field& field) { return field.type == FieldType::kFloat64; });
  return schema_of(std::move(fields));
}

Schema golden_schema() {
  return schema_of({{"a", FieldType::kInt64, {-1}},
                    {"b", FieldType::kBytes, {}},
                    {"c", FieldType::kFloat32, {-1}}});
}

const std::string kGolden = from_hex(
    "0a290a0c0a016112071a050a0301ac020a0a0a016212050a030a01780a0d0a0163120812060a040000803f");

TestRow golden_row() {
  return {packed(std::vector<std::int64_t>{1, 300}), "x", packed(std::vector<float>{1.0F})};
}

Result<TestRow> parsed(const Schema& schema, const std::string& example) {
  FieldBuffer buffer;
  buffer.reset(schema.size());
  HEADRACE_RETURN_IF_ERROR(parse_example(schema, example, &buffer));
  TestRow row;
  for (const std::string_view value : buffer.values()) {
    row.emplace_back(is_null(value) ? "null" : value);
  }
  return row;
}

TEST(TfrecordTest, KeepsWhatEveryContainerKeeps) {
  check_container("tfrecord", ".tfrecord", {}, without_float64());
}

TEST(TfrecordTest, ChecksumsAreMasked) {
  std::string empty;
  append_tfrecord("", &empty);
  EXPECT_EQ(empty, from_hex("0000000000000000 29039807 d8ea82a2"));
  std::string record;
  append_tfrecord(kGolden, &record);
  EXPECT_EQ(record, from_hex("2b00000000000000 861bc34b") + kGolden + from_hex("b2e777e6"));
}

TEST(TfrecordTest, ExamplesHaveTheCanonicalBytes) {
  std::string example;
  const TestRow row = golden_row();
  const std::vector<std::string_view> values(row.begin(), row.end());
  append_example(golden_schema(), values, &example);
  EXPECT_EQ(example, kGolden);
  EXPECT_EQ(*parsed(golden_schema(), example), row);
  EXPECT_EQ(*example_schema(example), golden_schema());
}

// What other writers may write: numbers one by one, entries in any order and twice, fields of a
// later version, features without a kind.
TEST(TfrecordTest, ReadsEveryFormOfAnExample) {
  const Schema schema =
      schema_of({{"a", FieldType::kInt64, {-1}}, {"c", FieldType::kFloat32, {-1}}});
  EXPECT_EQ(*parsed(schema, from_hex("0a10 0a0e 0a0161 1209 1a07 0801 08ac02 7805")),
            (TestRow{packed(std::vector<std::int64_t>{1, 300}), "null"}));
  EXPECT_EQ(*parsed(schema, from_hex("0a13 0a11 0a0163 120c 120a 0d0000803f 0d00000040")),
            (TestRow{"null", packed(std::vector<float>{1, 2})}));
  // Twice: the last; -1 in ten bytes.
  EXPECT_EQ(*parsed(schema, from_hex("0a21 0a0a 0a0161 1205 1a03 0a0105 0a13 0a0161 120e 1a0c"
                                     "0a0a ffffffffffffffffff01")),
            (TestRow{packed(std::vector<std::int64_t>{-1}), "null"}));
  EXPECT_EQ(*parsed(schema, from_hex("0a09 0a07 0a0161 1202 1a00")), (TestRow{"", "null"}));
  EXPECT_EQ(*parsed(schema, from_hex("0a07 0a05 0a0161 1200")), (TestRow{"null", "null"}));
  for (const char* bad : {"0a", "0a05", "0b", "0a0a0a080a016112031a0108"}) {
    EXPECT_FALSE(parsed(schema, from_hex(bad))) << bad;
  }
}

TEST(TfrecordTest, NumbersThatDoNotFitAreErrors) {
  const std::string large = from_hex("0a0f 0a0d 0a0161 1208 1a06 0a04 80808008");
  EXPECT_TRUE(parsed(schema_of({{"a", FieldType::kInt64, {}}}), large));
  EXPECT_TRUE(parsed(schema_of({{"a", FieldType::kInt32, {}}}), large));
  EXPECT_FALSE(parsed(schema_of({{"a", FieldType::kUint16, {}}}), large));
  EXPECT_FALSE(parsed(schema_of({{"a", FieldType::kFloat32, {}}}), large));
  auto writer = create_field_writer("tfrecord", fresh_folder("tf_double") + "/a", every_type());
  EXPECT_NE(writer.error().message().find("no float64"), std::string::npos);
}

TEST(TfrecordTest, CutFilesKeepTheirWholeRecords) {
  const std::string folder = fresh_folder("tf_cut");
  write_rows("tfrecord", folder + "/a", golden_schema(), std::vector<TestRow>(5, golden_row()));
  const std::string path = folder + "/a.tfrecord";
  std::filesystem::remove(path + ".hri");
  const std::string good = slurp(path);
  EXPECT_EQ(read_rows("tfrecord", path), std::vector<TestRow>(5, golden_row()));
  EXPECT_TRUE((*open_field_reader("tfrecord", path))->has_checksums());
  spill(path, good.substr(0, 3 * 59 + 20));
  EXPECT_NE(first_error("tfrecord", path).find("offset 177: cut"), std::string::npos)
      << first_error("tfrecord", path);
  EXPECT_EQ(read_rows("tfrecord", path, {.keep_whole = true}).size(), 3U);
  std::string bad = good;
  bad[59] ^= 1;
  spill(path, bad);
  EXPECT_NE(first_error("tfrecord", path).find("offset 59: no TFRecord"), std::string::npos);
  bad = good;
  bad[59 + 30] ^= 1;
  spill(path, bad);
  EXPECT_NE(first_error("tfrecord", path).find("sample 1 at offset 59"), std::string::npos);
  spill(path, "\x1f\x8b" + good);
  EXPECT_NE(first_error("tfrecord", path).find("gzip"), std::string::npos);
}

}  // namespace
}  // namespace headrace::shard
