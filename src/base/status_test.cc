// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include <gtest/gtest.h>

#include "base/error.h"

namespace headrace {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return invalid_argument("{} is odd", number);
  return number / 2;
}

Result<int> quarter(int number) {
  HEADRACE_ASSIGN_OR_RETURN(const int once, half(number));
  HEADRACE_ASSIGN_OR_RETURN(const int twice, half(once));
  return twice;
}

TEST(StatusTest, MacrosPassValueAndError) {
  EXPECT_EQ(quarter(12).value(), 3);
  const Result<int> odd = quarter(6);
  ASSERT_FALSE(odd.has_value());
  EXPECT_EQ(odd.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(odd.error().message(), "3 is odd");
}

TEST(StatusTest, ContextIsPutInFront) {
  const Status status =
      corrupt("bad byte").with_context("line 3").with_context("a.jsonl").with_reach(Reach::kRecord);
  EXPECT_EQ(status.message(), "a.jsonl: line 3: bad byte");
  EXPECT_EQ(status.reach(), Reach::kRecord);
  EXPECT_EQ(code_name(status.code()), "corrupt");
}

TEST(StatusTest, SystemErrorsHaveCodes) {
  EXPECT_EQ(errno_status(ENOENT, "opening x").code(), Code::kNotFound);
  EXPECT_EQ(errno_status(ENOSPC, "writing x").code(), Code::kResourceExhausted);
  EXPECT_EQ(errno_status(EACCES, "opening x").code(), Code::kUnavailable);
  EXPECT_EQ(errno_status(ENOENT, "opening x").message(), "opening x: No such file or directory");
}

}  // namespace
}  // namespace headrace
