// SPDX-License-Identifier: Apache-2.0
#include "record/text_decoder.h"

namespace headrace {
namespace {

bool starts(std::string_view bytes, std::string_view mark) {
  return bytes.substr(0, mark.size()) == mark;
}

}  // namespace

std::size_t byte_order_mark_length(std::string_view bytes) {
  // UTF-32LE stands before UTF-16LE, whose mark is the first half of its own.
  if (starts(bytes, "\xEF\xBB\xBF")) return 3;
  if (starts(bytes, {"\xFF\xFE\0\0", 4}) || starts(bytes, {"\0\0\xFE\xFF", 4})) return 4;
  if (starts(bytes, "\x84\x31\x95\x33")) return 4;  // GB18030
  if (starts(bytes, "\xFF\xFE") || starts(bytes, "\xFE\xFF")) return 2;
  return 0;
}

}  // namespace headrace
