// SPDX-License-Identifier: Apache-2.0
// Periodic run share: share of code points inside periodic runs. A run is periodic with the period
// p, 1 to 64, if each of its code points equals the one p before it, from its (p + 1)th on, if it
// cannot be made longer at either end, and if it has at least 4p code points and at least 16. Its
// first period counts as well; where runs overlap, each code point counts once.
//
// Source: the repetitions of Dolma (arXiv 2402.00159, a pattern four times in a row), on code
// points and exact. 16 is there so that "----" and "哈哈哈" are not yet repetition. It sees what
// n-gram frequencies keep: an advertisement of 34 characters pasted 50 times, one of 5 pasted 100
// times, both 1. 95 % of English and Chinese prose have 0, code has up to 0.08 (separators).
//
// Null for an empty text. Above 64 KiB the text is measured in pieces of 64 KiB, and runs end with
// their piece. Cost: in facts/periods.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_periodic_run_share(Registry& registry) {
  registry.add({.name = "periodic_run_share",
                .unit = "share",
                .summary = "share of code points in stretches that repeat with a period of 1 to 64 "
                           "at least four times; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.code_point_runs.periodic, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
