// SPDX-License-Identifier: Apache-2.0
// The one registry idiom: what a room's units say of themselves, in the order of its list. A unit
// is anything with a `name`.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headrace {

template <class Unit>
class Registry {
 public:
  void add(Unit unit) { units_.push_back(std::move(unit)); }
  const std::vector<Unit>& all() const { return units_; }

  // nullptr if there is none. Valid as long as nothing is added.
  const Unit* find(std::string_view name) const {
    const auto found = std::find_if(units_.begin(), units_.end(),
                                    [&](const Unit& unit) { return unit.name == name; });
    return found == units_.end() ? nullptr : &*found;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Unit& unit : units_) names.push_back(unit.name);
    return names;
  }

 private:
  std::vector<Unit> units_;
};

}  // namespace headrace
