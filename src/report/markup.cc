// SPDX-License-Identifier: Apache-2.0
// Escaping and number formats of the page.
//
// The texts shown are the worst of the corpus by selection: broken bytes, markup, bidirectional
// overrides that reorder a line on screen, zero-width characters that hide in it. So nothing
// reaches the page but characters that show; everything else is spelled out. Escaping all five of
// < > & " ' makes one function right for content and for attributes.
#include "report/markup.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"

namespace headrace::report {
namespace {

struct Decoded {
  char32_t character = 0;
  std::size_t bytes = 0;  // 0: not UTF-8 here
};

// One strictly valid UTF-8 character from the front: no overlong forms, no surrogates.
Decoded decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) {
    return {};
  }
  char32_t character = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) {
      return {};
    }
    character = (character << 6) | (next & 0x3F);
  }
  const bool overlong = (bytes == 3 && character < 0x800) || (bytes == 4 && character < 0x10000);
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (overlong || surrogate || character > 0x10FFFF) {
    return {};
  }
  return {character, bytes};
}

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that show nothing, that change how their neighbours show, or that XML forbids.
constexpr Range kInvisible[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool is_invisible(char32_t character) {
  if ((character & 0xFFFE) == 0xFFFE) {  // noncharacters at the end of every plane
    return true;
  }
  return std::any_of(std::begin(kInvisible), std::end(kInvisible), [character](const Range& r) {
    return r.first <= character && character <= r.last;
  });
}

std::string_view entity(char character) {
  switch (character) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string escape_with(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  const auto spell = [&](const std::string& name) {
    out += keep_lines ? "<b class=\"c\">" + name + "</b>" : name;
  };
  while (!text.empty()) {
    const auto [character, bytes] = decode(text);
    if (bytes == 0) {
      spell(fmt::format("\\x{:02X}", static_cast<unsigned char>(text.front())));
      text.remove_prefix(1);
      continue;
    }
    const std::string_view symbol = text.substr(0, bytes);
    text.remove_prefix(bytes);
    if (character == '\r' && text.starts_with('\n')) {
      continue;  // one line end; a lone one is spelled out below
    }
    if (character == '\n' || character == '\t') {
      out += keep_lines ? static_cast<char>(character) : ' ';
    } else if (is_invisible(character)) {
      spell(fmt::format("U+{:04X}", static_cast<std::uint32_t>(character)));
    } else if (const std::string_view name = bytes == 1 ? entity(symbol.front()) : "";
               !name.empty()) {
      out += name;
    } else {
      out += symbol;
    }
  }
  return out;
}

}  // namespace

std::string escape(std::string_view text) { return escape_with(text, false); }

std::string escape_sample(std::string_view text) { return escape_with(text, true); }

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) {
    return "–";
  }
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part == 0 || part == whole) {
    return part == 0 ? "0 %" : "100 %";
  }
  if (share < 0.05 || (share >= 99.95 && part < whole)) {
    return share < 0.05 ? "≈ 0 %" : "≈ 100 %";
  }
  return fmt::format("{:.1f} %", share);
}

std::string number(double value) {
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "not a number" : value > 0 ? "∞" : "−∞";
  }
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    const std::string digits = format_count(static_cast<std::uint64_t>(std::abs(value)));
    return value < 0 ? "−" + digits : digits;
  }
  return fmt::format("{:.6g}", value);
}

std::string short_count(double value) {
  static constexpr const char* kUnits[] = {"", " k", " M", " G", " T", " P", " E"};
  std::size_t unit = 0;
  // 999.5, not 1000: what three digits would round to "1000 k" is "1 M".
  while (std::abs(value) >= 999.5 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g}{}", value + 0.0, kUnits[unit]);  // + 0.0: no "-0"
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string bar(std::string_view label, std::initializer_list<Segment> segments) {
  constexpr double kWidth = 1000;
  constexpr double kVisible = 4;  // one document of a million must still show
  std::string out = fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{}\">",
      escape(label));
  double x = 0;
  for (const auto& [css_class, share] : segments) {
    if (!(share > 0)) {
      continue;
    }
    const double width = std::max(kVisible, kWidth * std::min(share, 1.0));
    x = std::min(x, kWidth - width);  // slivers widened above must not push the last one out
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"{}\" x=\"{}\" width=\"{}\" height=\"10\"/>", css_class,
                   coordinate(x), coordinate(width));
    x += width;
  }
  return out + "</svg>";
}

}  // namespace headrace::report
