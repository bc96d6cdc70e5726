// SPDX-License-Identifier: Apache-2.0
// What the measures of a corpus look like, before there are thresholds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// One measure in one domain.
struct MeasureStats {
  // Where percentiles[i] lies, in percent: linear between ranks, as numpy's default.
  static constexpr std::array<double, 7> kPoints = {1, 5, 25, 50, 75, 95, 99};

  std::uint64_t values = 0;
  std::uint64_t nulls = 0;  // documents that it does not apply to, or that a model failed on
  // Of the values; meaningless when there is none.
  double min = 0;
  double max = 0;
  std::array<double, 7> percentiles{};
  // Bounds that cost about a hundredth of the documents on each side: p1 rounded down and p99
  // rounded up, to three digits. None where nothing lies beyond.
  std::optional<double> suggested_min;
  std::optional<double> suggested_max;
  // Share of the domain's documents (of a score: of those that come to it) that the suggested
  // bounds would drop.
  double below_min = 0;
  double above_max = 0;
};

struct DomainStats {
  std::string domain;
  std::uint64_t documents = 0;         // measured
  std::vector<MeasureStats> measures;  // in the order of Stats::measures
};

struct Stats {
  // Of a run, its scores stand behind the measures: of the documents that come to them by its
  // recipe, whatever an earlier one had scored.
  std::vector<std::string> measures;
  std::vector<DomainStats> domains;
  DomainStats together;        // of all domains; without a name
  std::uint64_t rejected = 0;  // records of the input that are no documents
  // Of files: percentiles and suggestions come from a random sample of so many documents, which
  // memory bounds; counts, min and max are of all. 0 = from all.
  std::uint64_t percentiles_from = 0;
};

struct StatsOptions {
  // Of files; an error for a run.
  std::optional<std::string> text;  // where the text stands in a record; default "text"
  std::optional<double> sample;     // share of the documents to measure, (0, 1]
  std::size_t threads = 0;          // speed only; 0 = all CPUs
  std::stop_token stop;
};

// Of a run directory: its columns, by its domains. Of files (paths, globs or URIs that a recipe
// takes): reads, normalizes as a recipe does by default and measures them in one pass, and writes
// nothing; each input is a domain of its own, by its name.
Result<Stats> stats(const std::vector<std::string>& inputs, const StatsOptions& options = {});

}  // namespace headrace
