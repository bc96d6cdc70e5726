// SPDX-License-Identifier: Apache-2.0
#include "curate/report_clusters.h"

#include <algorithm>
#include <map>

#include "curate/near_files.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "record/document.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kLargest = 10;
constexpr std::size_t kMembersShown = 3;
constexpr std::size_t kTextBytes = 1000;

struct Size {
  std::uint64_t survivor = 0;
  std::uint64_t documents = 0;
};

// The largest clusters; of equal ones those whose survivors come first.
std::vector<Size> largest_of(const std::map<std::uint64_t, std::uint64_t>& sizes) {
  std::vector<Size> largest;
  for (const auto& [survivor, documents] : sizes) largest.push_back({survivor, documents});
  std::stable_sort(largest.begin(), largest.end(),
                   [](const Size& a, const Size& b) { return a.documents > b.documents; });
  largest.resize(std::min(kLargest, largest.size()));
  return largest;
}

// The survivor, then the least similar.
std::vector<ClusterMember> members_to_show(std::vector<ClusterMember> members) {
  std::sort(members.begin(), members.end(), [](const ClusterMember& a, const ClusterMember& b) {
    const bool a_survives = a.id == a.survivor;
    const bool b_survives = b.id == b.survivor;
    if (a_survives != b_survives) return a_survives;
    return a.similarity != b.similarity ? a.similarity < b.similarity : a.id < b.id;
  });
  members.resize(std::min(kMembersShown, members.size()));
  return members;
}

}  // namespace

Result<std::optional<report::ClusterReport>> collect_clusters(const Context& context) {
  if (!context.recipe.dedup.near) return std::optional<report::ClusterReport>();
  report::ClusterReport found;
  std::map<std::uint64_t, std::uint64_t> sizes;  // by survivor
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<ClusterMember> members,
                              load_clusters(context, part));
    found.documents += members.size();
    for (const ClusterMember& member : members) ++sizes[member.survivor];
  }
  found.clusters = sizes.size();
  const std::vector<Size> largest = largest_of(sizes);
  std::map<std::uint64_t, std::vector<ClusterMember>> members;  // of the largest, by survivor
  for (const Size& size : largest) members[size.survivor];
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<ClusterMember> some, load_clusters(context, part));
    for (const ClusterMember& member : some) {
      if (const auto place = members.find(member.survivor); place != members.end())
        place->second.push_back(member);
    }
  }
  std::map<std::uint64_t, report::DroppedSample> samples;  // by id
  for (const Size& size : largest) {
    report::ClusterReport::Cluster& cluster = found.largest.emplace_back();
    cluster.documents = size.documents;
    std::vector<ClusterMember>& all = members[size.survivor];
    cluster.least = 1;
    for (const ClusterMember& member : all)
      cluster.least = std::min(cluster.least, static_cast<double>(member.similarity));
    all = members_to_show(std::move(all));
    for (const ClusterMember& member : all) {
      const InputFile& file = context.files[DocumentId{member.id}.file()];
      samples[member.id] = {to_string(DocumentId{member.id}),
                            context.domains[file.domain],
                            file.path,
                            format_value(static_cast<double>(member.similarity)),
                            "",
                            false,
                            "to " + to_string(DocumentId{member.linked_to})};
    }
  }
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts rows, load_verdicts(context, part));
    std::vector<bool> wanted(rows.ids.size());
    for (std::size_t row = 0; row < wanted.size(); ++row)
      wanted[row] = samples.contains(rows.ids[row]);
    HEADRACE_RETURN_IF_ERROR(for_each_text(
        context, part, wanted,
        [&](std::size_t row, const RowText& text) {
          report::DroppedSample& sample = samples[rows.ids[row]];
          sample.text = front_of(text.text, kTextBytes, &sample.cut);
          return true;
        },
        TextFields::kText));
  }
  for (std::size_t i = 0; i < largest.size(); ++i) {
    for (const ClusterMember& member : members[largest[i].survivor])
      found.largest[i].samples.push_back(samples[member.id]);
  }
  return std::optional(std::move(found));
}

}  // namespace headrace::curate
