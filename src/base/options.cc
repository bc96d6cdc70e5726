// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace headrace {

std::vector<std::string> split_list(std::string_view value) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    items.emplace_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

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
    for (const std::string& item : option->list ? split_list(value) : std::vector{value}) {
      if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), item) == allowed.end()) {
        return invalid_argument("'{}': {} cannot {} '{}'{}", owner, name,
                                option->list ? "hold" : "be", item, suggestion(item, allowed));
      }
    }
    values[name] = value;
  }
  return values;
}

}  // namespace headrace
