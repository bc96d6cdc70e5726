// SPDX-License-Identifier: Apache-2.0
#include "tokenize/json_fields.h"

#include <algorithm>

#include "base/error.h"

namespace headrace::tokenize {

std::string shown(const JsonElement& value) {
  constexpr std::size_t kMost = 200;
  std::string text = simdjson::to_string(value);
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

Result<void> check_fields(const JsonObject& object, std::string_view where,
                          std::initializer_list<std::string_view> known) {
  for (const auto& [field, value] : object) {
    if (std::ranges::find(known, field) == known.end()) {
      return unsupported("{}: unknown field \"{}\" ({})", where, field, shown(value));
    }
  }
  return {};
}

Result<void> check_only(const JsonObject& object, std::string_view where, std::string_view field,
                        std::initializer_list<std::string_view> allowed) {
  JsonElement value;
  if (object.at_key(field).get(value) != simdjson::SUCCESS || value.is_null()) return {};
  const std::string text = shown(value);
  if (std::ranges::find(allowed, text) != allowed.end()) return {};
  return unsupported("{}: \"{}\" is {}: not supported", where, field, text);
}

bool is_null_or_absent(const JsonObject& object, std::string_view field) {
  JsonElement value;
  return object.at_key(field).get(value) != simdjson::SUCCESS || value.is_null();
}

Result<bool> bool_field(const JsonObject& object, std::string_view where, std::string_view field,
                        bool if_absent) {
  JsonElement value;
  if (object.at_key(field).get(value) != simdjson::SUCCESS) return if_absent;
  bool is_set = false;
  if (value.get(is_set) != simdjson::SUCCESS) {
    return corrupt("{}: \"{}\" is {}: not true or false", where, field, shown(value));
  }
  return is_set;
}

Result<std::string> string_field(const JsonObject& object, std::string_view where,
                                 std::string_view field) {
  std::string_view text;
  if (object.at_key(field).get(text) != simdjson::SUCCESS) {
    return corrupt("{}: no string \"{}\"", where, field);
  }
  return std::string(text);
}

Result<JsonObject> object_of(const JsonElement& value, std::string_view where) {
  JsonObject object;
  if (value.get(object) != simdjson::SUCCESS) {
    return corrupt("{} is {}: not an object", where, shown(value));
  }
  return object;
}

}  // namespace headrace::tokenize
