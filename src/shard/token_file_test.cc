// SPDX-License-Identifier: Apache-2.0
// The read-only containers of token files: ds and npy.
#include <gtest/gtest.h>

#include "shard/field_test_set.h"
#include "shard/npy_header.h"

namespace headrace::shard {
namespace {

using Ids = std::vector<std::uint16_t>;
using WideIds = std::vector<std::int32_t>;
using Ends = std::vector<std::uint64_t>;

TEST(DsTest, DocumentsAreSamples) {
  const std::string path = fresh_folder("ds") + "/00000_unshuffled.ds";
  spill(path, packed(Ids{10, 20, 50256, 30}));
  spill(path + ".index", packed(Ends{3, 3, 4}));
  EXPECT_EQ(read_rows("ds", path),
            (std::vector<TestRow>{{packed(Ids{10, 20, 50256})}, {""}, {packed(Ids{30})}}));
  spill(path, packed(WideIds{10, 20, 150000, 30}));
  EXPECT_EQ(read_rows("ds", path)[0], TestRow{packed(WideIds{10, 20, 150000})});

  spill(path, packed(WideIds{10, 20, -1, 30}));
  EXPECT_NE(first_error("ds", path).find("sample 0 at offset 0: token 2"), std::string::npos);
  spill(path, packed(Ids{10, 20, 50256}));
  EXPECT_NE(first_error("ds", path).find("6 bytes for the 4 tokens"), std::string::npos);
  spill(path, packed(Ids{10, 20, 50256, 30}));
  spill(path + ".index", packed(Ends{3, 2, 4}));
  EXPECT_NE(first_error("ds", path).find("document 1 ends at token 2"), std::string::npos);
  spill(path + ".index", "abc");
  EXPECT_NE(first_error("ds", path).find("no whole number"), std::string::npos);
  std::filesystem::remove(path + ".index");
  EXPECT_NE(first_error("ds", path), "");
}

TEST(NpyTest, FilesWithoutAHeaderHaveAnIndexBeside) {
  const std::string folder = fresh_folder("npy_raw");
  spill(folder + "/part-0-00000.npy", packed(Ids{1, 2, 3, 4, 5}));
  spill(folder + "/part-0-00000.csv", "0,2,a,x.jsonl,1\r\n2,5,\"b,c\",x.jsonl,2\r\n");
  const std::string path = folder + "/part-0-00000.npy";
  EXPECT_EQ(read_rows("npy", path),
            (std::vector<TestRow>{{packed(Ids{1, 2})}, {packed(Ids{3, 4, 5})}}));
  for (const char* bad : {"0,2\n3,5\n", "0;2\n", "id\n", "0,2\n2,1\n"}) {
    spill(folder + "/part-0-00000.csv", bad);
    EXPECT_NE(first_error("npy", path).find("part-0-00000.csv: line"), std::string::npos) << bad;
  }
  spill(folder + "/part-0-00000.csv", "0,3\n");
  EXPECT_NE(first_error("npy", path).find("10 bytes for the 3 tokens"), std::string::npos);
}

TEST(NpyTest, RealArraysAreRows) {
  const std::string path = fresh_folder("npy_real") + "/a.npy";
  const std::string header = format_npy_header(FieldType::kInt32, {2, 3});
  spill(path, header + packed(WideIds{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_rows("npy", path),
            (std::vector<TestRow>{{packed(WideIds{1, 2, 3})}, {packed(WideIds{4, 5, 6})}}));
  spill(path, format_npy_header(FieldType::kUint16, {3}) + packed(Ids{1, 2, 3}));
  EXPECT_EQ(read_rows("npy", path), (std::vector<TestRow>{{packed(Ids{1, 2, 3})}}));
  spill(path, header + packed(WideIds{1, 2, 3, 4, 5}));
  EXPECT_NE(first_error("npy", path).find("20 bytes behind the header"), std::string::npos);
  spill(path, format_npy_header(FieldType::kFloat32, {3}) + packed(WideIds{1, 2, 3}));
  EXPECT_NE(first_error("npy", path).find("an array of <f4"), std::string::npos);
  auto writer = create_field_writer("npy", path, every_type());
  EXPECT_EQ(writer.error().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace headrace::shard
