// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using ::testing::HasSubstr;

TEST(RegistryTest, HoldsTheStepsInListOrder) {
  std::vector<std::string> names;
  for (const StepInfo& step : registry().all()) {
    names.push_back(step.name);
    EXPECT_FALSE(step.changes.empty()) << step.name;
    EXPECT_FALSE(step.summary.empty()) << step.name;
  }
  EXPECT_THAT(names, ::testing::ElementsAre("control_chars", "html_to_text", "whitespace",
                                            "unicode_form", "mojibake", "pii"));
}

TEST(MakeStepTest, EachStepWithItsDefaults) {
  for (const StepInfo& step : registry().all()) {
    EXPECT_TRUE(make_step(step.name, {}).has_value()) << step.name;
  }
}

TEST(MakeStepTest, ErrorsNameWhatIsMeant) {
  struct Case {
    std::string name;
    OptionValues options;
    Code code;
    std::string message;
  };
  const Case cases[] = {
      {"whitspace", {}, Code::kInvalidArgument, "did you mean 'whitespace'?"},
      {"",
       {},
       Code::kInvalidArgument,
       "known: control_chars, html_to_text, whitespace, unicode_form, mojibake, pii"},
      {"whitespace", {{"mod", "x"}}, Code::kInvalidArgument, "did you mean 'mode'?"},
      {"whitespace", {{"mode", "paragraph"}}, Code::kInvalidArgument, "did you mean 'paragraphs'?"},
      {"control_chars", {{"mode", "x"}}, Code::kInvalidArgument, "takes no options"},
      {"unicode_form", {{"form", "nfd"}}, Code::kInvalidArgument, "did you mean 'nfc'?"},
      {"html_to_text", {{"when", "never"}}, Code::kInvalidArgument, "when"},
      {"pii", {{"mask", "email,phones"}}, Code::kInvalidArgument, "did you mean 'phone'?"},
      {"pii", {{"mask", ""}}, Code::kInvalidArgument, "mask cannot hold ''"},
  };
  for (const Case& c : cases) {
    const auto step = make_step(c.name, c.options);
    ASSERT_FALSE(step.has_value()) << c.name;
    EXPECT_EQ(step.error().code(), c.code) << c.name;
    EXPECT_THAT(step.error().message(), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace headrace::normalize
