// SPDX-License-Identifier: Apache-2.0
// Bullet line share: lines that begin with a bullet, per line.
//
// Bullets are • and - as in datatrove, * as in dolma, and the signs that pages of other scripts
// use: ‣ ⁃ · ● ○ ◦ ▪ ▫ ■ □ ◆ ◇ ★ ☆ ▶ ► ➢, with or without a blank behind them. Numbers (1. ① 一、)
// are none: laws, recipes and novels with numbered chapters are prose, and Gopher speaks of
// bullets. Nor are dashes (– —): dialogue of many languages begins with one.
//
// Source: Gopher (arXiv 2112.11446), which drops above 0.9. Equal to datatrove's on lines that
// begin with no other of these signs, but for blank lines, which it counts in the denominator. On
// prose: English web pages (672) median 0, the middle 90 % 0 to 0.45; main text of Chinese pages
// (69) 0, 0 to 0.12.
//
// Null without lines. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_bullet_line_share(Registry& registry) {
  registry.add(
      {.name = "bullet_line_share",
       .unit = "share",
       .summary =
           "share of lines that begin with a bullet (• - * ● and their like); null without lines",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.lines.bulleted, text.view.lines.size());
       }});
}

}  // namespace headrace::measure
