// SPDX-License-Identifier: Apache-2.0
// c4: the page rules of C4.
//
// C4 removes lines and then looks at what is left. A rule here never changes a text, so the lines
// are only counted: `c4_sentences` are the sentences in the lines that C4 would keep, and a page
// without enough of them is dropped.
// Source: Raffel and others 2020 (arXiv 1910.10683); datatrove 0.10.0,
// C4QualityFilter.
#include "judge/judge.h"

namespace headrace::judge {

void register_c4(Registry& registry) {
  registry.add({.name = "c4",
                .summary = "English web text by the page rules of C4: five sentences in lines that "
                           "end as sentences do, no curly bracket, no lorem ipsum (arXiv "
                           "1910.10683, as in datatrove).",
                .differs = "lines are counted, not removed: text that C4 would cut out of a kept "
                           "page stays; Chinese end marks end a line as well; the list of bad "
                           "words, the language score (0.99) and the removal of repeated three- "
                           "sentence spans are not part of it",
                .set = {.rules = {{.column = "c4_sentences", .min = 5},
                                  {.column = "curly_braces", .max = 0},
                                  {.column = "lorem_ipsum", .max = 0}}}});
}

}  // namespace headrace::judge
