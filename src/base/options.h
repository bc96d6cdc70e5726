// SPDX-License-Identifier: Apache-2.0
// Named options with bounds, declared once: they feed parsing, --help, the reference pages and the
// run's fingerprint.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// One option of a unit (a normalizing step, a container, ...).
struct OptionInfo {
  std::string name;
  std::string default_value;         // as it would be written in a recipe; "" = none
  std::vector<std::string> allowed;  // when not empty, the only values
  std::string summary;               // one sentence with unit and range
  bool list = false;                 // a list of allowed values, joined by commas: "email,ip"
};

// "email,ip" → {"email", "ip"}.
std::vector<std::string> split_list(std::string_view value);

using OptionValues = std::map<std::string, std::string>;

// `given` completed with defaults. Unknown names and values that are not allowed are errors with a
// suggestion; `owner` names whose options they are ("whitespace").
Result<OptionValues> complete_options(std::string_view owner, const std::vector<OptionInfo>& known,
                                      const OptionValues& given);

}  // namespace headrace
