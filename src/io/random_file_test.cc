// SPDX-License-Identifier: Apache-2.0
#include "io/random_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace headrace::io {
namespace {

std::string write(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(RandomFileTest, ReadsAnyRange) {
  const std::string path = write("random_file_any", "0123456789");
  Result<RandomFile> file = RandomFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), 10U);
  std::string buffer(4, ' ');
  ASSERT_TRUE(file->read(6, buffer));
  EXPECT_EQ(buffer, "6789");
  ASSERT_TRUE(file->read(0, buffer));
  EXPECT_EQ(buffer, "0123");
}

TEST(RandomFileTest, ReadPastTheEndNamesFileAndOffset) {
  const std::string path = write("random_file_short", "0123456789");
  Result<RandomFile> file = RandomFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, 7);  // truncated while open
  std::string buffer(4, ' ');
  const Result<void> read = file->read(5, buffer);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), Code::kCorrupt);
  EXPECT_NE(read.error().message().find(path + ": ends at offset 7, expected 2 more bytes"),
            std::string::npos)
      << read.error().message();
}

TEST(RandomFileTest, MissingFileAndFolderAreErrors) {
  EXPECT_EQ(RandomFile::open("/nowhere/at/all").error().code(), Code::kNotFound);
  EXPECT_FALSE(RandomFile::open(::testing::TempDir()));
}

}  // namespace
}  // namespace headrace::io
