// SPDX-License-Identifier: Apache-2.0
// JSON files that know when they were changed: the last key is a checksum over all others, and one
// form of writing is the only one. Part of the format; see docs/formats/run_directory.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headrace::curate {

// The text of the file. Bytes that are no UTF-8 are replaced.
std::string seal(nlohmann::ordered_json json);

// What seal() was given; nothing for any text that it did not write.
std::optional<nlohmann::ordered_json> unseal(std::string_view text);

}  // namespace headrace::curate
