// SPDX-License-Identifier: Apache-2.0
// Replacement character share: U+FFFD per code point. Each stands for bytes that some program could
// not decode and threw away: what is lost cannot be repaired. Text has none; 0.001 is a page with a
// broken quotation, 0.05 a page in the wrong encoding. Null for an empty text. Cost: in
// facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_replacement_char_share(Registry& registry) {
  registry.add({.name = "replacement_char_share",
                .unit = "share",
                .summary = "share of code points that are U+FFFD; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.replacement, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
