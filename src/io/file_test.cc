// SPDX-License-Identifier: Apache-2.0
#include "io/file.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

TEST(ReadFileTest, GivesAllBytesAndNamesAMissingPath) {
  const TestFolder folder;
  const std::string bytes("a\0b\n", 4);
  EXPECT_EQ(read_file(folder.put("x", bytes)).value(), bytes);
  EXPECT_EQ(read_file(folder.put("empty", "")).value(), "");
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(read_file(folder.put("large", large)).value(), large);

  const auto missing = read_file(folder / "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), Code::kNotFound);
  EXPECT_NE(missing.error().message().find(folder / "missing"), std::string::npos);
}

TEST(ReadFileTest, ReadsFilesWhoseSizeIsUnknown) {
  // The kernel says 0 bytes for it.
  EXPECT_GT(read_file("/proc/self/status").value().size(), 100u);
}

TEST(ReadFileTest, FolderIsAnError) {
  const TestFolder folder;
  EXPECT_EQ(read_file(folder.path()).error().code(), Code::kInvalidArgument);
}

TEST(FileInfoTest, TellsSizeAndFolders) {
  const TestFolder folder;
  const FileInfo file = file_info(folder.put("x", "12345")).value();
  EXPECT_EQ(file.bytes, 5u);
  EXPECT_FALSE(file.is_directory);
  EXPECT_GT(file.modified_ns, 1'500'000'000'000'000'000);
  EXPECT_TRUE(file_info(folder.path()).value().is_directory);
  EXPECT_FALSE(exists(folder / "y"));
  EXPECT_TRUE(exists(folder / "x"));
}

TEST(FolderTest, MadeDeepAndRemovedWhole) {
  const TestFolder folder;
  ASSERT_TRUE(make_directories(folder / "a/b/c"));
  ASSERT_TRUE(make_directories(folder / "a/b/c"));
  folder.put("a/b/x", "1");
  ASSERT_TRUE(remove_all(folder / "a"));
  EXPECT_FALSE(exists(folder / "a"));
  EXPECT_TRUE(remove_all(folder / "a"));

  folder.put("file", "");
  const auto below_a_file = make_directories(folder / "file/sub");
  ASSERT_FALSE(below_a_file);
  EXPECT_NE(below_a_file.error().message().find("file/sub"), std::string::npos);
}

TEST(FreeBytesTest, LooksAtTheNearestParentThatIsThere) {
  const TestFolder folder;
  EXPECT_GT(free_bytes(folder.path()).value(), 0u);
  EXPECT_GT(free_bytes(folder / "not/yet/made").value(), 0u);
  EXPECT_GT(free_bytes("relative/not/made").value(), 0u);
}

TEST(JoinTest, PutsOneSlash) {
  EXPECT_EQ(join("a", "b"), "a/b");
  EXPECT_EQ(join("a/", "b"), "a/b");
  EXPECT_EQ(join("", "b"), "b");
}

TEST(MappedFileTest, ShowsTheBytesAndMoves) {
  const TestFolder folder;
  MappedFile file = MappedFile::open(folder.put("x", "hello")).value();
  EXPECT_EQ(file.bytes(), "hello");
  MappedFile other = std::move(file);
  EXPECT_EQ(other.bytes(), "hello");
  EXPECT_EQ(MappedFile::open(folder.put("empty", "")).value().bytes(), "");
  EXPECT_EQ(MappedFile::open(folder / "missing").error().code(), Code::kNotFound);
  EXPECT_EQ(MappedFile::open(folder.path()).error().code(), Code::kInvalidArgument);
}

TEST(HashFileTest, EqualsTheHashOfTheBytes) {
  const TestFolder folder;
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += std::to_string(i);
  EXPECT_EQ(hash_file(folder.put("x", bytes)).value(), hash128(bytes));
  EXPECT_EQ(hash_file(folder.put("empty", "")).value(), hash128(""));
}

// file:// wherever a path is taken, and no folder "file:" beside where one stands.
TEST(FileUriTest, EveryFunctionTakesOne) {
  const TestFolder folder;
  const std::string uri = "file://" + folder.path();
  EXPECT_TRUE(check_creatable(uri + "/a/b"));
  ASSERT_TRUE(make_directories(uri + "/a/b"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  ASSERT_TRUE(write_file_atomic(uri + "/a/x", "hello"));
  EXPECT_EQ(read_file(folder / "a/x").value(), "hello");
  EXPECT_EQ(MappedFile::open(uri + "/a/x").value().bytes(), "hello");
  EXPECT_EQ(hash_file(uri + "/a/x").value(), hash128("hello"));
  EXPECT_TRUE(free_bytes(uri + "/a"));
  {
    AtomicPath path(uri + "/a/y");
    std::ofstream(path.temporary()) << "there";
    ASSERT_TRUE(path.commit());
  }
  EXPECT_EQ(read_file(folder / "a/y").value(), "there");
  ASSERT_TRUE(remove_all(uri + "/a"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  EXPECT_EQ(read_file("file://elsewhere/x").error().code(), Code::kInvalidArgument);
}

TEST(CheckCreatableTest, NamesAndLinksThatCannotBe) {
  const TestFolder folder;
  std::filesystem::create_symlink(folder / "nothing", folder / "dangling");
  std::filesystem::create_symlink(folder / "loop", folder / "loop");
  std::string deep = folder.path();
  for (int i = 0; i < 20; ++i) deep += "/" + std::string(200, 'a');
  for (const std::string& path :
       {folder / "dangling", folder / "dangling/x", folder / "loop", folder / "loop/x",
        folder / std::string(300, 'a'), folder / ("x/" + std::string(300, 'a') + "/y"), deep}) {
    EXPECT_FALSE(check_creatable(path)) << path;
  }
  EXPECT_TRUE(check_creatable(folder / "x/y/z"));
  EXPECT_TRUE(check_creatable(folder / std::string(255, 'a')));
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_symlink(folder / "real", folder / "link");
  EXPECT_TRUE(check_creatable(folder / "link/x"));
}

// A program that sets the time of a file back cannot set this one.
TEST(FileInfoTest, TheTimeOfTheLastChangeCannotBeSetBack) {
  const TestFolder folder;
  const std::string path = folder.put("x", "hello");
  const FileInfo before = file_info(path).value();
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(24));
  const FileInfo after = file_info(path).value();
  EXPECT_LT(after.modified_ns, before.modified_ns);
  EXPECT_GE(after.changed_ns, before.changed_ns);
}

}  // namespace
}  // namespace headrace::io
