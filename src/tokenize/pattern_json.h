// SPDX-License-Identifier: Apache-2.0
// What normalizers and pre-tokenizers of a tokenizer.json have in common.
#pragma once

#include <optional>
#include <string>

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/regex.h"

namespace headrace::tokenize {

// {"Regex": "..."} or {"String": "..."}
struct Pattern {
  std::string text;
  std::optional<Regex> regex;
};

// The field "pattern". Unsupported: one that is not known, or that may match nothing.
Result<Pattern> read_pattern(const JsonObject& object, std::string_view where);

// The steps of a Sequence.
Result<simdjson::dom::array> members_of(const JsonObject& object, std::string_view where,
                                        std::string_view field);

}  // namespace headrace::tokenize
