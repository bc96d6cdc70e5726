// SPDX-License-Identifier: Apache-2.0
// What a recipe removes from the texts of kept documents: lines, paragraphs and longer stretches
// that stand elsewhere too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headrace::curate {

class Section;

struct SpanSpec {
  bool paragraphs = false;
  bool lines = false;
  std::vector<std::string> view;  // of paragraphs and lines: steps of dedup::HashView
  // Of the view of a paragraph or line; shorter ones stay. Why 30: docs/decisions/0046.
  std::uint32_t min_code_points = 30;
  std::optional<std::uint32_t> substring_code_points;  // nothing: equal stretches stay
  // Code points but white space that must be left of a text from which something was removed.
  std::uint32_t min_rest = 1;

  bool any() const { return paragraphs || lines || substring_code_points.has_value(); }
};

// Reads `level` and `min_code_points` of dedup.exact; whether whole documents are among the levels.
bool read_levels(Section& exact, SpanSpec* spans);
// Reads `substring` and `min_rest` of dedup.
void read_substring(Section& dedup, SpanSpec* spans);

}  // namespace headrace::curate
