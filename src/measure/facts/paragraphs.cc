// SPDX-License-Identifier: Apache-2.0
// A paragraph's hash is folded from the hashes of its lines, so that no byte is read again. Where
// one ends is seen at the newlines between two lines: one, or more.
#include "measure/facts/paragraphs.h"

#include "base/counter_rng.h"

namespace headrace::measure {

ParagraphFacts ParagraphCounter::count(const TextView& view,
                                       std::span<const std::uint64_t> line_hashes) {
  ParagraphFacts facts;
  if (view.lines.empty()) return facts;
  seen_.start(view.lines.size());
  std::size_t newline = 0;  // the first behind the line
  std::uint64_t hash = 0;
  std::uint32_t begin = view.lines.front().begin;
  for (std::size_t i = 0; i < view.lines.size(); ++i) {
    const TextRange line = view.lines[i];
    hash = mix64(hash + line_hashes[i]);
    while (newline < view.newlines.size() && view.newlines[newline] < line.end) ++newline;
    const bool last = i + 1 == view.lines.size();
    if (!last && (newline + 1 >= view.newlines.size() ||
                  view.newlines[newline + 1] >= view.lines[i + 1].begin)) {
      continue;  // one newline: the paragraph goes on
    }
    ++facts.paragraphs;
    if (seen_.add(hash)) {
      ++facts.repeated;
      facts.repeated_code_points += view.code_points({begin, line.end});
    }
    hash = 0;
    if (!last) begin = view.lines[i + 1].begin;
  }
  return facts;
}

}  // namespace headrace::measure
