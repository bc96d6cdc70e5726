// SPDX-License-Identifier: Apache-2.0
// Which of the documents that the rules keep are copies of others, and of which. Columns only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "curate/context.h"
#include "curate/earlier_run.h"
#include "curate/near_files.h"
#include "judge/judge.h"

namespace headrace::curate {

// In the order in which they are looked for; a document has the first that it meets.
enum class DuplicateKind : std::uint8_t {
  kEarlierExactCopy,
  kExactCopy,
  kEarlierNearCopy,
  kNearCopy
};
std::string_view reason_of(DuplicateKind kind);

struct Duplicate {
  std::uint64_t id = 0;
  std::uint64_t of = 0;  // the survivor; for the kEarlier ones an id of the earlier run
  DuplicateKind kind = DuplicateKind::kExactCopy;
  float similarity = 1;
};

// 24 bytes for each duplicate and 32 for each member of a cluster are held in memory; what leads
// there is spilled.
struct Duplicates {
  std::vector<Duplicate> all;           // by id
  std::vector<ClusterMember> clusters;  // of near duplicates, survivors too; by id
};

// `gone`: ids of documents that the judge keeps and that go all the same, ascending. `near`: the
// commits of the near stage; empty without one. `earlier`: the run of dedup.against.
Result<Duplicates> find_duplicates(const Context& context, const judge::Judge& judge,
                                   const std::vector<std::uint64_t>& gone,
                                   const std::vector<Commit>& documents,
                                   const std::vector<Commit>& near,
                                   const std::optional<EarlierRun>& earlier);

}  // namespace headrace::curate
