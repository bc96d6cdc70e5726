// SPDX-License-Identifier: Apache-2.0
// Stretches of a text that repeat with a period. The definition is in text/periodic_run_share.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headrace::measure {

inline constexpr std::uint32_t kLongestPeriod = 64;  // code points
inline constexpr std::uint32_t kLeastPeriods = 4;
inline constexpr std::uint32_t kShortestPeriodicRun = 16;  // code points

// Keeps a bit per code point. One per thread.
class PeriodCounter {
 public:
  // Code points inside periodic runs. `runs` are all runs of kRunCodePoints code points
  // (internal/code_point_run.h), `repeats` says which of them began earlier (facts/repeats.h).
  template <class Runs>
  std::uint32_t count(const Runs& runs, std::uint32_t count,
                      std::span<const std::uint64_t> repeats);

 private:
  std::vector<std::uint64_t> marks_;  // bit i: code point i lies in a periodic run
};

}  // namespace headrace::measure
