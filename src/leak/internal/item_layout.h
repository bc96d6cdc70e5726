// SPDX-License-Identifier: Apache-2.0
// How published benchmark files say what read_items() reads. Private to the room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "headrace/result.h"

#include "leak/item.h"

namespace headrace::leak {

using Json = nlohmann::json;

// Text of a JSON value: of a string itself, of an array its texts on lines, of a number its digits.
std::string text_of(const Json& value);

// A record by the fields of `source`, or by the names in use. `options` may be an array, an object
// of letters to texts, {"text": [...], "label": [...]}, or several fields. The answer, if it names
// an option by letter or place, becomes its text.
Item item_of(const Json& record, const ItemFields& fields);

// Options written inside the question, behind marks A. B. C. in order: moves them out. For
// questions about a passage that stands before the first number, moves that out too.
void take_apart(Item* item);

// Rows of fields (RFC 4180). An open quote at the end is an error.
Result<std::vector<std::vector<std::string>>> csv_rows(std::string_view bytes, char separator);

}  // namespace headrace::leak
