// SPDX-License-Identifier: Apache-2.0
#include "dedup/spill.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "io/test_folder.h"

namespace headrace::dedup {
namespace {

TEST(SpillTest, GivesBackWhatManyThreadsPut) {
  const io::TestFolder folder;
  auto spill = Spill::create(folder.path(), 7, 256);
  ASSERT_TRUE(spill) << spill.error().message();
  std::vector<std::jthread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Spill::Writer writer(*spill);
      for (std::uint64_t i = t; i < 10'000; i += 4) ASSERT_TRUE(writer.put_record(i % 7, i));
      ASSERT_TRUE(writer.flush());
    });
  }
  threads.clear();
  EXPECT_EQ(spill->total_bytes(), 80'000U);
  for (std::uint64_t partition = 0; partition < 7; ++partition) {
    auto records = spill->read_records<std::uint64_t>(partition);
    ASSERT_TRUE(records);
    std::sort(records->begin(), records->end());
    for (std::size_t i = 0; i < records->size(); ++i) ASSERT_EQ((*records)[i], partition + 7 * i);
    spill->release(partition);
    EXPECT_EQ(spill->bytes(partition), 0U);
  }
}

TEST(SpillTest, RecordsStayWholeInTheirExtents) {
  const io::TestFolder folder;
  auto spill = Spill::create(folder.path(), 1, 100);
  ASSERT_TRUE(spill);
  Spill::Writer writer(*spill);
  const std::string sizes[] = {std::string(60, 'a'), std::string(60, 'b'), std::string(500, 'c')};
  for (const std::string& bytes : sizes) ASSERT_TRUE(writer.put(0, bytes));
  ASSERT_TRUE(writer.flush());
  std::vector<std::string> extents;
  ASSERT_TRUE(
      spill->for_each_extent(0, [&](std::uint64_t offset, std::string_view bytes) -> Result<void> {
        extents.emplace_back(bytes);
        std::string again(bytes.size(), ' ');
        EXPECT_TRUE(spill->read_at(offset, again));
        EXPECT_EQ(again, bytes);
        return {};
      }));
  std::sort(extents.begin(), extents.end());
  EXPECT_EQ(extents, std::vector<std::string>(std::begin(sizes), std::end(sizes)));
}

TEST(SpillTest, LeavesNoFile) {
  const io::TestFolder folder;
  auto spill = Spill::create(folder.path(), 1, 100);
  ASSERT_TRUE(spill);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SpillTest, SaysWhereItCannotWrite) {
  const auto spill = Spill::create("/no/such/folder", 1, 100);
  ASSERT_FALSE(spill);
  EXPECT_NE(spill.error().message().find("/no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace headrace::dedup
