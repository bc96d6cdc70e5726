// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "shard/field_test_set.h"
#include "shard/jsonl_shard.h"

namespace headrace::shard {
namespace {

TEST(JsonlShardTest, KeepsWhatEveryContainerKeeps) { check_container("jsonl", ".jsonl"); }

TEST(JsonlShardTest, LinesAreJson) {
  const std::string folder = fresh_folder("jsonl_lines");
  write_rows("jsonl", folder + "/a",
             schema_of({{"b", FieldType::kBytes, {}},
                        {"f", FieldType::kFloat32, {}},
                        {"i", FieldType::kInt32, {-1}},
                        {"t", FieldType::kString, {}}}),
             {{"\xff\x01", packed(0.1F), packed(std::vector<std::int32_t>{1, -2}),
               std::string("a\"\\\n\0\u2028石", 11)},
              {"", packed(2.0F), "", ""}});
  EXPECT_EQ(slurp(folder + "/a.jsonl"),
            std::string("{\"b\": \"/wE=\", \"f\": 0.1, \"i\": [1, -2], \"t\": "
                        "\"a\\\"\\\\\\n\\u0000\u2028石\"}\n") +
                "{\"b\": \"\", \"f\": 2.0, \"i\": [], \"t\": \"\"}\n");
}

TEST(JsonlShardTest, Base64ComesBack) {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
    std::string encoded;
    append_base64(bytes, &encoded);
    EXPECT_EQ(encoded, text);
    EXPECT_EQ(parse_base64(text), bytes);
  }
  for (const char* bad : {"Z", "Zg=", "Zh==", "Z===", "====", "Zg==Zg==", "Zm 9"}) {
    EXPECT_FALSE(parse_base64(bad)) << bad;
  }
}

TEST(JsonlShardTest, OthersLinesAreRead) {
  const std::string path = fresh_folder("jsonl_foreign") + "/a.jsonl";
  spill(path, "{\"text\": \"a\\u2028b\u2028c\", \"n\": 1, \"ids\": [1, 2]}\n\n{\"n\": 2}");
  auto reader = open_field_reader("jsonl", path);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ((*reader)->schema(), schema_of({{"ids", FieldType::kInt64, {-1}},
                                            {"n", FieldType::kInt64, {}},
                                            {"text", FieldType::kString, {}}}));
  ASSERT_EQ((*reader)->samples(), 2U);
  FieldBuffer buffer;
  ASSERT_TRUE((*reader)->read(0, &buffer));
  EXPECT_EQ(buffer.value(2), "a\u2028b\u2028c");
  ASSERT_TRUE((*reader)->read(1, &buffer));
  EXPECT_FALSE(buffer.has(0));
  spill(path, "{\"n\": 1}\n{\"n\": \"x\"}\n");
  EXPECT_NE(first_error("jsonl", path).find("sample 1 at offset 9: key 'n' is no int64"),
            std::string::npos);
  spill(path, "{\"n\": 1}\n{\"n\": 3");
  EXPECT_NE(first_error("jsonl", path).find("sample 1 at offset 9: no JSON object"),
            std::string::npos);
}

TEST(JsonlShardTest, WhatJsonCannotHoldIsRefused) {
  auto writer = create_field_writer("jsonl", fresh_folder("jsonl_nan") + "/a",
                                    schema_of({{"x", FieldType::kFloat32, {}}}));
  ASSERT_TRUE(writer);
  EXPECT_FALSE(add_row(**writer, {packed(std::numeric_limits<float>::infinity())}));
}

}  // namespace
}  // namespace headrace::shard
