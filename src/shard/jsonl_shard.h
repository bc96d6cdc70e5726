// SPDX-License-Identifier: Apache-2.0
// The two directions of a JSON Lines shard.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

Result<std::unique_ptr<FieldWriter>> create_jsonl_writer(const std::string& prefix,
                                                         const Schema& schema,
                                                         const FieldOptions& options);
Result<std::unique_ptr<FieldReader>> open_jsonl_reader(const std::string& path,
                                                       const FieldReadOptions& options);

// Base64 with its padding.
void append_base64(std::string_view bytes, std::string* out);
// Nothing for text that is none.
std::optional<std::string> parse_base64(std::string_view text);

}  // namespace headrace::shard
