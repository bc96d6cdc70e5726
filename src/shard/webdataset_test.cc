// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shard/field_test_set.h"
#include "shard/npy_header.h"
#include "shard/tar.h"
#include "shard/webdataset_shard.h"

namespace headrace::shard {
namespace {

Schema keyed() {
  return schema_of({{"__key__", FieldType::kString, {}}, {"txt", FieldType::kString, {}}});
}

std::string archive(const std::vector<std::string>& names, bool end = true) {
  std::string bytes;
  for (const std::string& name : names) append_tar_member(name, "data of " + name, &bytes);
  return end ? bytes + tar_end(bytes.size()) : bytes;
}

std::vector<std::string> member_names(const std::string& bytes) {
  TarWalk walk(bytes);
  TarMember member;
  std::vector<std::string> names;
  while (true) {
    const Result<bool> more = walk.next(&member, false);
    EXPECT_TRUE(more) << more.error().message();
    if (!more || !*more) return names;
    EXPECT_EQ(bytes.substr(member.data_offset, member.bytes), "data of " + member.name);
    names.push_back(member.name);
  }
}

TEST(WebDatasetTest, KeepsWhatEveryContainerKeeps) { check_container("webdataset", ".tar"); }

TEST(WebDatasetTest, NamesAreCutAtTheFirstDotBehindTheFolder) {
  const auto cut = [](std::string_view name) {
    const auto parts = split_member_name(name);
    return parts ? std::string(parts->key) + "|" + std::string(parts->extension) : "none";
  };
  EXPECT_EQ(cut("a.jpg"), "a|jpg");
  EXPECT_EQ(cut("a.b/c.seg.png"), "a.b/c|seg.png");
  EXPECT_EQ(cut("./x.jpg"), "./x|jpg");
  EXPECT_EQ(cut("v1.0/Mr. Smith.txt"), "v1.0/Mr| Smith.txt");
  EXPECT_EQ(cut("x."), "x|");
  for (const char* none :
       {"README", "folder/.hidden", ".hidden", "__meta__/a.json", "a/__info__"}) {
    EXPECT_EQ(cut(none), "none") << none;
  }
}

TEST(WebDatasetTest, NamesOfAnyLengthAndScriptComeBack) {
  const std::string long_folder(120, 'd');
  const std::vector<std::string> names = {
      "a.txt",
      std::string(96, 'x') + ".txt",
      std::string(150, 'y') + ".txt",
      long_folder + "/" + std::string(90, 'f') + ".txt",
      "中文/图片.jpg",
      std::string(200, 'd') + "/" + std::string(3000, 'z') + ".txt"};
  EXPECT_EQ(member_names(archive(names)), names);
}

// Headers that Python's tarfile and GNU tar write: numbers of 256, GNU names, pax sizes.
TEST(WebDatasetTest, HeadersOfOthersAreRead) {
  std::string gnu;
  append_tar_member("././@LongLink", std::string(130, 'g') + ".txt", &gnu);
  gnu[156] = 'L';
  // The sum of the header changes with its type.
  gnu.replace(148, 6, fmt::format("{:06o}", [&] {
                unsigned sum = 8 * ' ';
                for (int i = 0; i < 512; ++i) {
                  if (i < 148 || i >= 156) sum += static_cast<unsigned char>(gnu[i]);
                }
                return sum;
              }()));
  append_tar_member("cut", "data of " + std::string(130, 'g') + ".txt", &gnu);
  gnu += tar_end(gnu.size());
  EXPECT_EQ(member_names(gnu), (std::vector<std::string>{std::string(130, 'g') + ".txt"}));
}

TEST(WebDatasetTest, KeysThatReadersBreakAreRefused) {
  auto writer = create_field_writer("webdataset", fresh_folder("wds_keys") + "/a", keyed());
  ASSERT_TRUE(writer);
  ASSERT_TRUE(add_row(**writer, {"中文/一", "x"}));
  ASSERT_TRUE(add_row(**writer, {std::string(150, 'k'), "x"}));
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"中文/一", "stands twice"}, {"v1.0", "a dot"},
      {"a.b/c", "a dot"},          {"", "of 0 bytes"},
      {"/a/x", "the path"},        {"a//b", "the path"},
      {"__meta__/x", "metadata"},  {std::string(2000, 'x'), "of 2000 bytes"}};
  for (const auto& [key, why] : refused) {
    const Result<void> added = add_row(**writer, {key, "x"});
    ASSERT_FALSE(added) << key;
    EXPECT_NE(added.error().message().find(why), std::string::npos) << added.error().message();
  }
  EXPECT_EQ((*writer)->finish()->samples, 2U);
  auto upper = create_field_writer("webdataset", fresh_folder("wds_upper") + "/a",
                                   schema_of({{"Text", FieldType::kString, {}}}));
  EXPECT_NE(upper.error().message().find("lower case"), std::string::npos);
}

TEST(WebDatasetTest, RunsOfOneKeyAreSamples) {
  const std::string path = fresh_folder("wds_runs") + "/a.tar";
  spill(path, archive({"a.b/x.txt", "a.b/x.seg.png", "README", "y.txt", "y.seg.png", "a.b/x.txt"}));
  auto reader = open_field_reader("webdataset", path);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_FALSE((*reader)->has_checksums());
  EXPECT_EQ((*reader)->schema(), schema_of({{"__key__", FieldType::kString, {}},
                                            {"seg_png", FieldType::kBytes, {}},
                                            {"txt", FieldType::kString, {}}}));
  ASSERT_EQ((*reader)->samples(), 3U);
  FieldBuffer buffer;
  ASSERT_TRUE((*reader)->read(0, &buffer));
  EXPECT_EQ(buffer.value(0), "a.b/x");
  EXPECT_EQ(buffer.value(1), "data of a.b/x.seg.png");
  ASSERT_TRUE((*reader)->read(2, &buffer));
  EXPECT_FALSE(buffer.has(1));
  spill(path, archive({"x.txt", "x.txt"}));
  EXPECT_NE(first_error("webdataset", path).find("stands twice"), std::string::npos);
  spill(path, archive({"x.txt", "y.jpg"}));
  EXPECT_NE(first_error("webdataset", path).find("sample 1 at offset 1024"), std::string::npos);
}

TEST(WebDatasetTest, CutArchivesAreReportedBehindTheirWholeSamples) {
  const std::string path = fresh_folder("wds_cut") + "/a.tar";
  const std::string whole = archive({"x.txt", "x.jpg", "y.txt", "y.jpg"}, false);
  const auto kept = [&](const std::string& bytes) {
    spill(path, bytes);
    return read_rows("webdataset", path, {.keep_whole = true}).size();
  };
  EXPECT_EQ(kept(whole), 2U);
  EXPECT_NE(first_error("webdataset", path).find("offset 4096: cut"), std::string::npos)
      << first_error("webdataset", path);
  EXPECT_EQ(kept(whole.substr(0, 3 * 1024 + 600)), 1U);
  EXPECT_NE(first_error("webdataset", path).find("(1 whole samples before)"), std::string::npos);
  EXPECT_EQ(kept(whole.substr(0, 3 * 1024 + 100)), 1U);
  spill(path, "<html>" + std::string(2000, ' ') + "</html>");
  EXPECT_NE(first_error("webdataset", path).find("offset 0: no tar header"), std::string::npos);
}

TEST(WebDatasetTest, ArraysAreNumPys) {
  EXPECT_EQ(format_npy_header(FieldType::kInt32, {7}).size() % 64, 0U);
  const Result<NpyHeader> header = parse_npy_header(format_npy_header(FieldType::kInt32, {7, 2}));
  ASSERT_TRUE(header) << header.error().message();
  EXPECT_EQ(header->descr, "<i4");
  EXPECT_EQ(header->shape, (std::vector<std::int64_t>{7, 2}));
  EXPECT_EQ(header->bytes % 64, 0U);
  EXPECT_TRUE(parse_npy_header(format_npy_header(FieldType::kFloat64, {}))->shape.empty());
  EXPECT_FALSE(parse_npy_header(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)));
}

}  // namespace
}  // namespace headrace::shard
