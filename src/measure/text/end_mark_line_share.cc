// SPDX-License-Identifier: Apache-2.0
// End-mark line share: lines that end in an end mark, or in closing quotes and brackets behind one,
// per line.
//
// End marks are those of TextView (record/char_class.h): Unicode's Sentence_Terminal, so 。！？ and
// the marks of all scripts, and … and ；. So 未完待续…… and 他说：“走。” end in one, and so does
// "To be continued..."; a line that ends in a quote or bracket alone does not. The measure stands
// alone: no least number of words, no rule about ellipses; those are C4's (c4_line_share).
//
// Source: FineWeb (arXiv 2406.17557), which drops below 0.12 (FineWeb-2 for Chinese: 0.106).
// datatrove takes the same property but looks at the very last character, so a line that ends in a
// closing quote or bracket, or in … or ；, counts here and not there, and one that ends in white
// space the other way round. Equal elsewhere. On prose: English web pages (672) median
// 0.67, the middle 90 % 0 to 1; main text of Chinese pages (69) 0.79, 0.12 to 1.
//
// Null without lines. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_end_mark_line_share(Registry& registry) {
  registry.add({.name = "end_mark_line_share",
                .unit = "share",
                .summary = "share of lines that end in an end mark, closing quotes and brackets "
                           "behind it aside; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.lines.end_marked, text.view.lines.size());
                }});
}

}  // namespace headrace::measure
