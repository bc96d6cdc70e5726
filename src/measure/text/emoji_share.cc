// SPDX-License-Identifier: Apache-2.0
// Emoji share: code points that are shown as emoji, per code point: those with the Unicode property
// Emoji_Presentation (😀 ⏰ ⭐, each half of a flag, skin tones), and symbols that U+FE0F behind
// them makes emoji (❤️ ☀️ ©️). Of an emoji of several (a family, a flag) each part counts, the joiners
// between do not.
//
// Null for an empty text. Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_emoji_share(Registry& registry) {
  registry.add({.name = "emoji_share",
                .unit = "share",
                .summary = "share of code points that are shown as emoji; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.emoji, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
