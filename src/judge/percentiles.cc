// SPDX-License-Identifier: Apache-2.0
// Percentiles of a column, linear between ranks: `auto: p5..p95`.
//
// The p-th percentile of n values lies at rank (n - 1) p / 100, counted from 0; between two ranks
// it is interpolated. Selection (nth_element) instead of a sort: linear in n. The interpolation is
// numpy's, step by step, so that a threshold found in a notebook is the same double here.
// Source: Hyndman and Fan 1996, type 7; numpy.percentile, method "linear".
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "judge/judge.h"

namespace headrace::judge {

std::optional<double> percentile(std::span<double> values, double p) {
  HEADRACE_DCHECK(p >= 0 && p <= 100);
  const auto end =
      std::partition(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
  const auto n = static_cast<std::size_t>(end - values.begin());
  if (n == 0) return std::nullopt;
  const double rank = static_cast<double>(n - 1) * (p / 100);
  const auto below = std::min(static_cast<std::size_t>(rank), n - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), place, end);
  const double low = *place;
  const double weight = rank - static_cast<double>(below);
  if (below + 1 == n || weight == 0) return low;
  const double high = *std::min_element(place + 1, end);
  if (low == high) return low;  // also two equal infinities
  const double step = high - low;
  return weight < 0.5 ? low + step * weight : high - step * (1 - weight);
}

Rule resolve_percentiles(const Rule& rule, std::span<double> values) {
  Rule resolved = rule;
  if (rule.auto_min_percentile) resolved.min = percentile(values, *rule.auto_min_percentile);
  if (rule.auto_max_percentile) resolved.max = percentile(values, *rule.auto_max_percentile);
  resolved.auto_min_percentile.reset();
  resolved.auto_max_percentile.reset();
  return resolved;
}

}  // namespace headrace::judge
