// SPDX-License-Identifier: Apache-2.0
// What a run did, as one self-contained HTML file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headrace::report {

// One stage of the books: in = out + dropped (sum over reasons) + quarantined.
struct StageRow {
  std::string stage;  // "read", "judge", "dedup", "mix" ...
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  std::uint64_t quarantined = 0;
  std::map<std::string, std::uint64_t> dropped;  // reason → documents
};

struct DomainFunnel {
  std::string domain;
  std::vector<StageRow> stages;
  std::uint64_t tokens = 0;  // of the documents in the shards; 0 without a tokenizer
};

// Counts of one measure's values in equal bins over [low, high]; values outside are counted in the
// end bins.
struct Histogram {
  std::string measure;
  std::string unit;
  std::string summary;
  double low = 0;
  double high = 1;
  bool logarithmic = false;  // bins are equal in log10(1 + value)
  std::vector<std::uint64_t> bins;
  std::uint64_t nulls = 0;
  struct Threshold {
    std::string domain;  // "" = all domains
    std::optional<double> min;
    std::optional<double> max;
  };
  std::vector<Threshold> thresholds;
};

struct DroppedSample {
  std::string id;
  std::string domain;
  std::string source;  // path of the input file
  std::string value;   // what the rule saw, as text ("0.52"); "" where there is no number
  std::string text;    // start of the text, cut on a character border
  bool cut = false;
};

struct ReasonSamples {
  std::string reason;
  std::uint64_t documents = 0;
  std::vector<DroppedSample> samples;
};

struct ReportData {
  std::string name;  // of the recipe
  std::string run_directory;
  std::string version;  // of headrace
  std::uint64_t input_files = 0;
  std::uint64_t input_bytes = 0;
  bool balanced = true;
  std::vector<StageRow> stages;  // all domains together
  std::vector<DomainFunnel> domains;
  std::vector<Histogram> histograms;
  std::vector<ReasonSamples> reasons;
  std::vector<std::pair<std::string, std::string>>
      notes;  // file, what was found (truncated, empty ...)
  // Shards; zero samples when the run has none.
  std::string shard_format;
  std::uint64_t shards = 0;
  std::uint64_t samples = 0;
  std::uint64_t tokens = 0;
  std::uint64_t leftover_tokens = 0;
  std::uint32_t sequence_length = 0;
};

// The page: UTF-8, no outside resource, readable without scripts, safe against any text in the data
// (escaped). The same data gives the same bytes.
std::string render_html(const ReportData& data);

}  // namespace headrace::report
