// SPDX-License-Identifier: Apache-2.0
// How the page looks: a technical report on paper or at night, one column of text width.
//
// Colours are variables, set once for light and once for dark; print takes the light ones. Serif
// for what is read, sans with tabular figures for what is compared. The font lists name Chinese
// faces, because lang="en" would let a browser pick Japanese forms for Han characters.
// No "<" or "&" here: the page is XML too.
#include "report/sections.h"

namespace headrace::report {

const char* style_sheet() {
  return R"css(
:root {
  --paper: #fbfaf6; --ink: #20262b; --soft: #69727a; --rule: #dedbd2; --panel: #f3f1ea;
  --kept: #3a7d8c; --drop: #d39b3f; --quar: #b5423a; --token: #6b7fb0; --bound: #a8322a;
  --good: #2f6f4f; --bad: #b3261e; --heat: 211 155 63;
  --serif: Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Noto Serif", "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", serif;
  --sans: "Inter", "Helvetica Neue", "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif;
  --mono: "SFMono-Regular", "JetBrains Mono", Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15191c; --ink: #dcdfe0; --soft: #8e989f; --rule: #30373c; --panel: #1c2226;
    --kept: #5fa8b8; --drop: #c9944a; --quar: #d9665c; --token: #8c9fd0; --bound: #ee8a80;
    --good: #7cc29c; --bad: #ff8a80; --heat: 201 148 74;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 var(--serif); }
header, main, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.6rem; }
.mark { margin: 0; font: 600 .78rem/1 var(--sans); letter-spacing: .09em; color: var(--kept); }
.mark span { font-weight: 400; color: var(--soft); letter-spacing: 0; }
h1 { margin: .5rem 0 .1rem; font-size: 2.3rem; font-weight: 600; line-height: 1.15; overflow-wrap: anywhere; }
h2 { margin: 3.2rem 0 .3rem; font-size: 1.4rem; font-weight: 600; }
h3 { margin: 2rem 0 .5rem; font-size: 1rem; font-weight: 600; }
.path { font: .82rem/1.5 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
header .path { margin: 0; }
nav { margin-top: 1.1rem; padding: .5rem 0; border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); font: .85rem/1.6 var(--sans); }
nav a { margin-right: 1.3rem; }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--rule); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
code { font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
small { font-size: .8rem; color: var(--soft); font-weight: 400; }
.lead { margin: 0 0 1rem; color: var(--soft); font-size: .95rem; }
.none { margin: .6rem 0; color: var(--soft); font-style: italic; }
.verdict { margin: 1.8rem 0 0; font-size: 1.1rem; font-variant-numeric: tabular-nums; }
.verdict strong { font-weight: 600; }
.verdict.good strong { color: var(--good); }
.verdict.bad { padding: .7rem 1rem; border: 2px solid var(--bad); color: var(--bad); }
ul.wrong { margin: .6rem 0 0; padding-left: 1.2rem; color: var(--bad); font-size: .95rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: 0 2rem; margin: 1.4rem 0 0; }
.card { padding: .75rem 0 .7rem; border-top: 1px solid var(--rule); break-inside: avoid; }
.card dt { font: .76rem/1.3 var(--sans); color: var(--soft); }
.card dd { margin: .15rem 0 0; display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .55rem; }
.card strong { font: 500 1.55rem/1.25 var(--sans); font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.card dd span { font: .82rem/1.3 var(--sans); color: var(--soft); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font: .84rem/1.35 var(--sans); font-variant-numeric: tabular-nums; }
th, td { padding: .42rem .9rem .42rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: middle; }
thead th { color: var(--soft); font-weight: 400; vertical-align: bottom; }
thead small { display: block; }
tbody th { font-weight: 500; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
th:last-child, td:last-child { padding-right: .3rem; }
.n { text-align: right; white-space: nowrap; }
table code { white-space: nowrap; }
.zero { color: var(--soft); opacity: .6; }
.wide { width: 42%; min-width: 12rem; }
.mid { width: 11rem; min-width: 8rem; white-space: nowrap; }
.mid small { display: inline-block; width: 3.6rem; padding-left: .5rem; vertical-align: middle; }
.mid .bar { display: inline-block; width: calc(100% - 3.8rem); vertical-align: middle; }
.bar { display: block; width: 100%; height: .8rem; background: var(--panel); }
.funnel .bar { height: 1.25rem; }
rect.kept { fill: var(--kept); } rect.drop { fill: var(--drop); } rect.quar { fill: var(--quar); } rect.token { fill: var(--token); }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .15em 0 .7em; }
.key.kept { background: var(--kept); } .key.drop { background: var(--drop); } .key.quar { background: var(--quar); }
tr.wrong th, tr.wrong td { color: var(--bad); }
.heat { background: rgb(var(--heat) / calc(var(--h) * .8)); padding-left: .6rem; padding-right: .6rem; }
.measures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(27rem, 100%), 1fr)); gap: 2.2rem 3rem; }
figure { margin: 0; break-inside: avoid; }
figure.measure { display: grid; grid-template-rows: subgrid; grid-row: span 2; row-gap: 0; }
figure.measure .body { display: flex; flex-direction: column; } figure.measure .below { order: 1; }
.measure figcaption { font-size: .92rem; line-height: 1.4; padding-bottom: .5rem; }
figure.measure .body, .below { min-width: 0; }
.measure .none { margin: 0; }
.plot path.kept { fill: var(--kept); } .plot path.drop { fill: var(--drop); }
html:not(.js) .plain .plot, html:not(.js) .live { display: none; }
.moved.cut { fill: var(--bound); opacity: .13; }
.moved.line { stroke: var(--bound); stroke-width: 1.6; fill: none; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .6rem; margin-top: .35rem; font: .8rem/1.4 var(--sans); }
.tools select, .tools button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--rule); border-radius: .3rem; padding: .1rem .4rem; }
.tools .place { max-width: 14rem; }
.tools input { flex: 1; min-width: 6rem; accent-color: var(--kept); }
.tools output { min-width: 4.6rem; font-variant-numeric: tabular-nums; color: var(--bound); }
.tools [hidden] { display: none; }
.effect table { font-size: .78rem; }
.effect td small { display: inline-block; min-width: 3.6rem; }
.effect th, .effect td, .spread th, .spread td { padding-top: .25rem; padding-bottom: .25rem; }
.effect tbody th, .spread tbody th { max-width: 9rem; overflow-wrap: anywhere; }
.spread { font-size: .78rem; }
.below .effect { margin-top: .3rem; }
details.numbers summary { font-size: .76rem; }
details.family { border-top: 1px solid var(--rule); padding: .35rem 0; }
details.family > summary { font: 500 .95rem/1.8 var(--sans); color: var(--ink); }
details.family > .measures { margin: .6rem 0 1.4rem; gap: .4rem 3rem; align-items: start; }
.plain > summary { padding: .25rem 0; line-height: 1.4; color: var(--ink); }
.plain > summary code { font-weight: 600; }
.plain > .body { margin: .5rem 0; }
summary:focus-visible, .tools :focus-visible, a:focus-visible { outline: 2px solid var(--token); outline-offset: 2px; }
.measure figcaption code { font-weight: 600; }
.about { display: block; font-size: .84rem; color: var(--soft); }
.plot { display: block; width: 100%; height: auto; overflow: visible; font: 10px var(--sans); }
.axis { stroke: var(--soft); stroke-width: .8; fill: none; }
.tick { fill: var(--soft); }
.name { fill: var(--ink); font-size: 10.5px; }
.scope { fill: var(--soft); font-size: 10px; }
path.bound { stroke: var(--bound); stroke-width: 1; stroke-dasharray: 3 2; fill: none; }
text.bound { fill: var(--bound); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
path.bound.recipe { stroke-dasharray: none; }
.grid { stroke: var(--rule); stroke-width: .7; fill: none; }
.chance { stroke: var(--soft); stroke-width: .8; stroke-dasharray: 2 3; fill: none; }
.curve { stroke: var(--kept); stroke-width: 1.6; fill: none; }
.likely { stroke: var(--bound); stroke-width: 4; stroke-opacity: .45; fill: none; }
circle.best { fill: var(--bound); }
rect.band { fill: var(--bound); opacity: .13; }
th.line { white-space: nowrap; }
tr.best th, tr.best td { color: var(--bound); font-weight: 600; }
.outside { fill: var(--bound); font-variant-numeric: tabular-nums; }
.facts { margin: .2rem 0 0; font: .76rem/1.4 var(--sans); color: var(--soft); }
.sample { margin: .7rem 0 1.1rem; }
.sample figcaption { font: .8rem/1.5 var(--sans); color: var(--soft); overflow-wrap: anywhere; }
.sample figcaption span { margin-left: .8rem; }
.sample.quar pre { border-left-color: var(--quar); }
.sample .value { color: var(--bound); font-variant-numeric: tabular-nums; }
.sample pre { margin: .3rem 0 0; padding: .7rem .95rem; max-height: 15.3rem; overflow: auto; background: var(--panel); border-left: 3px solid var(--drop); font: .86rem/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
b.c { padding: 0 .25em; margin: 0 .1em; border-radius: .2em; background: var(--rule); color: var(--bound); font: 500 .82em/1 var(--sans); }
details summary { cursor: pointer; font: .85rem/1.6 var(--sans); color: var(--soft); }
footer { margin-top: 4rem; padding-bottom: 3rem; font-size: .85rem; color: var(--soft); }
@media (max-width: 34rem) {
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  .plot { font-size: 13px; } .name, .scope { font-size: 13px; }
  .cards { grid-template-columns: repeat(2, 1fr); gap: 0 1rem; }
}
@media print {
  body { font-size: 10.5pt; background: #fff; }
  header, main, footer { max-width: none; padding: 0; }
  nav { display: none; }
  h2 { break-after: avoid; } h3 { break-after: avoid; }
  tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .sample pre { max-height: none; overflow: visible; }
  .scroll { overflow: visible; }
  .tools, .effect, .live { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
)css";
}

}  // namespace headrace::report
