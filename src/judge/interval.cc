// SPDX-License-Identifier: Apache-2.0
// Clopper and Pearson's interval: quantiles of a beta distribution, found by bisection.
//
// It is exact where the normal approximation fails, with few or no hits, as most rules have. The
// price is width: it covers more often than it says. A sample without replacement from a corpus is
// better than one with replacement, which this assumes, so that errs to the same side.
//
// The beta distribution function is computed by its continued fraction (Lentz's method), which
// converges in some sqrt(n) steps on the side of the mean where it is used.
// Source: Clopper and Pearson 1934; Abramowitz and Stegun 26.5.8.
#include "judge/interval.h"

#include <cmath>

#include "base/error.h"

namespace headrace::judge {
namespace {

constexpr int kMostSteps = 100000;
constexpr double kTiny = 1e-300;

double beta_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::fabs(d) < kTiny ? kTiny : d);
  double h = d;
  for (int m = 1; m < kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      d = 1 / (std::fabs(d) < kTiny ? kTiny : d);
      c = 1 + term / c;
      if (std::fabs(c) < kTiny) c = kTiny;
      h *= c * d;
    }
    if (std::fabs(c * d - 1) < 1e-14) break;
  }
  return h;
}

// P(X <= x) of the beta distribution, 0 < x < 1.
double beta_cdf(double a, double b, double x) {
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double beta_quantile(double a, double b, double p) {
  double low = 0;
  double high = 1;
  for (int step = 0; step < 200 && high - low > 1e-15; ++step) {
    const double middle = (low + high) / 2;
    (beta_cdf(a, b, middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Interval share_interval(std::uint64_t k, std::uint64_t n, double confidence) {
  HEADRACE_DCHECK(k <= n && confidence > 0 && confidence < 1);
  Interval interval;
  const double tail = (1 - confidence) / 2;
  const auto hits = static_cast<double>(k);
  const auto misses = static_cast<double>(n - k);
  if (k > 0) interval.low = beta_quantile(hits, misses + 1, tail);
  if (k < n) interval.high = beta_quantile(hits + 1, misses, 1 - tail);
  return interval;
}

}  // namespace headrace::judge
