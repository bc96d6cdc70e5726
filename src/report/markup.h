// SPDX-License-Identifier: Apache-2.0
// What every section of the page is made with: text that cannot become markup, and numbers as
// people read them. Private to this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::report {

// Text for element content and for quoted attributes, whatever its bytes. The result is valid
// UTF-8 without characters that XML forbids: control and invisible characters become "U+200B",
// bytes that are not UTF-8 become "\xFF". Tabs and line ends become blanks.
std::string escape(std::string_view text);

// The same for text that keeps its lines: line ends stay, and what is not visible by itself stands
// in a <b class="c"> so that it cannot be taken for the text. Element content only.
std::string escape_sample(std::string_view text);

// "12.3 %"; "≈ 0 %" and "≈ 100 %" for what is nearly so, "–" for a share of nothing. Needs no
// escaping.
std::string percent(std::uint64_t part, std::uint64_t whole);

// A bound or an axis value: "100,000", "0.35".
std::string number(double value);

// A count that must be short: "980", "12.3 k", "4.1 M".
std::string short_count(double value);

// An SVG coordinate: at most two decimals, no trailing zeros.
std::string coordinate(double value);

// A bar for a table cell: segments from the left, each a share of the whole width (0 to 1) and the
// class that colours it. Shares above zero stay visible.
struct Segment {
  const char* css_class;
  double share;
};
std::string bar(std::string_view label, std::initializer_list<Segment> segments);

}  // namespace headrace::report
