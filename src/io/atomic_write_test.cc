// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/file.h"
#include "io/internal/descriptor.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

std::size_t files_in(const TestFolder& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

TEST(AtomicFileTest, AppearsByCommitOnly) {
  const TestFolder folder;
  AtomicFile file = AtomicFile::create(folder / "x").value();
  ASSERT_TRUE(file.write("hello "));
  const std::string large(1 << 20, 'y');
  ASSERT_TRUE(file.write(large));
  ASSERT_TRUE(file.write("end"));
  EXPECT_FALSE(exists(folder / "x"));
  EXPECT_EQ(files_in(folder), 1u);
  ASSERT_TRUE(file.commit());
  const std::string expected = "hello " + large + "end";
  EXPECT_EQ(read_file(folder / "x").value(), expected);
  EXPECT_EQ(file.digest(), hash128(expected));
  EXPECT_EQ(file.bytes_written(), expected.size());
  EXPECT_EQ(files_in(folder), 1u);
  EXPECT_EQ(file.commit().error().code(), Code::kInternal);
}

TEST(AtomicFileTest, ForgottenLeavesTheOldFileAndNothingElse) {
  const TestFolder folder;
  folder.put("x", "old");
  {
    AtomicFile file = AtomicFile::create(folder / "x").value();
    ASSERT_TRUE(file.write("new"));
    const AtomicFile moved = std::move(file);
  }
  EXPECT_EQ(read_file(folder / "x").value(), "old");
  EXPECT_EQ(files_in(folder), 1u);
  ASSERT_TRUE(write_file_atomic(folder / "x", "new"));
  EXPECT_EQ(read_file(folder / "x").value(), "new");
}

TEST(AtomicFileTest, MissingFolderIsNotFound) {
  const TestFolder folder;
  EXPECT_EQ(AtomicFile::create(folder / "no/x").error().code(), Code::kNotFound);
}

TEST(AtomicPathTest, IsWrittenByOthersAndMoved) {
  const TestFolder folder;
  AtomicPath path(folder / "x");
  EXPECT_TRUE(is_temporary_name(path.temporary()));
  std::ofstream(path.temporary()) << "bytes";
  ASSERT_TRUE(path.commit());
  EXPECT_EQ(read_file(folder / "x").value(), "bytes");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(AtomicPathTest, UncommittedIsRemoved) {
  const TestFolder folder;
  {
    AtomicPath path(folder / "x");
    const AtomicPath moved(std::move(path));
    std::ofstream(moved.temporary()) << "bytes";
    EXPECT_EQ(files_in(folder), 1u);
  }
  EXPECT_EQ(files_in(folder), 0u);
}

TEST(AtomicPathTest, TwoOfOneNameDoNotMeet) {
  const TestFolder folder;
  const AtomicPath one(folder / "x");
  const AtomicPath two(folder / "x");
  EXPECT_NE(one.temporary(), two.temporary());
}

TEST(TemporaryNameTest, KnowsItsOwnNamesOnly) {
  EXPECT_TRUE(is_temporary_name("part-0.parquet.tmp-123-4"));
  EXPECT_TRUE(is_temporary_name("/run/part-0.parquet.tmp-123-4"));
  for (const char* name : {"part-0.parquet", "x.tmp", "x.tmp-1", "x.tmp-1-", "x.tmp--1",
                           "x.tmp-a-1", ".tmp-1-2", "run/.tmp-1-2", "", "x-1-2"}) {
    EXPECT_FALSE(is_temporary_name(name)) << name;
  }
}

TEST(WriteTest, FullDiskIsResourceExhaustedAndNamesThePath) {
  // A device that is always full.
  const Descriptor full(::open("/dev/full", O_WRONLY));
  if (full.get() < 0) GTEST_SKIP() << "skipped: no /dev/full";
  const auto written = write_all(full.get(), "/data/part-0", "bytes");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), Code::kResourceExhausted);
  EXPECT_NE(written.error().message().find("/data/part-0"), std::string::npos);
}

}  // namespace
}  // namespace headrace::io
