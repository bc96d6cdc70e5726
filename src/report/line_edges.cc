// SPDX-License-Identifier: Apache-2.0
// Where a new line can stand.
//
// The page moves lines without the documents, so it holds counts; and what it says must be what
// `headrace judge` would say, to the document. Both hold when a line stands only where counts were
// cut. So the edges are values that somebody would write into a recipe (0.15, 250, not 0.1469), and
// each edge has a count of its own, since bounds are inclusive: a thousand documents of exactly 50
// code points pass `min: 50` and fall under `min: 51`.
#include <algorithm>
#include <cmath>

#include "report/report.h"

namespace headrace::report {
namespace {

constexpr double kLinearSteps = 100;

// Between the powers of ten of a logarithmic axis.
constexpr double kDecade[] = {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8,
                              3, 3.5, 4,   4.5, 5,   5.5, 6,   6.5, 7, 7.5, 8,   9};

// 1, 2 or 5 times a power of ten, at least `rough`.
double round_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_edges(double low, double high) {
  std::vector<double> edges;
  const double step = round_step((high - low) / kLinearSteps);
  // i / (1 / step) for steps below 1: 0.15 as a reader of recipes parses it, not 15 * 0.01.
  const double per_one = std::round(1 / step);
  for (double i = std::floor(low / step); i <= std::ceil(high / step); ++i)
    edges.push_back(step < 1 ? i / per_one : i * step);
  return edges;
}

std::vector<double> logarithmic_edges(double high) {
  std::vector<double> edges;
  for (int half = 0; half < 20; ++half) edges.push_back(half / 2.0);
  for (double power = 10; edges.back() <= high; power *= 10) {
    for (const double factor : kDecade) {
      edges.push_back(std::round(factor * power));
      if (edges.back() > high) break;
    }
  }
  return edges;
}

}  // namespace

std::vector<double> line_edges(Scale scale, double low, double high, std::vector<double> bounds) {
  std::vector<double> edges;
  if (!std::isfinite(low) || !std::isfinite(high) || high <= low) {
    edges = {std::isfinite(low) ? low : 0};
  } else if (scale == Scale::kLogarithmic && low >= 0) {
    edges = logarithmic_edges(high);
  } else {
    edges = linear_edges(low, high);
    // Where a square-root axis is wide, bounds are small: 0.1 % of symbols may be too many.
    if (scale == Scale::kSquareRoot && low >= 0) {
      for (int i = 1; i < 30; ++i) edges.push_back(high == 1 ? i / 1000.0 : i * high / 1000);
    }
  }
  for (const double bound : bounds) {
    if (std::isfinite(bound)) edges.push_back(bound);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::size_t edge_place(const std::vector<double>& edges, double value) {
  const auto edge = std::lower_bound(edges.begin(), edges.end(), value);
  const auto before = static_cast<std::size_t>(edge - edges.begin());
  return 2 * before + (edge != edges.end() && *edge == value ? 1 : 0);
}

}  // namespace headrace::report
