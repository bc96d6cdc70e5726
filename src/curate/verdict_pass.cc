// SPDX-License-Identifier: Apache-2.0
// Verdicts: rules over measure columns, then training documents that hold validation text, then
// exact duplicates among what is left. A columnar scan; the text stays where it is. `headrace judge`
// is this pass alone.
//
// Leaks come before duplicates: of two copies the one that goes for a leak must not be the one that
// the other is dropped for. So a copy on the training side goes for the one that is held out, and
// the survivor of a cluster, being one document, stands on one side.
//
// Judging is cheap enough to be done twice: once to collect the hashes of what the rules keep, once
// to write the verdicts with the duplicates known. So no list of kept documents has to be held or
// stored in between.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/judge_columns.h"
#include "curate/leak_tally.h"
#include "curate/measure_columns.h"
#include "curate/passes.h"
#include "curate/validation.h"
#include "curate/validation_leaks.h"
#include "dedup/exact.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kVerdictPassVersion = 2;

// Memory for the hashes of one round of dedup. More documents take more rounds over the hash
// columns.
constexpr std::uint64_t kDedupRoundBytes = 1ULL << 30;

// Training documents that go for the validation text in them, by id.
class DroppedLeaks {
 public:
  DroppedLeaks(const Context& context, const std::vector<ValidationLeak>& leaks) {
    if (!context.recipe.validation || !context.recipe.validation->drop_leaks) return;
    for (const ValidationLeak& leak : leaks) {
      if (leak.leak) ids_.push_back(leak.id);
    }
  }
  bool holds(std::uint64_t id) const { return std::binary_search(ids_.begin(), ids_.end(), id); }

 private:
  std::vector<std::uint64_t> ids_;
};

// Appends the hashes of the part's rows that are kept so far and whose view hash falls into `round`
// of `rounds`.
Result<void> collect_entries(const Context& context, const judge::Judge& judge,
                             const DroppedLeaks& leaks, std::size_t part,
                             std::uint64_t round, std::uint64_t rounds,
                             std::vector<dedup::ExactEntry>* entries) {
  HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged, JudgedPart::load(context, judge, part));
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(context.directory.at(
                                             RunDirectory::part(kHashesFolder, part, "parquet"))));
  std::vector<std::uint64_t> high;
  std::vector<std::uint64_t> low;
  std::vector<std::uint64_t> content;
  std::vector<std::uint32_t> code_points;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("view_high", &high));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("view_low", &low));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("content", &content));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("code_points", &code_points));
  if (high.size() != judged.ids.size()) {
    return corrupt(
        "part {}: {} rows of measures but {} of hashes: remove the run directory's tasks/{} and "
        "run again",
        part, judged.ids.size(), high.size(), kDocuments);
  }
  for (std::size_t row = 0; row < judged.ids.size(); ++row) {
    if (!judged.verdicts.kept(row) || high[row] % rounds != round) continue;
    if (leaks.holds(judged.ids[row])) continue;
    entries->push_back({.view = {high[row], low[row]},
                        .id = judged.ids[row],
                        .content = content[row],
                        .code_points = code_points[row]});
  }
  return {};
}

Result<std::vector<dedup::ExactDuplicate>> find_duplicates(const Context& context,
                                                           const judge::Judge& judge,
                                                           const DroppedLeaks& leaks,
                                                           std::size_t parts, std::uint64_t rows) {
  const std::uint64_t rounds = rows * sizeof(dedup::ExactEntry) / kDedupRoundBytes + 1;
  std::vector<dedup::ExactDuplicate> duplicates;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::vector<std::vector<dedup::ExactEntry>> by_part(parts);
    HEADRACE_RETURN_IF_ERROR(
        parallel_for(parts, context.threads, context.stop, [&](std::size_t part) {
          return collect_entries(context, judge, leaks, part, round, rounds, &by_part[part]);
        }));
    std::vector<dedup::ExactEntry> entries;
    for (std::vector<dedup::ExactEntry>& some : by_part) {
      entries.insert(entries.end(), some.begin(), some.end());
      std::vector<dedup::ExactEntry>().swap(some);
    }
    const auto found = dedup::find_exact_duplicates(entries);
    duplicates.insert(duplicates.end(), found.begin(), found.end());
  }
  std::sort(duplicates.begin(), duplicates.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return duplicates;
}

// What goes for other documents than for itself.
struct Related {
  const std::vector<ValidationLeak>& leaks;
  const std::vector<dedup::ExactDuplicate>& duplicates;
};

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
    const std::size_t reached = first ? judge_.group_of(*first) : kAllGroups;
    const ValidationLeak* const leak = tally_.add(row, id, reached);
    const std::uint64_t* const survivor = first || leak != nullptr ? nullptr : survivor_of(id);
    const std::string_view counted = leak != nullptr       ? std::string_view(kValidationLeakReason)
                                     : survivor != nullptr ? std::string_view(kDuplicateReason)
                                     : first ? std::string_view(judge_.reasons()[*first])
                                             : std::string_view();
    writer.append_uint64(0, id);
    writer.append_string(1, counted);
    writer.append_string(2, first ? std::string_view(all_) : counted);
    writer.append_double(3, leak != nullptr ? leak->share
                            : first         ? judged.values[judge_.column_of(*first)][row]
                                            : std::numeric_limits<double>::quiet_NaN());
    if (survivor != nullptr) {
      writer.append_uint64(4, *survivor);
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
    const std::size_t groups = std::min(first ? judge_.group_of(*first) : score_columns_.size(),
                                        score_columns_.size());
    for (std::size_t i = 0; i < groups; ++i) {
      ++scored_[i];
      invalid_[i] += std::isnan(judged.values[score_columns_[i]][row]);
    }
  }

  // Rows come by ascending id, as the duplicates stand.
  const std::uint64_t* survivor_of(std::uint64_t id) {
    if (next_duplicate_ == duplicates_.end()) return nullptr;
    if (next_duplicate_->id < id) {
      next_duplicate_ = std::lower_bound(
          next_duplicate_, duplicates_.end(), id,
          [](const dedup::ExactDuplicate& d, std::uint64_t wanted) { return d.id < wanted; });
    }
    const bool found = next_duplicate_ != duplicates_.end() && next_duplicate_->id == id;
    return found ? &next_duplicate_->survivor : nullptr;
  }

  const Context& context_;
  const judge::Judge& judge_;
  const std::vector<dedup::ExactDuplicate>& duplicates_;
  std::vector<dedup::ExactDuplicate>::const_iterator next_duplicate_ = duplicates_.begin();
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
                                const std::vector<Commit>& late) {
  Fingerprint print;
  print.add(kVerdictPassVersion).add(context.recipe.exact_view ? 1 : std::uint64_t{0});
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
  return print.hex();
}

}  // namespace

Result<std::vector<Commit>> verdict_pass(Context& context, const std::vector<Commit>& documents,
                                         const std::vector<Commit>& late) {
  HEADRACE_ASSIGN_OR_RETURN(const auto rules, resolve_rules(context));
  HEADRACE_ASSIGN_OR_RETURN(const judge::Judge judge, make_judge(context.recipe, rules));
  const std::string fingerprint = verdict_fingerprint(context, rules, documents, late);
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kVerdictFolder)));

  std::uint64_t rows = 0;
  bool all_done = true;
  for (std::size_t part = 0; part < documents.size(); ++part) {
    rows += documents[part].numbers.at("rows");
    all_done = all_done && context.ledger.find(kVerdict, part, fingerprint).has_value();
  }
  std::vector<ValidationLeak> leaks;
  if (!all_done) {
    HEADRACE_ASSIGN_OR_RETURN(leaks, find_validation_leaks(context, judge, documents.size()));
  }
  std::vector<dedup::ExactDuplicate> duplicates;
  if (context.recipe.exact_view && !all_done) {
    HEADRACE_ASSIGN_OR_RETURN(duplicates, find_duplicates(context, judge, {context, leaks},
                                                          documents.size(), rows));
  }
  const Related related{leaks, duplicates};
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
