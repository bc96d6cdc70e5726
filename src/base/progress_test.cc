// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(ProgressTest, LineHasRateAndTimeLeft) {
  EXPECT_EQ(format_progress("read", 250'000'000, 1'000'000'000, kBytes, 5),
            "read       250 MB of 1.0 GB  25 %  50 MB/s  15 s left");
  EXPECT_EQ(format_progress("judge", 1'234'567, 0, "documents", 1),
            "judge      1,234,567  1,234,567/s");
  EXPECT_EQ(format_progress("shard", 0, 8, "sequences", 0), "shard      0 of 8  0 %");
  EXPECT_EQ(format_progress("report", 0, 1, "", 3), "report     …");
}

TEST(ProgressTest, PercentOfHugeAmounts) {
  const std::uint64_t exabytes = 12'000'000'000'000'000'000U;
  EXPECT_EQ(format_progress("read", exabytes / 2, exabytes, "bits", 0),
            "read       6,000,000,000,000,000,000 of 12,000,000,000,000,000,000  50 %");
}

TEST(ProgressTest, FinishedLineHasTheTime) {
  EXPECT_EQ(format_finished("read", 43'000'000, kBytes, 4),
            "read       43 MB                   4.0 s  (11 MB/s)");
  EXPECT_EQ(format_finished("judge", 70'000, "documents", 0.25),
            "judge      70,000 documents        0.2 s  (280,000/s)");
  EXPECT_EQ(format_finished("report", 1, "", 75), "report                          1 min 15 s");
}

TEST(ProgressTest, Units) {
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1.0 KB");
  EXPECT_EQ(format_bytes(999'960), "1.0 MB");
  EXPECT_EQ(format_bytes(64'000'000'000), "64 GB");
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(1'000'000), "1,000,000");
  EXPECT_EQ(format_seconds(59.6), "1 min 0 s");
  EXPECT_EQ(format_seconds(7500), "2 h 5 min");
}

}  // namespace
}  // namespace headrace
