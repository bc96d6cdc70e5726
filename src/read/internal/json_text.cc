// SPDX-License-Identifier: Apache-2.0
#include "read/internal/json_text.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace headrace::read {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Four hex digits at `p`, or a number above 0xFFFF.
std::uint32_t hex4(const char* p) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i];
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      value = value << 4 | static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return 0x10000;
    }
  }
  return value;
}

char* put_utf8(std::uint32_t c, char* out) {
  const auto put = [&out](std::uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
  return out;
}

// The character of a \u escape whose hex digits start at *p.
JsonEscape unescape_unicode(const char** p, const char* end, char** out) {
  if (end - *p < 4) return JsonEscape::kBad;
  std::uint32_t c = hex4(*p);
  if (c > 0xFFFF) return JsonEscape::kBad;
  *p += 4;
  if (c >= 0xDC00 && c < 0xE000) return JsonEscape::kUnpaired;
  if (c >= 0xD800 && c < 0xDC00) {
    if (end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u') return JsonEscape::kUnpaired;
    const std::uint32_t low = hex4(*p + 2);
    if (low > 0xFFFF) return JsonEscape::kBad;
    if (low < 0xDC00 || low > 0xDFFF) return JsonEscape::kUnpaired;
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    *p += 6;
  }
  *out = put_utf8(c, *out);
  return JsonEscape::kGood;
}

constexpr std::array<char, 256> kSimpleEscapes = [] {
  std::array<char, 256> table{};
  table['"'] = '"';
  table['\\'] = '\\';
  table['/'] = '/';
  table['b'] = '\b';
  table['f'] = '\f';
  table['n'] = '\n';
  table['r'] = '\r';
  table['t'] = '\t';
  return table;
}();

}  // namespace

std::string_view trim_json_space(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// RFC 8259: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool is_json_number(std::string_view token) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < token.size() && is_digit(token[i])) ++i;
    return i > from;
  };
  const auto take = [&](std::string_view any) {
    const bool found = i < token.size() && any.find(token[i]) != any.npos;
    i += found ? 1 : 0;
    return found;
  };
  take("-");
  if (!take("0") && !digits()) return false;
  if (take(".") && !digits()) return false;
  if (take("eE")) {
    take("+-");
    if (!digits()) return false;
  }
  return i == token.size();
}

// An escape is never shorter than what it stands for, so the text fits the size of `raw`.
JsonEscape unescape_json(std::string_view raw, std::string* text) {
  const void* first = std::memchr(raw.data(), '\\', raw.size());
  if (raw.empty() || first == nullptr) {
    text->assign(raw);
    return JsonEscape::kGood;
  }
  text->resize(raw.size());
  char* out = text->data();
  const char* p = raw.data();
  const char* const end = p + raw.size();
  const char* next = static_cast<const char*>(first);
  while (next != nullptr) {
    std::memcpy(out, p, static_cast<std::size_t>(next - p));
    out += next - p;
    p = next + 1;
    if (p == end) return JsonEscape::kBad;
    const char c = *p++;
    if (c == 'u') {
      if (const JsonEscape state = unescape_unicode(&p, end, &out); state != JsonEscape::kGood) {
        return state;
      }
    } else {
      const char simple = kSimpleEscapes[static_cast<unsigned char>(c)];
      if (simple == 0) return JsonEscape::kBad;
      *out++ = simple;
    }
    next = p == end ? nullptr
           : *p == '\\'
               ? p
               : static_cast<const char*>(std::memchr(p, '\\', static_cast<std::size_t>(end - p)));
  }
  std::memcpy(out, p, static_cast<std::size_t>(end - p));
  out += end - p;
  text->resize(static_cast<std::size_t>(out - text->data()));
  return JsonEscape::kGood;
}

bool is_cut_off_object(std::string_view line) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = depth > 0;
      if (depth == 0) return false;
    } else if (c == '{' || c == '[') {
      if (depth == 0 && c == '[') return false;
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth <= 1) return false;
      --depth;
    } else if (depth == 0 && !is_space(c)) {
      return false;
    }
  }
  return in_string || depth > 0;
}

void append_json_string(std::string_view text, std::string* json) {
  constexpr std::string_view kHex = "0123456789abcdef";
  *json += '"';
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    json->append(text, from, i - from);
    from = i + 1;
    *json += '\\';
    if (c == '"' || c == '\\') {
      *json += static_cast<char>(c);
    } else if (c == '\n') {
      *json += 'n';
    } else if (c == '\t') {
      *json += 't';
    } else if (c == '\r') {
      *json += 'r';
    } else {
      *json += "u00";
      *json += kHex[c >> 4];
      *json += kHex[c & 15];
    }
  }
  json->append(text, from);
  *json += '"';
}

}  // namespace headrace::read
