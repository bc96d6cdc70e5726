// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace headrace {

Result<OptionValues> complete_options(std::string_view owner, const std::vector<OptionInfo>& known,
                                      const OptionValues& given) {
  OptionValues values;
  std::vector<std::string> names;
  for (const OptionInfo& option : known) {
    names.push_back(option.name);
    if (!option.default_value.empty()) values[option.name] = option.default_value;
  }
  for (const auto& [name, value] : given) {
    const auto option = std::find_if(known.begin(), known.end(),
                                     [&](const OptionInfo& o) { return o.name == name; });
    if (option == known.end()) {
      if (names.empty()) return invalid_argument("'{}' takes no options, got '{}'", owner, name);
      return invalid_argument("'{}' has no option '{}'{}", owner, name, suggestion(name, names));
    }
    const auto& allowed = option->allowed;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
      return invalid_argument("'{}': {} cannot be '{}'{}", owner, name, value,
                              suggestion(value, allowed));
    }
    values[name] = value;
  }
  return values;
}

}  // namespace headrace
