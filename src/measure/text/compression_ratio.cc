// SPDX-License-Identifier: Apache-2.0
// Compression ratio: bytes of the LZ4 block made of the first 64 KiB of the text, per byte of them.
// Small is repetitive. LZ4 at an acceleration of 8, which finds long repeats well and short ones
// seldom: English web pages have 0.86 to 1.01, Chinese encyclopaedia 0.89 to 0.96, code 0.35 to
// 1.03, an advertisement pasted fifty times below 0.1. Short texts hardly compress and lie near 1
// or above, so a bound belongs in length buckets. Another version of LZ4 may give another value; it
// is for comparing texts, not for planning disks.
//
// Source: the gzip annotators of other pipelines. Null for an empty text. Cost: in
// facts/compression.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_compression_ratio(Registry& registry) {
  registry.add(
      {.name = "compression_ratio",
       .unit = "compressed bytes per byte",
       .summary =
           "bytes of an LZ4 block per byte of the first 64 KiB of text; null for an empty text",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.compression.compressed, text.compression.bytes);
       }});
}

}  // namespace headrace::measure
