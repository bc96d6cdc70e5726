// SPDX-License-Identifier: Apache-2.0
#include "curate/rejected.h"

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

TEST(RejectedTest, PrintableLosesNothing) {
  EXPECT_EQ(printable("plain 中文 😀"), "plain 中文 😀");
  EXPECT_EQ(printable("a\xff\xfe"), "a\\xff\\xfe");
  EXPECT_EQ(printable("a\\xff"), "a\\\\xff");      // a backslash of the text is not one of ours
  EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8");  // cut character
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(RejectedTest, RoundTrip) {
  const RejectedRow row = {.file = 4,
                           .offset = 99,
                           .line = 7,
                           .quarantined = true,
                           .reason = "not_json",
                           .detail = "expected '}' at 12",
                           .bytes = 70'000,
                           .raw = printable("{\"a\": \xff\n")};
  const std::string line = format_rejected(row);
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto parsed = parse_rejected(line);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->offset, 99U);
  EXPECT_EQ(parsed->line, 7U);
  EXPECT_TRUE(parsed->quarantined);
  EXPECT_EQ(parsed->raw, row.raw);
  EXPECT_EQ(parsed->bytes, 70'000U);
}

TEST(RejectedTest, DamagedLineIsAnError) {
  for (const char* line : {"", "{", "{}", "[1]", "{\"file\": \"x\"}"})
    EXPECT_FALSE(parse_rejected(line)) << line;
}

}  // namespace
}  // namespace headrace::curate
