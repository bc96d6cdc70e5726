// SPDX-License-Identifier: Apache-2.0
// Repeated paragraph character share: code points of paragraphs that have occurred before in the
// text, per code point of the whole text.
//
// Paragraphs and their equality are those of repeated_paragraph_share. A paragraph reaches from the
// first to the last of its code points that are not white space; the line ends inside count.
//
// Source: Gopher (arXiv 2112.11446), duplicate paragraph character fraction, bound 0.2; equal to
// datatrove under the same conditions as repeated_paragraph_share. On prose: English web pages
// (672) median 0, the middle 90 % 0 to 0; main text of Chinese pages (69) 0, 0 to 0.002.
//
// Null without lines. Cost: in facts/paragraphs.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_repeated_paragraph_char_share(Registry& registry) {
  registry.add({.name = "repeated_paragraph_char_share",
                .unit = "share",
                .summary = "code points of paragraphs that occurred before, per code point of the "
                           "text; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.lines.empty()) return std::nullopt;
                  return share(text.paragraphs.repeated_code_points, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
