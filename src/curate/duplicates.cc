// SPDX-License-Identifier: Apache-2.0
// Documents that the rules keep → duplicates, in partitions that fit in memory.
//
// Exact first: every kept row is spilled by the hash of its view, so that equal views meet in one
// partition. Then near ones among the rest, by the component of the graph that they stand in. Both
// touch hashes and numbers only.
#include "curate/duplicates.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"
#include "curate/near_clusters.h"
#include "curate/passes.h"
#include "dedup/exact.h"
#include "dedup/spill.h"
#include "record/parquet_table.h"
#include "record/reasons.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kMostPartitions = 4096;
constexpr std::uint64_t kLeastPartitionBytes = 1 << 20;

// The score that decides who survives: of the last entry that says more than a language, as that
// is the dearest model.
std::optional<std::size_t> survival_column(const Recipe::Data& recipe) {
  const std::vector<std::string> names = judge_columns(recipe);
  for (auto spec = recipe.scores.rbegin(); spec != recipe.scores.rend(); ++spec) {
    if (spec->kind == kLanguageKind) continue;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), spec->name) -
                                    names.begin());
  }
  return std::nullopt;
}

// The hash columns of a part.
struct HashedPart {
  std::vector<std::uint64_t> high;
  std::vector<std::uint64_t> low;
  std::vector<std::uint64_t> content;
  std::vector<std::uint32_t> code_points;

  static Result<HashedPart> load(const std::string& path, std::size_t part, std::size_t rows) {
    HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path));
    HashedPart hashed;
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("view_high", &hashed.high));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("view_low", &hashed.low));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("content", &hashed.content));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint32("code_points", &hashed.code_points));
    if (hashed.high.size() != rows) {
      return corrupt(
          "part {}: {} rows of measures but {} of hashes: remove the run directory's tasks/{} and "
          "run again",
          part, rows, hashed.high.size(), kDocuments);
    }
    return hashed;
  }
};

class DuplicateFinder {
 public:
  DuplicateFinder(const Context& context, const judge::Judge& judge,
                  const std::vector<std::uint64_t>& gone, const std::vector<Commit>& documents,
                  const std::vector<Commit>& near, const std::optional<EarlierRun>& earlier)
      : context_(context),
        judge_(judge),
        gone_(gone),
        near_(near),
        earlier_(earlier),
        parts_(documents.size()),
        score_column_(survival_column(context.recipe)),
        kept_(documents.size()) {
    for (const Commit& commit : documents) rows_ += commit.numbers.at("rows");
  }

  Result<Duplicates> run() {
    HEADRACE_RETURN_IF_ERROR(find_exact());
    if (!near_.empty()) HEADRACE_RETURN_IF_ERROR(find_near());
    return std::move(found_);
  }

 private:
  std::string hashes_of(std::size_t part) const {
    return context_.directory.at(RunDirectory::part(kHashesFolder, part, "parquet"));
  }

  std::size_t partitions_for(std::uint64_t bytes) const {
    const std::uint64_t each =
        std::max(kLeastPartitionBytes, context_.recipe.memory_bytes / 4 / context_.threads);
    return std::min<std::size_t>(kMostPartitions, (bytes + bytes / 5) / each + 1);
  }

  Result<dedup::Spill> spill(std::size_t partitions) const {
    const std::uint64_t block = context_.recipe.memory_bytes / 8 / context_.threads / partitions;
    return dedup::Spill::create(context_.directory.at(kHashesFolder), partitions,
                                std::clamp<std::uint64_t>(block, 4 << 10, 256 << 10));
  }

  // Judges each part once, notes what is kept, and spills its hashes.
  Result<void> find_exact() {
    const std::size_t partitions = partitions_for(rows_ * sizeof(dedup::ExactEntry));
    HEADRACE_ASSIGN_OR_RETURN(dedup::Spill entries, spill(partitions));
    HEADRACE_RETURN_IF_ERROR(parallel_for(
        parts_, context_.threads, context_.stop, [&](std::size_t part) -> Result<void> {
          dedup::Spill::Writer writer(entries);
          HEADRACE_RETURN_IF_ERROR(spill_kept(part, partitions, writer));
          return writer.flush();
        }));
    if (!context_.recipe.dedup.exact_view) return {};
    HEADRACE_ASSIGN_OR_RETURN(dedup::Spill earlier, spill(partitions));
    for (std::size_t part = 0; earlier_ && part < earlier_->parts(); ++part)
      HEADRACE_RETURN_IF_ERROR(spill_earlier(part, partitions, earlier));
    std::mutex mutex;
    HEADRACE_RETURN_IF_ERROR(parallel_for(
        partitions, context_.threads, context_.stop, [&](std::size_t partition) -> Result<void> {
          HEADRACE_ASSIGN_OR_RETURN(std::vector<dedup::ExactEntry> some,
                                    entries.read_records<dedup::ExactEntry>(partition));
          entries.release(partition);
          HEADRACE_ASSIGN_OR_RETURN(std::vector<EarlierView> views,
                                    earlier.read_records<EarlierView>(partition));
          const std::vector<Duplicate> known = take_known(std::move(views), some);
          const std::vector<dedup::ExactDuplicate> duplicates = dedup::find_exact_duplicates(some);
          const std::lock_guard lock(mutex);
          found_.all.insert(found_.all.end(), known.begin(), known.end());
          for (const dedup::ExactDuplicate& duplicate : duplicates)
            found_.all.push_back({duplicate.id, duplicate.survivor, DuplicateKind::kExactCopy, 1});
          return {};
        }));
    sort_found();
    return {};
  }

  Result<void> spill_kept(std::size_t part, std::size_t partitions, dedup::Spill::Writer& writer) {
    std::vector<std::size_t> more;
    if (score_column_) more.push_back(*score_column_);
    HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged,
                              JudgedPart::load(context_, judge_, part, more));
    HEADRACE_ASSIGN_OR_RETURN(const HashedPart hashed,
                              HashedPart::load(hashes_of(part), part, judged.ids.size()));
    std::vector<bool>& kept = kept_[part];
    kept.resize(judged.ids.size());
    for (std::size_t row = 0; row < judged.ids.size(); ++row) {
      kept[row] = judged.verdicts.kept(row) &&
                  !std::binary_search(gone_.begin(), gone_.end(), judged.ids[row]);
      if (!kept[row] || !context_.recipe.dedup.exact_view) continue;
      const dedup::ExactEntry entry{
          .view = {hashed.high[row], hashed.low[row]},
          .id = judged.ids[row],
          .content = hashed.content[row],
          .code_points = hashed.code_points[row],
          .score = score_column_ ? static_cast<float>(judged.values[*score_column_][row]) : 0};
      HEADRACE_RETURN_IF_ERROR(
          writer.put_record((hashed.high[row] >> 32) * partitions >> 32, entry));
    }
    return {};
  }

  struct EarlierView {
    Hash128 view;
    std::uint64_t id;
    auto operator<=>(const EarlierView&) const = default;
  };

  Result<void> spill_earlier(std::size_t part, std::size_t partitions, dedup::Spill& spill) const {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<bool> kept, earlier_->kept(part));
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> ids, earlier_->ids(part));
    HEADRACE_ASSIGN_OR_RETURN(
        const HashedPart hashed,
        HashedPart::load(earlier_->at(kHashesFolder, part, "parquet"), part, ids.size()));
    dedup::Spill::Writer writer(spill);
    for (std::size_t row = 0; row < ids.size(); ++row) {
      if (!kept[row]) continue;
      const EarlierView view{{hashed.high[row], hashed.low[row]}, ids[row]};
      HEADRACE_RETURN_IF_ERROR(
          writer.put_record((hashed.high[row] >> 32) * partitions >> 32, view));
    }
    return writer.flush();
  }

  // Takes those entries out whose view the earlier run has.
  static std::vector<Duplicate> take_known(std::vector<EarlierView> earlier,
                                           std::vector<dedup::ExactEntry>& entries) {
    std::vector<Duplicate> known;
    if (earlier.empty()) return known;
    std::sort(earlier.begin(), earlier.end());
    std::erase_if(entries, [&](const dedup::ExactEntry& entry) {
      const auto found = std::lower_bound(
          earlier.begin(), earlier.end(), entry.view,
          [](const EarlierView& view, const Hash128& wanted) { return view.view < wanted; });
      if (found == earlier.end() || found->view != entry.view) return false;
      known.push_back({entry.id, found->id, DuplicateKind::kEarlierExactCopy, 1});
      return true;
    });
    return known;
  }

  // What exact duplicates leave, by component.
  Result<void> find_near() {
    const Commit& commit = near_.front();
    const std::uint64_t edges = commit.numbers.at("edges");
    const std::size_t partitions =
        partitions_for(rows_ * sizeof(NearEntry) + edges * sizeof(dedup::NearEdge));
    HEADRACE_ASSIGN_OR_RETURN(dedup::Spill entries, spill(partitions));
    HEADRACE_ASSIGN_OR_RETURN(dedup::Spill spilled_edges, spill(partitions));
    const auto partition_of = [&](std::uint32_t component) {
      return static_cast<std::size_t>((mix64(component) >> 32) * partitions >> 32);
    };
    std::vector<std::vector<Duplicate>> earlier(parts_);
    HEADRACE_RETURN_IF_ERROR(parallel_for(
        parts_, context_.threads, context_.stop, [&](std::size_t part) -> Result<void> {
          dedup::Spill::Writer writer(entries);
          HEADRACE_RETURN_IF_ERROR(spill_placed(
              part, &earlier[part], [&](const NearEntry& entry, std::uint32_t component) {
                return writer.put_record(partition_of(component), entry);
              }));
          return writer.flush();
        }));
    dedup::Spill::Writer writer(spilled_edges);
    HEADRACE_RETURN_IF_ERROR(
        for_each_edge(context_, commit.numbers.at("edge_parts"),
                      [&](const dedup::NearEdge& edge, std::uint32_t component) {
                        return writer.put_record(partition_of(component), edge);
                      }));
    HEADRACE_RETURN_IF_ERROR(writer.flush());
    std::mutex mutex;
    HEADRACE_RETURN_IF_ERROR(parallel_for(
        partitions, context_.threads, context_.stop, [&](std::size_t partition) -> Result<void> {
          HEADRACE_ASSIGN_OR_RETURN(std::vector<NearEntry> some,
                                    entries.read_records<NearEntry>(partition));
          HEADRACE_ASSIGN_OR_RETURN(const std::vector<dedup::NearEdge> between,
                                    spilled_edges.read_records<dedup::NearEdge>(partition));
          const std::vector<ClusterMember> members = find_clusters(std::move(some), between);
          const std::lock_guard lock(mutex);
          found_.clusters.insert(found_.clusters.end(), members.begin(), members.end());
          return {};
        }));
    std::sort(found_.clusters.begin(), found_.clusters.end(),
              [](const ClusterMember& a, const ClusterMember& b) { return a.id < b.id; });
    for (const std::vector<Duplicate>& some : earlier)
      found_.all.insert(found_.all.end(), some.begin(), some.end());
    for (const ClusterMember& member : found_.clusters) {
      if (member.id == member.survivor) continue;
      found_.all.push_back(
          {member.id, member.survivor, DuplicateKind::kNearCopy, member.similarity});
    }
    sort_found();
    return {};
  }

  // The rows of a part that are still in the running and have something near them.
  template <class Sink>
  Result<void> spill_placed(std::size_t part, std::vector<Duplicate>* earlier, Sink sink) const {
    const std::vector<bool>& kept = kept_[part];
    HEADRACE_ASSIGN_OR_RETURN(const PlacedPart placed, PlacedPart::load(context_, part));
    HEADRACE_ASSIGN_OR_RETURN(const HashedPart hashed,
                              HashedPart::load(hashes_of(part), part, kept.size()));
    std::vector<std::string> columns;
    if (score_column_) columns.push_back(judge_columns(context_.recipe)[*score_column_]);
    HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context_, part, columns));
    if (placed.group.size() != kept.size())
      return corrupt("part {}: {} rows of measures but {} of near duplicates: run the recipe again",
                     part, kept.size(), placed.group.size());
    for (std::size_t row = 0; row < kept.size(); ++row) {
      if (!kept[row] || placed.group[row] == 0 || is_found(rows.ids[row])) continue;
      if (!std::isnan(placed.earlier_similarity[row])) {
        earlier->push_back({rows.ids[row], placed.earlier[row], DuplicateKind::kEarlierNearCopy,
                            static_cast<float>(placed.earlier_similarity[row])});
        continue;
      }
      const NearEntry entry{.id = rows.ids[row],
                            .content = hashed.content[row],
                            .code_points = hashed.code_points[row],
                            .score = score_column_ ? static_cast<float>(rows.values[0][row]) : 0,
                            .group = placed.group[row],
                            .other = placed.other[row]};
      HEADRACE_RETURN_IF_ERROR(sink(entry, placed.component[row]));
    }
    return {};
  }

  bool is_found(std::uint64_t id) const {
    const auto found = std::lower_bound(
        found_.all.begin(), found_.all.end(), id,
        [](const Duplicate& duplicate, std::uint64_t wanted) { return duplicate.id < wanted; });
    return found != found_.all.end() && found->id == id;
  }

  void sort_found() {
    std::sort(found_.all.begin(), found_.all.end(),
              [](const Duplicate& a, const Duplicate& b) { return a.id < b.id; });
  }

  const Context& context_;
  const judge::Judge& judge_;
  const std::vector<std::uint64_t>& gone_;
  const std::vector<Commit>& near_;
  const std::optional<EarlierRun>& earlier_;
  const std::size_t parts_;
  std::uint64_t rows_ = 0;
  const std::optional<std::size_t> score_column_;
  std::vector<std::vector<bool>> kept_;  // by part and row
  Duplicates found_;
};

}  // namespace

std::string_view reason_of(DuplicateKind kind) {
  switch (kind) {
    case DuplicateKind::kEarlierExactCopy:
      return kEarlierDuplicateReason;
    case DuplicateKind::kExactCopy:
      return kDuplicateReason;
    case DuplicateKind::kEarlierNearCopy:
      return kEarlierNearDuplicateReason;
    case DuplicateKind::kNearCopy:
      return kNearDuplicateReason;
  }
  return {};
}

Result<Duplicates> find_duplicates(const Context& context, const judge::Judge& judge,
                                   const std::vector<std::uint64_t>& gone,
                                   const std::vector<Commit>& documents,
                                   const std::vector<Commit>& near,
                                   const std::optional<EarlierRun>& earlier) {
  return DuplicateFinder(context, judge, gone, documents, near, earlier).run();
}

}  // namespace headrace::curate
