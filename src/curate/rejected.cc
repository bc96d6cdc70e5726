// SPDX-License-Identifier: Apache-2.0
#include "curate/rejected.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_fault.h"
#include "base/quote.h"

namespace headrace::curate {

using Json = nlohmann::ordered_json;

std::string format_rejected(const RejectedRow& row) {
  const Json json = {{"file", row.file},     {"offset", row.offset},
                     {"line", row.line},     {"kind", row.quarantined ? "quarantined" : "dropped"},
                     {"reason", row.reason}, {"detail", row.detail},
                     {"bytes", row.bytes},   {"raw", row.raw}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<RejectedRow> parse_rejected(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    RejectedRow row;
    row.file = json.at("file");
    row.offset = json.at("offset");
    row.line = json.at("line");
    row.quarantined = json.at("kind") == "quarantined";
    row.reason = json.at("reason");
    row.detail = json.at("detail");
    row.bytes = json.at("bytes");
    row.raw = json.at("raw");
    return row;
  } catch (const nlohmann::json::exception& error) {
    return corrupt("a line of rejected records cannot be read: {}", json_fault(error, line));
  }
}

std::string printable(std::string_view raw) {
  std::string text;
  while (!raw.empty()) {
    const std::size_t length = utf8_length(raw);
    if (length == 0) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(raw.front()));
      raw.remove_prefix(1);
    } else if (raw.front() == '\\') {
      text += "\\\\";
      raw.remove_prefix(1);
    } else {
      text += raw.substr(0, length);
      raw.remove_prefix(length);
    }
  }
  return text;
}

}  // namespace headrace::curate
