// SPDX-License-Identifier: Apache-2.0
// Unended sentence share: sentences that no end mark ends, per sentence, where line ends cut
// sentences as well.
//
// Each line is taken as a text of its own: what stands in it behind the last end mark, and has a
// word in it, is an unended sentence. So headings, menus and list items are, and so is each line of
// prose with hard line breaks but the last of a sentence: the value says little about such text.
//
// Source: NeMo Curator's rule, at most 0.85; it cuts sentences with nltk, which lets them run over
// line ends. On prose: English web pages (672) median 0.15, the middle 90 % 0 to 0.77; main text of
// Chinese pages (69) 0.08, 0 to 0.58.
//
// Null without sentences. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_unended_sentence_share(Registry& registry) {
  registry.add(
      {.name = "unended_sentence_share",
       .unit = "share",
       .summary =
           "share of sentences without an end mark, cut at line ends; null without sentences",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.lines.unended_sentences, text.lines.sentences);
       }});
}

}  // namespace headrace::measure
