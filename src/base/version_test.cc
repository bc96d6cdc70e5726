// SPDX-License-Identifier: Apache-2.0
#include "headrace/version.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(VersionTest, MacrosHeaderAndLibraryAgree) {
  EXPECT_EQ(version(), kHeaderVersion);
  EXPECT_EQ(version(), fmt::format("{}.{}.{}", HEADRACE_VERSION_MAJOR, HEADRACE_VERSION_MINOR,
                                   HEADRACE_VERSION_PATCH));
}

}  // namespace
}  // namespace headrace
