// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "shard/field_test_set.h"
#include "shard/mds_shard.h"

namespace headrace::shard {
namespace {

const FieldOptions kZstd{.compression = "zstd"};

Schema vector_schema() {
  return schema_of({{"n", FieldType::kInt64, {}},
                    {"t", FieldType::kString, {}},
                    {"tokens", FieldType::kUint16, {-1}}});
}

using Ids = std::vector<std::uint16_t>;

TEST(MdsTest, KeepsWhatEveryContainerKeeps) { check_container("mds", ".mds"); }

TEST(MdsTest, KeepsItCompressed) { check_container("mds", ".mds.zstd", kZstd); }

// The samples of a shard that Streaming's MDSWriter wrote, and their bytes.
TEST(MdsTest, SamplesHaveStreamingsBytes) {
  const std::string folder = fresh_folder("mds_vector");
  const std::vector<TestRow> rows = {{packed(std::int64_t{7}), "hi", packed(Ids{1, 2, 300})},
                                     {packed(std::int64_t{-1}), "", packed(Ids{5})}};
  write_rows("mds", folder + "/a", vector_schema(), rows);
  const std::string file = slurp(folder + "/a.mds");
  EXPECT_TRUE(
      file.ends_with(from_hex("02000000 08000000 0700000000000000 6869 0403 0100 0200 2c01"
                              "00000000 04000000 ffffffffffffffff 0401 0500")));
  EXPECT_EQ(file.substr(0, 4), from_hex("02000000"));
  EXPECT_NE(file.find(R"({"column_encodings": ["int64", "str", "ndarray:uint16"], "column_names": )"
                      R"(["n", "t", "tokens"], "column_sizes": [8, null, null], "compression": )"
                      R"(null, "format": "mds", "hashes": [], "size_limit": null, "version": 2})"),
            std::string::npos);
}

// The whole shard, as Streaming wrote it: "int" is its name of int64.
TEST(MdsTest, ReadsAStreamingsShard) {
  const std::string folder = fresh_folder("mds_foreign");
  const std::string config =
      R"({"column_encodings": ["int", "str", "ndarray:uint16"], "column_names": ["n", "t", "tokens"],)"
      R"( "column_sizes": [8, null, null], "compression": null, "format": "mds", "hashes": ["sha1"],)"
      R"( "size_limit": null, "version": 2})";
  const std::string samples = from_hex(
      "02000000 08000000 0700000000000000 6869 0403 0100 0200 2c01"
      "00000000 04000000 ffffffffffffffff 0401 0500");
  const auto first = static_cast<std::uint32_t>(16 + config.size());
  std::string file = packed(std::uint32_t{2}) + packed(first) + packed(first + 26) +
                     packed(first + 46) + config + samples;
  ASSERT_EQ(file.size(), 279U);
  const std::string path = folder + "/shard.00000.mds";
  spill(path, file);
  const std::vector<TestRow> rows = {{packed(std::int64_t{7}), "hi", packed(Ids{1, 2, 300})},
                                     {packed(std::int64_t{-1}), "", packed(Ids{5})}};
  EXPECT_EQ(read_rows("mds", path), rows);
  EXPECT_FALSE((*open_field_reader("mds", path))->has_checksums());

  // Offsets that wrapped at 4 GiB, one behind the end, and columns that are another's.
  std::string bad = file;
  bad.replace(8, 4, packed(first - 1));
  spill(path, bad);
  EXPECT_NE(first_error("mds", path).find("lost their high bits"), std::string::npos);
  bad = file;
  bad.replace(12, 4, packed(first + 47));
  spill(path, bad);
  EXPECT_NE(first_error("mds", path).find("its samples end at 280"), std::string::npos);
  bad = file;
  bad[first] = 9;
  spill(path, bad);
  EXPECT_NE(first_error("mds", path).find("sample 0 at offset"), std::string::npos);
  bad = file;
  bad.replace(bad.find("\"version\": 2"), 12, "\"version\": 3");
  spill(path, bad);
  EXPECT_NE(first_error("mds", path).find("MDS version 3"), std::string::npos);
  bad = file;
  bad.replace(bad.find("\"int\""), 5, "\"pkl\"");
  spill(path, bad);
  EXPECT_NE(first_error("mds", path).find("'pkl'"), std::string::npos);
}

TEST(MdsTest, EncodingsAreRead) {
  EXPECT_EQ(mds_field("x", "ndarray:int32:2,3"), (Field{"x", FieldType::kInt32, {2, 3}}));
  EXPECT_EQ(mds_field("x", "ndarray:float64"), (Field{"x", FieldType::kFloat64, {-1}}));
  EXPECT_EQ(mds_field("x", "png"), (Field{"x", FieldType::kBytes, {}}));
  for (const char* encoding :
       {"pkl", "ndarray", "ndarray:int32:", "ndarray:int32:-2", "uint8", "ndarray:str"}) {
    EXPECT_FALSE(mds_field("x", encoding)) << encoding;
  }
  const Schema schema = every_type();
  for (const Field& field : schema.fields()) {
    EXPECT_EQ(mds_field(field.name, mds_encoding(field)), field);
  }
}

TEST(MdsTest, TheIndexNamesAllShards) {
  const std::string folder = fresh_folder("mds_index");
  write_rows("mds", folder + "/shard.00000", every_type(), every_type_rows(5));
  write_rows("mds", folder + "/shard.00001", every_type(), every_type_rows(7), kZstd);
  const Result<std::string> index =
      format_mds_index(folder, {"shard.00000.mds", "shard.00001.mds.zstd"});
  ASSERT_TRUE(index) << index.error().message();
  const nlohmann::json parsed = nlohmann::json::parse(*index);
  ASSERT_EQ(parsed["shards"].size(), 2U);
  for (const nlohmann::json& shard : parsed["shards"]) EXPECT_EQ(shard.size(), 11U);
  const nlohmann::json& zipped = parsed["shards"][1];
  EXPECT_EQ(zipped["samples"], 7);
  EXPECT_EQ(zipped["compression"], "zstd");
  EXPECT_EQ(zipped["raw_data"]["basename"], "shard.00001.mds");
  EXPECT_EQ(zipped["zip_data"]["bytes"],
            std::filesystem::file_size(folder + "/shard.00001.mds.zstd"));
  EXPECT_EQ(parsed["shards"][0]["zip_data"], nullptr);
}

TEST(MdsTest, RefusesWhatItCannotHold) {
  const auto refused = [](const Schema& schema, const TestRow& row) {
    auto writer = create_field_writer("mds", fresh_folder("mds_refused") + "/a", schema);
    if (!writer) return writer.error().message();
    const Result<void> added = add_row(**writer, row);
    return added ? std::string() : added.error().message();
  };
  EXPECT_NE(refused(schema_of({{"x", FieldType::kInt32, {-1}}}), {""}).find("empty array"),
            std::string::npos);
  EXPECT_NE(refused(schema_of({{"x", FieldType::kInt32, {-1, 2}}}), {}).find("all of them fixed"),
            std::string::npos);
  auto brotli = create_field_writer("mds", fresh_folder("mds_brotli") + "/a", every_type(),
                                    {.compression = "br"});
  EXPECT_EQ(brotli.error().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace headrace::shard
