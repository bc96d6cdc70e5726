// SPDX-License-Identifier: Apache-2.0
// Mean sentence length: code points of the text per sentence.
//
// All code points count, also the white space between sentences and line ends, so that the value
// needs no second look at the text: on prose that is under 2 % more than the sentences alone.
// Lists, tables and keyword spam have no end marks, hence long "sentences"; shredded text has short
// ones. Null for a text without sentences. Cost: none, the view has counted both.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_mean_sentence_length(Registry& registry) {
  registry.add(
      {.name = "mean_sentence_length",
       .unit = "code points per sentence",
       .summary =
           "mean length of sentences, white space between them included; null without sentences",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.view.counts.code_points, text.view.counts.sentences);
       }});
}

}  // namespace headrace::measure
