// SPDX-License-Identifier: Apache-2.0
// headrace judge: new thresholds on kept columns. The verdict pass alone, and what it changed.
//
// The old verdicts are held as a number a row while new ones are written, and compared with what
// stands in the files afterwards; their files lie aside until then, so that a judging that is
// stopped leaves the run as it was. Examples of what changed are drawn on the way; what they look
// like is read last and only for them.
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "headrace/run.h"

#include "base/clock.h"
#include "base/counter_rng.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/change_excerpts.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/verdict_backup.h"
#include "io/uri.h"
#include "record/parquet_table.h"

namespace headrace {
namespace curate {
namespace {

constexpr int kExampleCodePoints = 200;

// The first reason of every row of a part, as the verdict stage gave it; the mix is left aside: it
// follows from the verdicts. Two bytes a row, so that the reasons of a hundred million documents
// can wait in memory for those that replace them.
struct PartReasons {
  std::vector<std::string> names = {""};
  std::vector<std::uint16_t> codes;

  static Result<PartReasons> load(const Context& context, std::size_t part) {
    PartReasons reasons;
    HEADRACE_ASSIGN_OR_RETURN(auto reader,
                              ParquetReader::open(context.directory.at(
                                  RunDirectory::part(kVerdictFolder, part, "parquet"))));
    std::vector<std::uint32_t> codes;
    codes.reserve(reader->rows());
    HEADRACE_RETURN_IF_ERROR(reader->read_codes("reason", &reasons.names, &codes));
    if (reasons.names.size() > std::numeric_limits<std::uint16_t>::max())
      return corrupt("verdict part {}: {} different reasons", part, reasons.names.size());
    reasons.codes.assign(codes.begin(), codes.end());
    return reasons;
  }
};

// Rows of one direction (newly kept or newly dropped), the smallest keyed numbers of which are a
// random sample that no order of tasks can change.
struct ChangedRow {
  std::uint64_t key = 0;
  std::size_t part = 0;
  std::size_t row = 0;
  std::string before;
  std::string after;
  bool operator<(const ChangedRow& other) const {
    return std::tuple(key, part, row) < std::tuple(other.key, other.part, other.row);
  }
};

class ChangedRows {
 public:
  ChangedRows(std::uint64_t seed, std::uint64_t wanted)
      : rng_(seed, purpose("judge")), wanted_(wanted) {}

  void offer(std::size_t part, std::size_t row, const std::string& before,
             const std::string& after) {
    const std::uint64_t key = rng_.at(std::uint64_t{part} << 40 | row);
    if (rows_.size() >= wanted_ && (wanted_ == 0 || rows_.top().key < key)) return;
    rows_.push({key, part, row, before, after});
    if (rows_.size() > wanted_) rows_.pop();
  }
  void merge(ChangedRows& other) {
    for (; !other.rows_.empty(); other.rows_.pop()) {
      rows_.push(other.rows_.top());
      if (rows_.size() > wanted_) rows_.pop();
    }
  }
  // In the order of documents.
  std::vector<ChangedRow> take() {
    std::vector<ChangedRow> all;
    for (; !rows_.empty(); rows_.pop()) all.push_back(rows_.top());
    std::sort(all.begin(), all.end(), [](const ChangedRow& a, const ChangedRow& b) {
      return std::pair(a.part, a.row) < std::pair(b.part, b.row);
    });
    return all;
  }

 private:
  CounterRng rng_;
  std::uint64_t wanted_;
  std::priority_queue<ChangedRow> rows_;
};

// What a judging changed in one part, or in all.
struct Comparison {
  std::uint64_t documents = 0;
  std::map<std::string, ReasonChange> reasons;  // "" = kept
  std::uint64_t newly_kept = 0;
  std::uint64_t newly_dropped = 0;
  ChangedRows kept_rows;
  ChangedRows dropped_rows;

  Comparison(std::uint64_t seed, std::uint64_t examples)
      : kept_rows(seed, examples), dropped_rows(seed, examples) {}

  void compare(std::size_t part, const PartReasons& before, const PartReasons& after);
  void merge(Comparison& other);
};

void Comparison::compare(std::size_t part, const PartReasons& before, const PartReasons& after) {
  std::vector<std::uint64_t> count_before(before.names.size());
  std::vector<std::uint64_t> count_after(after.names.size());
  documents = after.codes.size();
  for (std::size_t row = 0; row < before.codes.size(); ++row) {
    const std::uint16_t was = before.codes[row];
    const std::uint16_t is = after.codes[row];
    ++count_before[was];
    if ((was == 0) == (is == 0)) continue;
    ++(is == 0 ? newly_kept : newly_dropped);
    (is == 0 ? kept_rows : dropped_rows).offer(part, row, before.names[was], after.names[is]);
  }
  for (const std::uint16_t code : after.codes) ++count_after[code];
  for (std::size_t i = 0; i < before.names.size(); ++i)
    reasons[before.names[i]].before = count_before[i];
  for (std::size_t i = 0; i < after.names.size(); ++i)
    reasons[after.names[i]].after = count_after[i];
}

void Comparison::merge(Comparison& other) {
  documents += other.documents;
  newly_kept += other.newly_kept;
  newly_dropped += other.newly_dropped;
  for (const auto& [name, change] : other.reasons) {
    reasons[name].before += change.before;
    reasons[name].after += change.after;
  }
  kept_rows.merge(other.kept_rows);
  dropped_rows.merge(other.dropped_rows);
}

Result<std::vector<PartReasons>> load_reasons(const Context& context) {
  std::vector<PartReasons> parts(part_count(context));
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      parts.size(), context.threads, context.stop, [&](std::size_t part) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(parts[part], PartReasons::load(context, part));
        return {};
      }));
  return parts;
}

// `before` is empty where nothing is known of it.
Result<Comparison> compare_parts(const Context& context, std::vector<PartReasons> before,
                                 std::uint64_t examples) {
  const std::size_t parts = part_count(context);
  std::vector<Comparison> changes(parts, Comparison(context.recipe.seed, examples));
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(parts, context.threads, context.stop, [&](std::size_t part) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(const PartReasons after, PartReasons::load(context, part));
        const PartReasons was = before.empty() ? PartReasons() : std::move(before[part]);
        if (!before.empty() && was.codes.size() != after.codes.size())
          return corrupt("verdict part {}: {} rows before and {} after", part, was.codes.size(),
                         after.codes.size());
        changes[part].compare(part, was, after);
        return {};
      }));
  Comparison all(context.recipe.seed, examples);
  for (Comparison& change : changes) all.merge(change);
  return all;
}

// Values of a part's measures, each column read once.
class PartValues {
 public:
  PartValues(const Context& context, std::size_t part) : context_(context), part_(part) {}

  Result<std::optional<double>> at(const std::string& reason, std::size_t row) {
    const std::string column = column_behind(context_.recipe, reason);
    if (column.empty()) return std::optional<double>();
    auto found = columns_.find(column);
    if (found == columns_.end()) {
      HEADRACE_ASSIGN_OR_RETURN(MeasuredPart rows, MeasuredPart::load(context_, part_, {column}));
      found = columns_.emplace(column, std::move(rows.values[0])).first;
    }
    return std::optional(found->second.at(row));
  }

 private:
  const Context& context_;
  const std::size_t part_;
  std::map<std::string, std::vector<double>> columns_;
};

// Ids, values and, if asked for, texts of changed rows, part by part.
Result<std::vector<VerdictChange>> describe(const Context& context,
                                            const std::vector<ChangedRow>& rows, bool texts) {
  std::vector<VerdictChange> examples;
  for (std::size_t begin = 0; begin < rows.size();) {
    const std::size_t part = rows[begin].part;
    HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart ids, MeasuredPart::load(context, part, {}));
    PartValues values(context, part);
    std::vector<bool> wanted(ids.ids.size());
    const std::size_t first = examples.size();
    for (; begin < rows.size() && rows[begin].part == part; ++begin) {
      const ChangedRow& row = rows[begin];
      const DocumentId id{ids.ids.at(row.row)};
      VerdictChange change{to_string(id),
                           context.domains[context.domain_of(id.value)],
                           context.files[id.file()].path,
                           row.before,
                           {},
                           row.after,
                           {},
                           ""};
      HEADRACE_ASSIGN_OR_RETURN(change.value_before, values.at(row.before, row.row));
      HEADRACE_ASSIGN_OR_RETURN(change.value_after, values.at(row.after, row.row));
      examples.push_back(std::move(change));
      wanted[row.row] = true;
    }
    if (!texts) continue;
    std::size_t next = first;
    HEADRACE_RETURN_IF_ERROR(
        for_each_text(context, part, wanted, [&](std::size_t, const RowText& text) {
          examples[next++].text = front_of(text.text, kExampleCodePoints);
          return next < examples.size();
        }));
  }
  return examples;
}

bool same_inputs(const Recipe::Data& a, const Recipe::Data& b) {
  return std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(),
                    [](const SourceSpec& x, const SourceSpec& y) {
                      // run.json keeps paths without their secrets.
                      return std::equal(x.paths.begin(), x.paths.end(), y.paths.begin(),
                                        y.paths.end(),
                                        [](const std::string& p, const std::string& q) {
                                          return io::public_name(p) == io::public_name(q);
                                        }) &&
                             x.format == y.format;
                    });
}

// Never with scores: their thresholds may stand in cards, which change without the recipe. Nor with
// leaks: so may the files of items.
bool same_rules(const Recipe::Data& a, const Recipe::Data& b) {
  for (const Recipe::Data* one : {&a, &b}) {
    if (!one->scores.empty() || one->leak || one->validation) return false;
  }
  const std::vector<std::string> domains = a.domains();
  return std::all_of(domains.begin(), domains.end(), [&](const std::string& domain) {
    return a.rules_of(domain) == b.rules_of(domain);
  });
}

// The new recipe takes over; only what comes after the document pass may differ.
Result<void> adopt_recipe(Context& context, Recipe::Data recipe) {
  HEADRACE_ASSIGN_OR_RETURN(recipe.words, load_words(recipe.word_lists));
  if (documents_fingerprint(recipe, context.sample) !=
          documents_fingerprint(context.recipe, context.sample) ||
      recipe.domains() != context.recipe.domains() || !same_inputs(recipe, context.recipe)) {
    return invalid_argument(
        "{} differs from the recipe of {} in sources, normalize, word lists or the dedup view: "
        "judging moves "
        "thresholds only; use 'headrace run' for the rest",
        recipe.path, context.directory.root());
  }
  if (recipe.dedup.near != context.recipe.dedup.near ||
      recipe.dedup.against != context.recipe.dedup.against) {
    return invalid_argument(
        "{} differs from the recipe of {} in 'dedup.near' or 'dedup.against', which decide what "
        "is compared: use 'headrace run'",
        recipe.path, context.directory.root());
  }
  // Mix, tokenizer and shards of the new recipe are made by the next run, not by this pass.
  if (io::redact(recipe.yaml) != io::redact(context.recipe.yaml)) {
    for (const char* stage : {kSpans, kTokenize, kMix, kShards, kReport})
      context.finished.erase(stage);
  }
  context.recipe = std::move(recipe);
  forget_other_scores(context);
  forget_other_leaks(context);
  return {};
}

}  // namespace
}  // namespace curate

Result<JudgeResult> judge_run(const std::string& directory, const JudgeOptions& options) {
  const double start = monotonic_seconds();
  HEADRACE_ASSIGN_OR_RETURN(auto context, curate::open_context(directory));
  HEADRACE_ASSIGN_OR_RETURN(const curate::RunLock lock,
                            curate::RunLock::acquire(context->directory));
  HEADRACE_ASSIGN_OR_RETURN(const bool restored,
                            curate::VerdictBackup::restore(context->directory));
  if (restored) {  // an earlier judging was killed
    HEADRACE_ASSIGN_OR_RETURN(context, curate::open_context(directory));
  }
  if (!context->finished.contains(curate::kDocuments)) {
    return invalid_argument(
        "{} has no measures yet: let 'headrace run' finish its document pass first", directory);
  }
  context->threads = thread_count(options.threads);
  context->stop = options.stop;
  HEADRACE_ASSIGN_OR_RETURN(
      const std::vector<curate::Commit> documents,
      curate::whole_commits(*context, curate::kDocuments, curate::kJudgedFolders));
  std::vector<curate::Commit> near;
  if (context->recipe.dedup.near) {
    if (!context->finished.contains(curate::kNear)) {
      return invalid_argument(
          "{} does not know its near duplicates yet: let 'headrace run' finish that pass first",
          directory);
    }
    HEADRACE_ASSIGN_OR_RETURN(near, curate::whole_commits(*context, curate::kNear, {}));
  }
  HEADRACE_RETURN_IF_ERROR(curate::remove_leftovers(context->directory));
  JudgeResult result;
  result.compared = context->finished.contains(curate::kVerdict);
  std::vector<curate::PartReasons> before;
  if (result.compared) {
    HEADRACE_ASSIGN_OR_RETURN(before, curate::load_reasons(*context));
  }
  std::optional<curate::VerdictBackup> backup;
  if (options.recipe) {
    const Recipe::Data old = context->recipe;
    HEADRACE_RETURN_IF_ERROR(curate::adopt_recipe(*context, options.recipe->data()));
    if (result.compared && !curate::same_rules(old, context->recipe)) {
      HEADRACE_ASSIGN_OR_RETURN(curate::VerdictBackup made, curate::VerdictBackup::make(*context));
      backup.emplace(std::move(made));
    }
  }
  HEADRACE_RETURN_IF_ERROR(curate::prepare_scores(*context));
  HEADRACE_RETURN_IF_ERROR(curate::prepare_leaks(*context));
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<curate::Commit> late,
                            curate::late_passes(*context, documents));
  HEADRACE_RETURN_IF_ERROR(curate::verdict_pass(*context, documents, near, late));
  HEADRACE_ASSIGN_OR_RETURN(curate::Comparison change,
                            curate::compare_parts(*context, std::move(before), options.examples));
  result.newly_scored = context->newly_scored;
  result.newly_scanned = context->newly_scanned;
  result.documents = change.documents;
  result.newly_kept = change.newly_kept;
  result.newly_dropped = change.newly_dropped;
  for (auto& [reason, counts] : change.reasons) {
    if (reason.empty()) {
      result.before = counts.before;
      result.after = counts.after;
      continue;
    }
    result.reasons.push_back({reason, counts.before, counts.after});
    if (counts.after > 0) result.dropped[reason] = counts.after;
  }
  HEADRACE_ASSIGN_OR_RETURN(result.kept_examples,
                            curate::describe(*context, change.kept_rows.take(), options.texts));
  HEADRACE_ASSIGN_OR_RETURN(result.dropped_examples,
                            curate::describe(*context, change.dropped_rows.take(), options.texts));
  if (backup) HEADRACE_RETURN_IF_ERROR(backup->drop());  // from here on the new ones hold
  result.seconds = monotonic_seconds() - start;
  return result;
}

}  // namespace headrace
