// SPDX-License-Identifier: Apache-2.0
// What a run did, as one self-contained HTML file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "headrace/run.h"

#include "report/score.h"

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

// How values become places on an axis.
enum class Scale {
  kLinear,
  kSquareRoot,   // sqrt(value), for shares
  kLogarithmic,  // log10(1 + value), for lengths and counts
};
double scaled(Scale scale, double value);

// One number for each place that `edges` make of the axis: below the first, at it, between it and
// the second, at that ..., above the last; 2 * edges + 1 of them. So what a line at any edge would
// drop is known exactly.
using EdgeCounts = std::vector<std::uint64_t>;

// Counts of one measure's values by domain and bounds, in bins that are equal on the scale over
// [low, high]; values outside are counted in the end bins.
struct Histogram {
  std::string measure;
  std::string unit;
  std::string summary;
  std::string family;  // heading under which measures without a rule stand
  double low = 0;
  double high = 1;
  Scale scale = Scale::kLinear;
  std::vector<double> edges;  // where the page lets a new line stand; see line_edges()
  // What another bound on one side would change, by the values of the documents.
  struct Line {
    EdgeCounts kept;  // documents that the run keeps: beyond the line they would be dropped
    EdgeCounts open;  // those that this measure alone drops: inside the line they would be kept
    // Whatever the line's place: a rule of the recipe replaces all of a preset's on the measure.
    std::uint64_t dropped_anyway = 0;
    std::uint64_t kept_anyway = 0;
  };
  // Documents of one domain that the same bounds judge.
  struct Series {
    std::string domain;
    std::vector<std::uint64_t> bins;
    std::uint64_t nulls = 0;
    std::optional<double> min;  // the bounds
    std::optional<double> max;
    std::uint64_t outside = 0;  // values that break a bound
    std::string scope;          // which documents of the domain: "language zh"; "" = all others
    std::string place;          // key of the recipe under which another bound would stand
    EdgeCounts all;             // empty where the histogram has no edges, as are the lines'
    Line min_line;
    Line max_line;
  };
  std::vector<Series> series;
};

// Round values over [low, high], near enough to each other to choose a bound, and every bound of
// `bounds`; ascending.
std::vector<double> line_edges(Scale scale, double low, double high, std::vector<double> bounds);
// The place of `value` in EdgeCounts.
std::size_t edge_place(const std::vector<double>& edges, double value);

struct DroppedSample {
  std::string id;
  std::string domain;
  std::string source;  // path of the input file
  std::string value;   // what the rule saw, as text ("0.52"); "" where there is no number
  std::string text;    // start of the text, cut on a character border
  bool cut = false;
  std::string bound;  // that the value broke ("max 0.5"); "" where there is none
};

struct ReasonSamples {
  std::string reason;
  std::uint64_t documents = 0;
  std::vector<DroppedSample> samples;
  bool quarantined = false;  // else dropped
};

// Clusters of near duplicates.
struct ClusterReport {
  std::uint64_t clusters = 0;
  std::uint64_t documents = 0;  // in them, survivors too
  struct Cluster {
    std::uint64_t documents = 0;
    double least = 0;  // similarity of the member that is least similar to its nearest
    std::vector<DroppedSample> samples;  // the survivor, then the least similar members
  };
  std::vector<Cluster> largest;  // by documents
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
  std::vector<ScoreReport> scores;  // of the recipe's models whose cards have an evaluation
  std::optional<LeakBooks> leak;    // where the recipe has `leak`
  std::optional<ValidationBooks> validation;  // where it has `mix.validation`
  std::vector<ReasonSamples> reasons;
  std::optional<ClusterReport> near;     // where near duplicates were looked for
  std::optional<Projection> projection;  // of the full run, where this one is of a sample
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
