// SPDX-License-Identifier: Apache-2.0
// A cluster is what one document stands for: the members of its cluster of near duplicates, and the
// exact duplicates of each of them. Verdicts name the survivor of each row; who shares one is found
// by reading them all.
#include "curate/explain_cluster.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "curate/near_files.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "record/document.h"
#include "record/reasons.h"

namespace headrace::curate {
namespace {

// Rows that a verdict calls duplicates.
struct DuplicateRow {
  std::uint64_t id;
  std::uint64_t of;
  std::string reason;
};

Result<std::vector<DuplicateRow>> load_duplicates(const Context& context, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(context.directory.at(
                                             RunDirectory::part(kVerdictFolder, part, "parquet"))));
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> survivors;
  std::vector<std::string> names;
  std::vector<std::uint32_t> reasons;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("duplicate_of", &survivors));
  HEADRACE_RETURN_IF_ERROR(reader->read_codes("reason", &names, &reasons));
  std::vector<DuplicateRow> rows;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (is_duplicate(names[reasons[row]]))
      rows.push_back({ids[row], survivors[row], names[reasons[row]]});
  }
  return rows;
}

}  // namespace

std::string describe_duplicate(const Context& context, std::string_view reason, std::uint64_t of) {
  const bool is_near = reason == kNearDuplicateReason || reason == kEarlierNearDuplicateReason;
  const bool is_earlier =
      reason == kEarlierDuplicateReason || reason == kEarlierNearDuplicateReason;
  return fmt::format("{} {}{}", is_near ? "nearly" : "same as", to_string(DocumentId{of}),
                     is_earlier ? " of " + context.recipe.dedup.against : "");
}

Result<void> add_cluster(const Context& context, std::uint64_t id, std::size_t part,
                         Explanation* story) {
  if (!context.finished.contains(kVerdict) || !context.recipe.dedup.needs_hashes()) return {};
  std::map<std::uint64_t, std::uint64_t> exact;  // duplicate → survivor
  std::vector<ClusterMember> near;
  for (std::size_t i = 0; i < part_count(context); ++i) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<DuplicateRow> rows, load_duplicates(context, i));
    for (const DuplicateRow& row : rows) {
      if (row.reason == kDuplicateReason) exact[row.id] = row.of;
      const bool is_earlier =
          row.reason == kEarlierDuplicateReason || row.reason == kEarlierNearDuplicateReason;
      if (i == part && row.id == id && is_earlier) {
        story->earlier = to_string(DocumentId{row.of});
        story->earlier_run = context.recipe.dedup.against;
      }
    }
    if (!context.recipe.dedup.near) continue;
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<ClusterMember> members, load_clusters(context, i));
    near.insert(near.end(), members.begin(), members.end());
  }
  const auto standing_for = [&](std::uint64_t document) {
    const auto found = exact.find(document);
    return found == exact.end() ? document : found->second;
  };
  const std::uint64_t own = standing_for(id);
  const auto place = std::find_if(near.begin(), near.end(),
                                  [&](const ClusterMember& member) { return member.id == own; });
  const std::uint64_t survivor = place == near.end() ? own : place->survivor;
  std::erase_if(near, [&](const ClusterMember& member) { return member.survivor != survivor; });
  std::stable_partition(near.begin(), near.end(),
                        [&](const ClusterMember& member) { return member.id == survivor; });
  std::vector<std::uint64_t> members = {survivor};
  for (const ClusterMember& member : near) {
    if (member.id != survivor) members.push_back(member.id);
    story->near.push_back({to_string(DocumentId{member.id}),
                           to_string(DocumentId{member.linked_to}),
                           static_cast<double>(member.similarity)});
  }
  const std::vector<std::uint64_t> firsts = members;
  for (const auto& [duplicate, of] : exact) {
    if (std::find(firsts.begin(), firsts.end(), of) != firsts.end()) members.push_back(duplicate);
  }
  if (members.size() < 2) return {};
  std::sort(members.begin() + 1, members.end());
  for (const std::uint64_t member : members)
    story->cluster.push_back(to_string(DocumentId{member}));
  return {};
}

}  // namespace headrace::curate
