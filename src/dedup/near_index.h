// SPDX-License-Identifier: Apache-2.0
// Near duplicates of a corpus: signatures → candidates → verified pairs, within a memory budget.
//
// Documents with the same shingles, as often, are one group: a million copies are one thing to
// compare. Groups are numbered by the hash of their shingles, so numbers, pairs and their order are
// functions of what the texts are, not of where they stand.
//
// What stays in memory is 4 bytes a signature, 1 a document and 5 a group; all lists are spilled in
// partitions that fit (dedup/spill.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "dedup/near.h"

namespace headrace::dedup {

// Speed only.
struct NearLimits {
  std::uint64_t memory_bytes = 1ULL << 30;
  std::size_t threads = 1;
  std::stop_token stop;
  std::string folder;  // for what is spilled
};

// An earlier run's index: its documents are compared with the new ones, not with each other.
struct EarlierPart {
  std::string signatures;  // path
  std::vector<bool> kept;  // by row: only these count
};

// Texts of a part: calls sink(row, text) for the rows with rows[row], in order.
using TextSink = std::function<Result<void>(std::uint32_t row, std::string_view text)>;
using TextReader = std::function<Result<void>(std::size_t part, const std::vector<bool>& rows,
                                              const TextSink& sink)>;

// Groups whose similarity reaches the threshold; a < b.
struct NearEdge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float similarity = 0;

  bool operator==(const NearEdge&) const = default;
};

// Where a document stands in the graph of groups.
struct NearPlace {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t group = kNone;      // kNone: nothing is near it
  std::uint32_t other = kNone;      // the group of its other n-gram length; kNone mostly
  std::uint32_t component = kNone;  // of the graph: clusters never cross components
  // The nearest of an earlier run; kNone: none reaches the threshold.
  std::uint32_t earlier_part = kNone;
  std::uint32_t earlier_row = kNone;
  float earlier_similarity = 0;  // estimated from the signatures; 1 where the shingles are the same
};

struct NearCounts {
  std::uint64_t documents = 0;
  std::uint64_t signatures = 0;
  std::uint64_t groups = 0;
  std::uint64_t candidates = 0;  // pairs of groups that share a band
  std::uint64_t edges = 0;       // of these, as similar as asked
  // Pairs that were not looked at because thousands of groups shared one band: each of them was
  // compared with some of the others only.
  std::uint64_t left_out = 0;
  std::uint64_t spilled_bytes = 0;
};

class NearIndex {
 public:
  // `signatures`: the file of each part. resource_exhausted when the budget cannot hold what stays
  // in memory.
  static Result<NearIndex> build(const std::vector<std::string>& signatures,
                                 const std::vector<EarlierPart>& earlier,
                                 const NearOptions& options, const NearLimits& limits,
                                 const TextReader& texts);
  NearIndex(NearIndex&&) noexcept;
  NearIndex& operator=(NearIndex&&) noexcept;
  ~NearIndex();

  const NearCounts& counts() const;
  // All edges, by (a, b), with the component that they lie in.
  Result<void> for_each_edge(
      const std::function<Result<void>(const NearEdge& edge, std::uint32_t component)>& sink) const;
  // The place of every document of a part, in order.
  Result<void> for_each_place(
      std::size_t part, const std::function<Result<void>(const NearPlace& place)>& sink) const;

 private:
  struct State;
  explicit NearIndex(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace headrace::dedup
