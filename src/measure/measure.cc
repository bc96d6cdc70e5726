// SPDX-License-Identifier: Apache-2.0
#include "measure/measure.h"

#include <limits>

#include "base/error.h"

namespace headrace::measure {

const MeasureInfo* Registry::find(std::string_view name) const {
  for (const MeasureInfo& info : measures_) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

const Registry& registry() {
  static const Registry all = [] {
    Registry r;
    register_all(r);
    return r;
  }();
  return all;
}

MeasureSet::MeasureSet() {
  for (const MeasureInfo& info : registry().measures()) measures_.push_back(info.make());
}

void MeasureSet::of(const TextView& view, std::span<double> values) const {
  HEADRACE_DCHECK(values.size() == size());
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    values[i] = measures_[i]->of(view).value_or(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace headrace::measure
