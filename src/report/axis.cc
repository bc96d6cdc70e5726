// SPDX-License-Identifier: Apache-2.0
// Scales and round ticks.
//
// Lengths and counts span orders of magnitude and lie on a logarithmic axis. Shares lie on a
// square-root axis: those of digits or symbols are 0.01 where the bounds stand at 0.3, and on a
// linear axis all documents would be the first bar.
#include "report/axis.h"

#include <algorithm>
#include <cmath>

namespace headrace::report {
namespace {

constexpr double kTickDistance = 30;  // between square-root ticks, which crowd towards 0

double unscaled(Scale scale, double place) {
  switch (scale) {
    case Scale::kLogarithmic:
      return std::pow(10, place) - 1;
    case Scale::kSquareRoot:
      return place * place;
    case Scale::kLinear:
      break;
  }
  return place;
}

}  // namespace

double scaled(Scale scale, double value) {
  switch (scale) {
    case Scale::kLogarithmic:
      return std::log10(1 + std::max(0.0, value));
    case Scale::kSquareRoot:
      return std::sqrt(std::max(0.0, value));
    case Scale::kLinear:
      break;
  }
  return value;
}

Axis::Axis(const Histogram& histogram, double left, double right)
    : scale_(histogram.low < 0 ? Scale::kLinear : histogram.scale),
      low_(histogram.low),
      high_(histogram.high),
      left_(left),
      right_(right) {
  if (!std::isfinite(low_) || !std::isfinite(high_) || high_ <= low_) {
    low_ = std::isfinite(low_) ? low_ : 0;
    high_ = low_ + 1;
  }
}

double Axis::share(double value) const {
  return (scaled(scale_, value) - scaled(scale_, low_)) /
         (scaled(scale_, high_) - scaled(scale_, low_));
}

double Axis::x(double value) const { return left_ + share(value) * (right_ - left_); }

double Axis::edge(std::size_t i, std::size_t n) const {
  const double part = static_cast<double>(i) / static_cast<double>(n);
  const double from = scaled(scale_, low_);
  return unscaled(scale_, from + part * (scaled(scale_, high_) - from));
}

std::vector<double> Axis::ticks() const {
  switch (scale_) {
    case Scale::kLogarithmic:
      return logarithmic_ticks();
    case Scale::kSquareRoot:
      return square_root_ticks();
    case Scale::kLinear:
      break;
  }
  return linear_ticks();
}

std::vector<double> Axis::linear_ticks() const {
  const double rough = (high_ - low_) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) {
      step = factor * power;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(low_ / step);
  for (int i = 0; (first + i) * step <= high_ + step * 1e-9; ++i) {
    ticks.push_back((first + i) * step);
  }
  return ticks;
}

std::vector<double> Axis::logarithmic_ticks() const {
  std::vector<double> ticks;
  if (low_ <= 0) {
    ticks.push_back(0);
  }
  for (double power = 1; power <= high_; power *= 10) {
    if (power >= low_) {
      ticks.push_back(power);
    }
  }
  if (ticks.size() < 2) {  // less than a decade
    ticks = {low_, high_};
  }
  return ticks;
}

std::vector<double> Axis::square_root_ticks() const {
  std::vector<double> ticks;
  double last = right_ + kTickDistance;
  const double top = std::pow(10, std::floor(std::log10(high_)));
  for (double power = top; power > top / 1e4; power /= 10) {
    for (const double factor : {5.0, 2.0, 1.0}) {
      const double tick = factor * power;
      if (contains(tick) && last - x(tick) >= kTickDistance && x(tick) - left_ >= kTickDistance) {
        ticks.push_back(tick);
        last = x(tick);
      }
    }
  }
  ticks.push_back(low_);
  std::reverse(ticks.begin(), ticks.end());
  return ticks;
}

}  // namespace headrace::report
