// SPDX-License-Identifier: Apache-2.0
// Sentences, as record/text_view.h defines them.
//
// Rules that know only . ! ? see one sentence in a page of Chinese; here 。！？；… and every other
// mark that Unicode calls a sentence terminal ends one too. An ASCII mark needs white space, a Han
// character or the end of the text behind it (closing quotes and brackets between them do not
// count), so that 3.14 and example.com stay whole; "Mr. Smith" does not. A line end by itself ends
// nothing: prose is often wrapped. Words behind the last end are one more sentence.
// Never null: a text without end marks and words has 0. Cost: none, the view has counted them.
#include "measure/measure.h"

namespace headrace::measure {

void register_sentences(Registry& registry) {
  registry.add({.name = "sentences",
                .unit = "sentences",
                .summary = "sentences, by Chinese, English and other end marks; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return static_cast<double>(text.view.counts.sentences);
                }});
}

}  // namespace headrace::measure
