// SPDX-License-Identifier: Apache-2.0
#include "curate/rejected.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

// Length of the valid UTF-8 character at the start of `text`; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool bad_second = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                          (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return bad_second ? 0 : length;
}

}  // namespace

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
    return corrupt("a line of rejected records cannot be read: {}", error.what());
  }
}

std::string printable(std::string_view raw) {
  std::string text;
  while (!raw.empty()) {
    const std::size_t length = character_length(raw);
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
