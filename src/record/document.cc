// SPDX-License-Identifier: Apache-2.0
#include "record/document.h"

#include <charconv>

#include <fmt/format.h>

namespace headrace {
namespace {

bool parse_number(std::string_view text, std::uint64_t* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

std::string to_string(DocumentId id) { return fmt::format("{}:{}", id.file(), id.place()); }

bool parse_document_id(std::string_view text, DocumentId* id) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return parse_number(text, &id->value);
  std::uint64_t file = 0;
  std::uint64_t place = 0;
  if (!parse_number(text.substr(0, colon), &file) || !parse_number(text.substr(colon + 1), &place))
    return false;
  if (file >= DocumentId::kMaxFiles || place > DocumentId::kMaxPlace) return false;
  *id = DocumentId::make(file, place);
  return true;
}

}  // namespace headrace
