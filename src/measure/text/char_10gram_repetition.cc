// SPDX-License-Identifier: Apache-2.0
// Character 10-gram repetition, as ROOTS and Data-Juicer count it: of all D different runs of 10
// code points, take the sqrt(D) most frequent that occur more than once; how many of all runs they
// are.
//
// Source: ROOTS (arXiv 2303.03915); character_repetition_filter of Data-Juicer 1.6.1 with rep_len
// 10, which it equals to the bit (tests/interop/data_juicer/test_measures_data_juicer.py). sqrt(D)
// is cut to a whole number. English web pages have 0.05, 95 % below 0.10; Chinese encyclopaedia
// 0.01; code 0.12, 95 % below 0.22. It has a hole: an advertisement of period p scores about
// sqrt(p) / p, so one of 34 characters pasted 50 times has 0.16, a paragraph of 200 pasted 20 times
// 0.07, all below the usual bound of 0.5. For judging there are dup_10gram_coverage and
// periodic_run_share; this column is for bounds that were found with it.
//
// Null below 10 code points (Data-Juicer: 0). Above 64 KiB the text is measured in pieces of 64
// KiB, the value is the share over all. Cost: in facts/code_point_runs.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_char_10gram_repetition(Registry& registry) {
  registry.add({.name = "char_10gram_repetition",
                .unit = "share",
                .summary = "share of runs of 10 code points taken by the most frequent of those "
                           "that repeat (ROOTS, Data-Juicer); null below 10 code points",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  const CodePointRuns& runs = text.code_point_runs;
                  return share(runs.frequent, runs.runs);
                }});
}

}  // namespace headrace::measure
