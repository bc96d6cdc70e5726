// SPDX-License-Identifier: Apache-2.0
// What a recipe removes from the texts of kept documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headrace::curate {

struct SpanSpec {
  bool paragraphs = false;
  bool lines = false;
  std::vector<std::string> view;  // of paragraphs and lines: steps of dedup::HashView
  // Of the view of a paragraph or line; shorter ones stay. Why 30: docs/decisions/0046.
  std::uint32_t min_code_points = 30;
  std::optional<std::uint32_t> substring_code_points;  // nothing: equal stretches stay
  bool leaks = false;                                  // the leak check hands spans in

  bool any() const { return paragraphs || lines || substring_code_points || leaks; }
};

}  // namespace headrace::curate
