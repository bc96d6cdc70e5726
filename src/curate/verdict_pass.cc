// SPDX-License-Identifier: Apache-2.0
// Verdicts: rules over measure columns, then training documents that hold validation text, then
// duplicates among what is left. A columnar scan; the text stays where it is. `headrace judge` is
// this pass alone.
//
// Leaks come before duplicates: of two copies the one that goes for a leak must not be the one that
// the other is dropped for. So a copy on the training side goes for the one that is held out, and
// the survivor of a cluster, being one document, stands on one side.
//
// Judging is cheap enough to be done twice: once to collect the hashes of what the rules keep
// (curate/duplicates.cc), once to write the verdicts with the duplicates known. So no list of
// reasons has to be held or stored in between.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/duplicates.h"
#include "curate/earlier_run.h"
#include "curate/judge_columns.h"
#include "curate/leak_tally.h"
#include "curate/measure_columns.h"
#include "curate/passes.h"
#include "curate/validation_leaks.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kVerdictPassVersion = 3;

// What documents go for other documents than themselves.
struct Related {
  std::vector<ValidationLeak> leaks;  // by id
  Duplicates duplicates;
};

// Training documents that go for the validation text in them, by id.
std::vector<std::uint64_t> dropped_for(const Context& context,
                                       const std::vector<ValidationLeak>& leaks) {
  std::vector<std::uint64_t> ids;
  if (!context.recipe.validation || !context.recipe.validation->drop_leaks) return ids;
  for (const ValidationLeak& leak : leaks) {
    if (leak.leak) ids.push_back(leak.id);
  }
  return ids;
}

class VerdictTask {
 public:
  VerdictTask(const Context& context, const judge::Judge& judge, const Related& related,
              std::size_t part)
      : context_(context),
        judge_(judge),
        duplicates_(related.duplicates),
        part_(part),
        tally_(context, related.leaks) {
    const std::vector<std::string> names = judge_columns(context.recipe);
    for (const ScoreSpec& spec : context.recipe.scores) {
      score_columns_.push_back(static_cast<std::size_t>(
          std::find(names.begin(), names.end(), spec.name) - names.begin()));
    }
    scored_.resize(score_columns_.size());
    invalid_.resize(score_columns_.size());
  }

  Result<Commit> run() {
    HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged,
                              JudgedPart::load(context_, judge_, part_, score_columns_));
    HEADRACE_RETURN_IF_ERROR(tally_.start(part_));
    const std::string path = RunDirectory::part(kVerdictFolder, part_, "parquet");
    io::AtomicPath file(context_.directory.at(path));
    HEADRACE_ASSIGN_OR_RETURN(
        auto writer,
        ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                                 {"reason", ColumnType::kString},
                                                 {"reasons", ColumnType::kString},
                                                 {"value", ColumnType::kDouble, true},
                                                 {"duplicate_of", ColumnType::kUint64, true}}));
    for (std::size_t row = 0; row < judged.ids.size(); ++row)
      HEADRACE_RETURN_IF_ERROR(write_row(judged, row, *writer));
    HEADRACE_RETURN_IF_ERROR(writer->close());
    HEADRACE_RETURN_IF_ERROR(file.commit());
    Commit commit;
    commit.outputs.push_back({path, 0, ""});
    if (context_.recipe.dedup.near) {
      HEADRACE_RETURN_IF_ERROR(write_clusters(context_, part_, members_of(judged.ids)));
      commit.outputs.push_back({RunDirectory::part(kClustersFolder, part_, "parquet"), 0, ""});
    }
    commit.files = std::move(counts_.files);
    commit.numbers["rows"] = judged.ids.size();
    for (std::size_t i = 0; i < scored_.size(); ++i) {
      const std::string& name = context_.recipe.scores[i].name;
      commit.numbers["scored." + name] = scored_[i];
      commit.numbers["invalid." + name] = invalid_[i];
    }
    tally_.add_to(&commit.numbers);
    return commit;
  }

 private:
  Result<void> write_row(const JudgedPart& judged, std::size_t row, ParquetWriter& writer) {
    const std::uint64_t id = judged.ids[row];
    std::optional<std::size_t> first;
    all_.clear();
    judged.verdicts.for_each(row, [&](std::size_t reason) {
      if (first) all_ += ',';
      if (!first) first = reason;
      all_ += judge_.reasons()[reason];
    });
    count_scores(judged, row, first);
    const ValidationLeak* const leak =
        tally_.add(row, id, first ? judge_.group_of(*first) : kAllGroups);
    const Duplicate* const duplicate = first || leak != nullptr ? nullptr : duplicate_of(id);
    const std::string_view counted = leak != nullptr ? std::string_view(kValidationLeakReason)
                                     : duplicate != nullptr ? reason_of(duplicate->kind)
                                     : first ? std::string_view(judge_.reasons()[*first])
                                             : std::string_view();
    writer.append_uint64(0, id);
    writer.append_string(1, counted);
    writer.append_string(2, first ? std::string_view(all_) : counted);
    writer.append_double(3,
                         leak != nullptr ? leak->share : value_of(judged, row, first, duplicate));
    if (duplicate != nullptr) {
      writer.append_uint64(4, duplicate->of);
    } else {
      writer.append_null(4);
    }
    if (counted.empty()) {
      counts_.kept(id);
      tally_.kept(row);
    } else {
      counts_.dropped(id, counted);
    }
    return writer.end_row();
  }

  // A row came to an entry if no column before it had a reason.
  void count_scores(const JudgedPart& judged, std::size_t row, std::optional<std::size_t> first) {
    const std::size_t groups =
        std::min(first ? judge_.group_of(*first) : score_columns_.size(), score_columns_.size());
    for (std::size_t i = 0; i < groups; ++i) {
      ++scored_[i];
      invalid_[i] += std::isnan(judged.values[score_columns_[i]][row]);
    }
  }

  // What the first reason looked at; the similarity of a near duplicate.
  double value_of(const JudgedPart& judged, std::size_t row, std::optional<std::size_t> first,
                  const Duplicate* duplicate) const {
    if (first) return judged.values[judge_.column_of(*first)][row];
    const bool is_near =
        duplicate != nullptr && (duplicate->kind == DuplicateKind::kNearCopy ||
                                 duplicate->kind == DuplicateKind::kEarlierNearCopy);
    return is_near ? static_cast<double>(duplicate->similarity)
                   : std::numeric_limits<double>::quiet_NaN();
  }

  // Rows come by ascending id, as the duplicates stand.
  const Duplicate* duplicate_of(std::uint64_t id) {
    const auto end = duplicates_.all.end();
    if (next_duplicate_ == end) return nullptr;
    if (next_duplicate_->id < id) {
      next_duplicate_ = std::lower_bound(
          next_duplicate_, end, id,
          [](const Duplicate& duplicate, std::uint64_t wanted) { return duplicate.id < wanted; });
    }
    return next_duplicate_ != end && next_duplicate_->id == id ? &*next_duplicate_ : nullptr;
  }

  // Those members of clusters that are documents of this part.
  std::span<const ClusterMember> members_of(const std::vector<std::uint64_t>& ids) const {
    if (ids.empty()) return {};
    const std::vector<ClusterMember>& all = duplicates_.clusters;
    const auto first = std::lower_bound(
        all.begin(), all.end(), ids.front(),
        [](const ClusterMember& member, std::uint64_t id) { return member.id < id; });
    const auto last = std::upper_bound(
        first, all.end(), ids.back(),
        [](std::uint64_t id, const ClusterMember& member) { return id < member.id; });
    return {first, last};
  }

  const Context& context_;
  const judge::Judge& judge_;
  const Duplicates& duplicates_;
  std::vector<Duplicate>::const_iterator next_duplicate_ = duplicates_.all.begin();
  const std::size_t part_;
  LeakTally tally_;
  RowCounts counts_;
  std::string all_;                         // reasons of a row, its memory kept
  std::vector<std::size_t> score_columns_;  // values of the entries, among all columns
  std::vector<std::uint64_t> scored_;       // by entry
  std::vector<std::uint64_t> invalid_;
};

void add_rules(const std::vector<judge::Rule>& rules, Fingerprint* print) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  print->add(rules.size());
  for (const judge::Rule& rule : rules) {
    print->add(rule.column).add(rule.min.value_or(kNone)).add(rule.max.value_or(kNone));
    print->add(std::uint64_t{rule.drop_null});
  }
}

std::string verdict_fingerprint(const Context& context, const std::vector<judge::RuleSet>& rules,
                                const std::vector<Commit>& documents,
                                const std::vector<Commit>& near,
                                const std::optional<EarlierRun>& earlier,
                                const std::vector<Commit>& late) {
  Fingerprint print;
  print.add(kVerdictPassVersion).add(context.recipe.dedup.exact_view ? 1 : std::uint64_t{0});
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t domain = 0; domain < rules.size(); ++domain) {
    print.add(context.domains[domain]);
    add_rules(rules[domain].rules, &print);
    print.add(rules[domain].buckets.size());
    for (const judge::Bucket& bucket : rules[domain].buckets) {
      print.add(bucket.when.size());
      for (const judge::Condition& when : bucket.when)
        print.add(when.column).add(when.min.value_or(kNone)).add(when.max.value_or(kNone));
      add_rules(bucket.rules, &print);
    }
  }
  // Duplicates cross parts, so every verdict depends on every part.
  for (const Commit& commit : documents) print.add(commit.digest());
  for (const ScoreSpec& spec : context.recipe.scores) {
    print.add(spec.name).add(spec.kind).add(spec.keep.size());
    for (const std::string& label : spec.keep) print.add(label);
  }
  if (context.recipe.leak) {
    print.add(name_of(context.recipe.leak->verdict));
    for (const LeakSet& set : context.recipe.leak->against) {
      if (set.report_only) print.add(set.name);
    }
  }
  if (context.recipe.validation) print.add(std::uint64_t{context.recipe.validation->drop_leaks});
  for (const Commit& commit : late) print.add(commit.digest());
  for (const Commit& commit : near) print.add("near").add(commit.digest());
  if (earlier) print.add("against").add(earlier->fingerprint());
  return print.hex();
}

}  // namespace

Result<std::vector<Commit>> verdict_pass(Context& context, const std::vector<Commit>& documents,
                                         const std::vector<Commit>& near,
                                         const std::vector<Commit>& late) {
  HEADRACE_ASSIGN_OR_RETURN(const auto rules, resolve_rules(context));
  HEADRACE_ASSIGN_OR_RETURN(const judge::Judge judge, make_judge(context.recipe, rules));
  HEADRACE_ASSIGN_OR_RETURN(const std::optional<EarlierRun> earlier, EarlierRun::open(context));
  const std::string fingerprint =
      verdict_fingerprint(context, rules, documents, near, earlier, late);
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kVerdictFolder)));
  if (context.recipe.dedup.near)
    HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kClustersFolder)));

  bool all_done = true;
  for (std::size_t part = 0; part < documents.size(); ++part)
    all_done = all_done && context.ledger.find(kVerdict, part, fingerprint).has_value();
  Related related;
  if (!all_done) {
    HEADRACE_ASSIGN_OR_RETURN(related.leaks,
                              find_validation_leaks(context, judge, documents.size()));
  }
  if (context.recipe.dedup.needs_hashes() && !all_done) {
    HEADRACE_ASSIGN_OR_RETURN(related.duplicates,
                              find_duplicates(context, judge, dropped_for(context, related.leaks),
                                              documents, near, earlier));
  }
  std::vector<StageTask> tasks;
  for (std::size_t part = 0; part < documents.size(); ++part) {
    tasks.push_back(
        {.fingerprint = fingerprint,
         .weight = documents[part].numbers.at("rows"),
         .work = [&, part] { return VerdictTask(context, judge, related, part).run(); }});
  }
  return run_stage(context, kVerdict, tasks);
}

}  // namespace headrace::curate
