// SPDX-License-Identifier: Apache-2.0
#include "read/internal/meta_writer.h"

#include <algorithm>
#include <simdjson.h>

#include <fmt/format.h>

#include "read/internal/json_text.h"

namespace headrace::read {

bool MetaWriter::begin(std::string_view name) {
  if (!keep_all_ && std::find(keep_.begin(), keep_.end(), name) == keep_.end()) return false;
  *json_ += json_->empty() ? '{' : ',';
  append_json_string(name, json_);
  *json_ += ':';
  return true;
}

void MetaWriter::add(std::string_view name, std::string_view text) {
  if (!begin(name)) return;
  if (simdjson::validate_utf8(text.data(), text.size())) {
    append_json_string(text, json_);
    return;
  }
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xC0 | byte >> 6);
      utf8 += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  append_json_string(utf8, json_);
}

void MetaWriter::add(std::string_view name, std::uint64_t number) {
  if (begin(name)) *json_ += fmt::format("{}", number);
}

}  // namespace headrace::read
