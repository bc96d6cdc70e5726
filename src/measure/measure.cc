// SPDX-License-Identifier: Apache-2.0
#include "measure/measure.h"

#include <limits>

#include "base/error.h"

namespace headrace::measure {

const Measure* Registry::find(std::string_view name) const {
  for (const Measure& measure : measures_) {
    if (measure.name == name) return &measure;
  }
  return nullptr;
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const Measure& measure : measures_) names.push_back(measure.name);
  return names;
}

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
  for (const Measure& measure : registry().measures()) {
    *value++ = measure.of(facts).value_or(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace headrace::measure
