// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_phrases.h"

namespace headrace::measure {
namespace {

const std::vector<std::string> kPolicyPhrases = {
    "terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies",
    "use cookies",  "使用条款",       "服务条款",      "用户协议",     "隐私政策",
    "隐私条款",     "隐私声明",       "隐私权政策",    "免责声明",     "版权声明",
    "版权所有",     "使用cookie",     "使用cookies"};

std::optional<double> slow_policy_phrases(const SlowView& view) {
  return static_cast<double>(slow_phrases(view, kPolicyPhrases).count);
}

HEADRACE_TEST_AGAINST_SLOW(PolicyPhrasesTest, "policy_phrases", slow_policy_phrases);

TEST(PolicyPhrasesTest, EqualsItsSlowFormOnTextsOfPhrases) {
  std::vector<std::string> pieces = kPolicyPhrases;
  for (const char* other : {" ", "\n", "x", "，", "的", "-"}) pieces.insert(pieces.end(), 4, other);
  expect_equals_slow_on("policy_phrases", slow_policy_phrases, texts_of(pieces, 500));
}

TEST(PolicyPhrasesTest, CountsPhrases) {
  EXPECT_EQ(measure_of("policy_phrases", ""), 0.0);
  EXPECT_EQ(measure_of("policy_phrases", "Privacy Policy | Terms of Use. This site uses cookies"),
            3.0);
  EXPECT_EQ(measure_of("policy_phrases", "隐私政策｜免责声明 版权所有©2024，本站使用Cookies"), 4.0);
  EXPECT_EQ(measure_of("policy_phrases", "privacy and policy; in terms of users"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
