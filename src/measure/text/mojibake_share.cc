// SPDX-License-Identifier: Apache-2.0
// Mojibake share: code points of which it is plain that text was decoded in the wrong encoding, per
// code point. Counted are
//
// - U+FFFD;
// - UTF-8 read as Windows-1252 or Latin-1: characters whose bytes in Windows-1252 form one
//   sequence of UTF-8 after another. A row of such sequences counts whole if there are two or more,
//   or if one begins with Â, Ã or â, with ï and one of » ¼ ½, or with ðŸ: "â€™", "Ã©", "ï¼Œ", "ä½
//   å¥½". A single one with another lead is good text ("SPASS“", "CAFÉ»");
// - 锟斤拷, which is U+FFFD twice, written as UTF-8 and read as GBK;
// - 烫 or 屯 three times or more in a row: memory that was never written, read as GBK;
// - 锛, 銆 or 鈥 before a Han character, € or U+FFFD, with that: Chinese punctuation in
//   UTF-8, read as GBK.
//
// Precise rather than complete: UTF-8 read as other encodings, or GBK read as Latin-1, is left to
// the step that repairs (normalize: mojibake). Good text has 0. Null for an empty text. Cost: in
// facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_mojibake_share(Registry& registry) {
  registry.add({.name = "mojibake_share",
                .unit = "share",
                .summary = "share of code points that show a wrong decoding (â€™, Ã©, 锟斤拷, "
                           "U+FFFD); null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.mojibake, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
