// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(ProgressTest, LineHasRateAndTimeLeft) {
  EXPECT_EQ(format_progress("documents", 250'000'000, 1'000'000'000, true, 5),
            "documents  250 MB of 1.0 GB  25 %  50 MB/s  15 s left");
  EXPECT_EQ(format_progress("judge", 1'234'567, 0, false, 1), "judge      1,234,567  1,234,567/s");
  EXPECT_EQ(format_progress("shards", 0, 8, false, 0), "shards     0 of 8  0 %");
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
