// SPDX-License-Identifier: Apache-2.0
// Duplicate 10-gram coverage: share of code points that lie in a 10-gram of code points seen
// before.
//
// Source: Gopher (arXiv 2112.11446) has the idea on words; on code points it needs no tokenizer,
// works in Chinese and English alike, and sees what has no words at all ("=====", "哈哈哈哈"). A
// run of 10 code points repeats when the same 10 began anywhere earlier, overlaps included; every
// code point that some repeating run covers counts, once. So the first occurrence does not count,
// the copies do: a paragraph of 200 pasted 20 times scores 0.95, one character over and over
// nearly 1. All code points count, white space too. datatrove instead walks greedily and never
// enters the 10-grams inside a copy; on periodic text the two differ by less than one period. It
// grows with length (what can be said in ten characters recurs), so bounds belong in buckets.
//
// Null below 10 code points. A text above 64 KiB is measured in pieces of 64 KiB, so that memory
// has a bound: the value is the share over all pieces. Cost: in facts/code_point_runs.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_dup_10gram_coverage(Registry& registry) {
  registry.add({.name = "dup_10gram_coverage",
                .unit = "share",
                .summary = "share of code points inside a run of 10 code points that occurred "
                           "before; null below 10 code points",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.code_points < kRunCodePoints) return std::nullopt;
                  return share(text.code_point_runs.covered, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
