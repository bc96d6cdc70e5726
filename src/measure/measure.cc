// SPDX-License-Identifier: Apache-2.0
#include "measure/measure.h"

#include <limits>

#include "base/error.h"

namespace headrace::measure {

const Registry& registry() {
  static const Registry all = [] {
    Registry r;
    register_all(r);
    return r;
  }();
  return all;
}

void MeasureSet::of(const TextView& view, std::span<double> values) {
  HEADRACE_DCHECK(values.size() == size());
  const TextFacts& facts = facts_.build(view);
  double* value = values.data();
  for (const Measure& measure : registry().all()) {
    *value++ = measure.of(facts).value_or(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace headrace::measure
