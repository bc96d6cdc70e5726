// SPDX-License-Identifier: Apache-2.0
#include "plan/fingerprint.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace headrace::plan {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.format = "megatron";
  manifest.token_type = "uint16";
  manifest.sequence_length = 16;
  manifest.shards = {{"a.bin", 2, 32, {{"a.bin", 64, "aa"}, {"a.bin.hri", 9, "bb"}}},
                     {"b.bin", 3, 48, {{"b.bin", 96, "cc"}}}};
  return manifest;
}

TEST(FingerprintTest, NeverChanges) {  // resume states hold it
  EXPECT_EQ(
      fingerprint(example(), {.seed = 7}),
      "order=1;set=f7a524c4e75b52d3c57b03fc1ac4fa9d;shuffle=true;seed=7;lanes=64;window=4096");
}

TEST(FingerprintTest, EverythingThatDecidesTheOrderEnters) {
  std::set<std::string> all = {fingerprint(example(), {})};
  all.insert(fingerprint(example(), {.seed = 1}));
  all.insert(fingerprint(example(), {.shuffle = false}));
  all.insert(fingerprint(example(), {.lanes = 32}));
  all.insert(fingerprint(example(), {.window = 1}));
  Manifest other = example();
  other.shards[1].files[0].xxh3_128 = "dd";
  all.insert(fingerprint(other, {}));
  other = example();
  std::swap(other.shards[0], other.shards[1]);
  all.insert(fingerprint(other, {}));
  other = example();
  other.sequence_length = 8;
  all.insert(fingerprint(other, {}));
  EXPECT_EQ(all.size(), 8U);
}

TEST(FingerprintTest, WhatDecidesNothingDoesNotEnter) {
  Manifest moved = example();
  moved.shards[0].path = "elsewhere/a.bin";
  moved.shards[0].files[0].path = "elsewhere/a.bin";
  EXPECT_EQ(fingerprint(moved, {}), fingerprint(example(), {}));
  EXPECT_EQ(fingerprint(example(), {.seed = 1, .shuffle = false, .lanes = 8}),
            fingerprint(example(), {.seed = 2, .shuffle = false, .window = 8}));
}

TEST(FingerprintTest, DifferencesAreNamed) {
  const std::string here = fingerprint(example(), {.seed = 7});
  EXPECT_TRUE(check_fingerprint(here, here));
  const auto message = [&](const std::string& found) {
    const Result<void> result = check_fingerprint(here, found);
    EXPECT_FALSE(result);
    EXPECT_EQ(result.error().code(), Code::kInvalidArgument);
    return result.error().message();
  };
  EXPECT_NE(message(fingerprint(example(), {.seed = 8, .window = 16}))
                .find("seed is 7, the state was made with 8; window is 4096, the state was made "
                      "with 16;"),
            std::string::npos);
  Manifest other = example();
  other.shards[0].files[0].xxh3_128 = "dd";
  EXPECT_NE(message(fingerprint(other, {.seed = 7})).find("set (checksums of its shards) is "),
            std::string::npos);
  EXPECT_EQ(message(fingerprint(other, {.seed = 7})).find("seed"), std::string::npos);
  EXPECT_NE(message("").find("order is 1, the state was made with (not given)"), std::string::npos);
  EXPECT_NE(message("rubbish;;=x").find("rubbish is (not given)"), std::string::npos);
}

}  // namespace
}  // namespace headrace::plan
