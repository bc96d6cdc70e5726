// SPDX-License-Identifier: Apache-2.0
// Values of a histogram → places on its picture. Private to this room.
#pragma once

#include <vector>

#include "report/report.h"

namespace headrace::report {

// A horizontal axis from x = `left` to `right`. A range that is none becomes one of width 1.
class Axis {
 public:
  Axis(const Histogram& histogram, double left, double right);

  Scale scale() const { return scale_; }
  double low() const { return low_; }
  double high() const { return high_; }
  bool contains(double value) const { return low_ <= value && value <= high_; }
  double x(double value) const;

  // The value where bin `i` of `n` begins; bins are equally wide on the picture.
  double edge(std::size_t i, std::size_t n) const;

  // Round values, far enough apart for their labels.
  std::vector<double> ticks() const;

 private:
  double share(double value) const;
  std::vector<double> linear_ticks() const;
  std::vector<double> logarithmic_ticks() const;
  std::vector<double> square_root_ticks() const;

  Scale scale_;
  double low_;
  double high_;
  double left_;
  double right_;
};

}  // namespace headrace::report
