// SPDX-License-Identifier: Apache-2.0
#include "tokenize/pattern_json.h"

#include "base/error.h"

namespace headrace::tokenize {

Result<Pattern> read_pattern(const JsonObject& object, std::string_view where) {
  std::string_view text;
  JsonElement value;
  if (object.at_key("pattern").get(value) != simdjson::SUCCESS) {
    return corrupt("{}: no \"pattern\"", where);
  }
  if (value.at_key("String").get(text) == simdjson::SUCCESS && !text.empty()) {
    return Pattern{.text = std::string(text)};
  }
  if (value.at_key("Regex").get(text) != simdjson::SUCCESS) {
    return unsupported("{}: pattern {}", where, shown(value));
  }
  HEADRACE_ASSIGN_OR_RETURN(Regex regex, Regex::parse(text, RegexDialect::kOniguruma));
  if (regex.may_match_nothing()) {
    return unsupported("{}: pattern {} may match nothing", where, text);
  }
  return Pattern{.text = std::string(text), .regex = std::move(regex)};
}

Result<simdjson::dom::array> members_of(const JsonObject& object, std::string_view where,
                                        std::string_view field) {
  HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", field}));
  simdjson::dom::array members;
  if (object.at_key(field).get(members) != simdjson::SUCCESS) {
    return corrupt("{}: no array \"{}\"", where, field);
  }
  return members;
}

}  // namespace headrace::tokenize
