// SPDX-License-Identifier: Apache-2.0
// What the tests of measures share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "record/testing/slow_view.h"

namespace headrace::measure {

// The value of the measure `name` of a text.
std::optional<double> measure_of(std::string_view name, std::string_view text);

// The same measure, written down a second time over single code points.
using SlowMeasure = std::function<std::optional<double>(const SlowView&)>;

// Expects the measure to equal its slow form, to the bit and at every SIMD level, on odd and random
// texts in many scripts.
void expect_equals_slow(std::string_view name, const SlowMeasure& slow);

// The same on pieces of real text. Returns false, having checked nothing, without HEADRACE_DATA.
bool expect_equals_slow_on_real_text(std::string_view name, const SlowMeasure& slow);

// The same on these texts: for what odd and random texts seldom hold.
void expect_equals_slow_on(std::string_view name, const SlowMeasure& slow,
                           const std::vector<std::string>& texts);

// `count` texts of pieces drawn from `pieces`, 0 to 40 each, with random text between some of them.
std::vector<std::string> texts_of(const std::vector<std::string>& pieces, std::size_t count);

}  // namespace headrace::measure

// The two tests against a slow form that every measure has.
#define HEADRACE_TEST_AGAINST_SLOW(suite, name, slow)                \
  TEST(suite, EqualsItsSlowForm) { expect_equals_slow(name, slow); } \
  TEST(suite, EqualsItsSlowFormOnRealText) {                         \
    if (!expect_equals_slow_on_real_text(name, slow)) {              \
      GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";           \
    }                                                                \
  }                                                                  \
  static_assert(true)
