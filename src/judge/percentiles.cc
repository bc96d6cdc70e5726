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

std::vector<double> percentiles(std::span<double> values, std::span<const double> points) {
  const auto end =
      std::partition(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
  const auto n = static_cast<std::size_t>(end - values.begin());
  std::vector<double> found;
  if (n == 0) return found;
  // What lies before `from` is known to be no greater than what follows: later points look there.
  auto from = values.begin();
  for (const double p : points) {
    HEADRACE_DCHECK(p >= 0 && p <= 100);
    const double rank = static_cast<double>(n - 1) * (p / 100);
    const auto below = std::min(static_cast<std::size_t>(rank), n - 1);
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
    HEADRACE_DCHECK(place >= from);
    std::nth_element(from, place, end);
    from = place;
    const double low = *place;
    const double weight = rank - static_cast<double>(below);
    if (below + 1 == n || weight == 0) {
      found.push_back(low);
      continue;
    }
    const double high = *std::min_element(place + 1, end);
    const double step = high - low;
    found.push_back(low == high    ? low  // also two equal infinities
                    : weight < 0.5 ? low + step * weight
                                   : high - step * (1 - weight));
  }
  return found;
}

std::optional<double> percentile(std::span<double> values, double p) {
  const std::vector<double> found = percentiles(values, std::span(&p, 1));
  return found.empty() ? std::nullopt : std::optional(found.front());
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
