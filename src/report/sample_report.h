// SPDX-License-Identifier: Apache-2.0
// For the tests of this room: a small run whose books balance.
#pragma once

#include "report/report.h"

namespace headrace::report {

inline ReportData sample_report() {
  ReportData data;
  data.name = "zh-en";
  data.run_directory = "runs/zh-en";
  data.version = "0.1.0";
  data.input_files = 3;
  data.input_bytes = 2'500'000;
  data.stages = {
      {"read", 1000, 990, 4, {{"text_missing", 6}}},
      {"judge", 990, 890, 0, {{"code_points_below_min", 70}, {"digit_share_above_max", 30}}},
      {"dedup", 890, 800, 0, {{"exact_duplicate", 90}}}};
  data.domains = {{"news",
                   {{"read", 600, 596, 4, {}},
                    {"judge", 596, 566, 0, {{"digit_share_above_max", 30}}},
                    {"dedup", 566, 500, 0, {{"exact_duplicate", 66}}}},
                   7000},
                  {"诗词",
                   {{"read", 400, 394, 0, {{"text_missing", 6}}},
                    {"judge", 394, 324, 0, {{"code_points_below_min", 70}}},
                    {"dedup", 324, 300, 0, {{"exact_duplicate", 24}}}},
                   3000}};
  Histogram length;
  length.measure = "code_points";
  length.unit = "code points";
  length.summary = "length of the text";
  length.high = 999'999;
  length.scale = Scale::kLogarithmic;
  length.series = {{"news", {0, 10, 300, 250, 79, 1}, 0, 9, 99'999, 1},
                   {"诗词", {0, 0, 100, 250, 0, 0}, 0, 9, {}, 0}};
  data.histograms = {length};
  data.reasons = {{"code_points_below_min",
                   70,
                   {{"1:0", "诗词", "raw/唐诗.txt", "4", "白日依山", false, "min 9"}}}};
  data.notes = {{"raw/empty.jsonl", "empty_file: the file has no bytes"}};
  data.shard_format = "megatron";
  data.shards = 2;
  data.samples = 9;
  data.tokens = 9216;
  data.leftover_tokens = 784;
  data.sequence_length = 1024;
  return data;
}

}  // namespace headrace::report
