// SPDX-License-Identifier: Apache-2.0
// Confidence intervals of a share that was counted in a sample.
#pragma once

#include <cstdint>

namespace headrace::judge {

struct Interval {
  double low = 0;
  double high = 1;
};

// The interval of Clopper and Pearson for a share of which a sample of `n` holds `k`: it covers the
// true share with at least `confidence` (0 to 1), whatever that is. [0, 1] for n = 0. k <= n.
Interval share_interval(std::uint64_t k, std::uint64_t n, double confidence);

}  // namespace headrace::judge
