// SPDX-License-Identifier: Apache-2.0
// The steps of NearIndex::build(), a source each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dedup/near_index.h"
#include "dedup/signature_file.h"
#include "dedup/spill.h"
#include "dedup/union_find.h"

namespace headrace::dedup::internal {

// How much one thread takes at once, and into how many partitions that makes what is spilled.
class Workspace {
 public:
  // resource_exhausted when `held` bytes and some to work with do not fit.
  static Result<Workspace> make(const NearLimits& limits, std::uint64_t held);

  std::size_t threads() const { return threads_; }
  std::size_t partitions(std::uint64_t bytes) const;
  std::uint64_t partition_bytes() const { return partition_bytes_; }
  Result<Spill> spill(std::size_t partitions) const;
  Result<void> parallel(std::size_t jobs,
                        const std::function<Result<void>(std::size_t)>& job) const;

 private:
  std::uint64_t free_bytes_ = 0;
  std::uint64_t partition_bytes_ = 0;
  std::size_t threads_ = 1;
  std::stop_token stop_;
  std::string folder_;
};

// Jobs that spill: each thread has a writer of its own.
Result<void> for_each_with_writer(
    const Workspace& work, Spill& spill, std::size_t jobs,
    const std::function<Result<void>(std::size_t job, Spill::Writer& writer)>& job);

// A file of signatures and where its numbers start among those of all files.
struct SignaturePart {
  SignatureReader reader;
  std::uint64_t first_signature = 0;
  std::uint64_t first_document = 0;         // own parts alone
  const std::vector<bool>* kept = nullptr;  // of an earlier run: only these rows count
};

// A stretch of blocks of one part: what a thread takes.
struct Stretch {
  const SignaturePart* part;
  std::uint64_t first;
  std::uint64_t last;
};
std::vector<Stretch> stretches_of(const std::vector<SignaturePart>& parts);

constexpr std::uint32_t kNoGroup = NearPlace::kNone;

// Which signatures say the same.
struct Groups {
  std::vector<std::uint32_t> of_signature;  // kNoGroup: a row of an earlier run that does not count
  std::vector<std::uint8_t> signatures_of_document;  // of own documents
  std::uint32_t count = 0;
  std::uint64_t own_signatures = 0;  // those before are of this run, the others of the earlier one
  std::vector<bool> is_leader;       // by signature: the first of its group
  std::vector<bool> is_own;          // by group: has a document of this run
  std::vector<bool> has_copies;      // by group: more than one document of this run
  // With an earlier run: by group, its first signature there; kNoGroup = none.
  std::vector<std::uint32_t> earlier;
};
Result<Groups> number_groups(const std::vector<SignaturePart>& parts, std::uint64_t own_documents,
                             std::uint64_t own_signatures, const Workspace& work);

struct Pair {
  std::uint32_t a;
  std::uint32_t b;
  auto operator<=>(const Pair&) const = default;
};

// Pairs of groups that share a band, spilled by ranges of `a`; a pair stands there once for each
// band.
struct Candidates {
  Spill pairs;
  UnionFind components;                  // of own groups; flat
  std::vector<bool> wanted;              // by group: in some pair of own groups
  std::vector<std::uint8_t> size_class;  // by group: about how many shingles, see size_of()
  std::uint64_t left_out = 0;

  static std::uint8_t class_of(std::uint32_t shingles);
  static std::uint64_t size_of(std::uint8_t size_class);  // at least as many
};
Result<Candidates> find_candidates(const std::vector<SignaturePart>& parts, const Groups& groups,
                                   const Bands& bands, const Workspace& work,
                                   std::uint64_t* spilled_bytes);

// Which partition of ranges a group's pairs stand in.
inline std::size_t range_of(std::uint32_t group, std::uint32_t groups, std::size_t partitions) {
  return static_cast<std::size_t>(std::uint64_t{group} * partitions / groups);
}

// The nearest of the earlier run, by own group.
struct EarlierLink {
  std::uint32_t group;
  std::uint32_t part;  // of the earlier run
  std::uint32_t row;
  float similarity;
};

// Pairs whose true similarity reaches the threshold, spilled by ranges of `a`.
struct Verified {
  Spill edges;
  std::vector<EarlierLink> earlier = {};  // by group, one each
  std::uint64_t candidates = 0;
  std::uint64_t count = 0;
};
Result<Verified> verify(const std::vector<SignaturePart>& parts, std::size_t own_parts,
                        const Groups& groups, Candidates& candidates, const NearOptions& options,
                        const Workspace& work, const TextReader& texts,
                        std::uint64_t* spilled_bytes);

// `pairs`: of a group of this run and one of the earlier run alone. `edges`: true ones between
// groups of this run of which one is also in the earlier run.
Result<std::vector<EarlierLink>> link_earlier(const std::vector<SignaturePart>& parts,
                                              std::size_t own_parts, const Groups& groups,
                                              const std::vector<Pair>& pairs,
                                              const std::vector<NearEdge>& edges,
                                              const NearOptions& options, const Workspace& work);

}  // namespace headrace::dedup::internal
