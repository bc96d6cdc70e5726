// SPDX-License-Identifier: Apache-2.0
// Verdicts: rules over measure columns, then exact duplicates among what the rules keep. A columnar
// scan; the text stays where it is. `headrace judge` is this pass alone.
//
// Judging is cheap enough to be done twice: once to collect the hashes of what the rules keep, once
// to write the verdicts with the duplicates known. So no list of kept documents has to be held or
// stored in between.
#include <algorithm>
#include <limits>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/measure_columns.h"
#include "curate/passes.h"
#include "dedup/exact.h"
#include "io/file.h"
#include "measure/measure.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kVerdictPassVersion = 2;

// Memory for the hashes of one round of dedup. More documents take more rounds over the hash
// columns.
constexpr std::uint64_t kDedupRoundBytes = 1ULL << 30;

// One part, judged.
struct JudgedPart {
  std::vector<std::uint64_t> ids;
  std::vector<std::vector<double>> values;  // by measure; empty for those that no rule looks at
  judge::Verdicts verdicts;

  static Result<JudgedPart> load(const Context& context, const judge::Judge& judge,
                                 std::size_t part) {
    const std::vector<std::string> names = measure::registry().names();
    const std::vector<std::size_t> columns = judge.columns();
    std::vector<std::string> looked_at;
    for (const std::size_t column : columns) looked_at.push_back(names[column]);
    HEADRACE_ASSIGN_OR_RETURN(MeasuredPart rows, MeasuredPart::load(context, part, looked_at));
    JudgedPart judged;
    judged.values.resize(names.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
      judged.values[columns[i]] = std::move(rows.values[i]);
    const std::vector<std::span<const double>> spans(judged.values.begin(), judged.values.end());
    judged.verdicts = judge.judge(spans, rows.domains);
    judged.ids = std::move(rows.ids);
    return judged;
  }
};

// Appends the hashes of the part's rows that the rules keep and whose view hash falls into `round`
// of `rounds`.
Result<void> collect_entries(const Context& context, const judge::Judge& judge, std::size_t part,
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
    entries->push_back({.view = {high[row], low[row]},
                        .id = judged.ids[row],
                        .content = content[row],
                        .code_points = code_points[row]});
  }
  return {};
}

Result<std::vector<dedup::ExactDuplicate>> find_duplicates(const Context& context,
                                                           const judge::Judge& judge,
                                                           std::size_t parts, std::uint64_t rows) {
  const std::uint64_t rounds = rows * sizeof(dedup::ExactEntry) / kDedupRoundBytes + 1;
  std::vector<dedup::ExactDuplicate> duplicates;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::vector<std::vector<dedup::ExactEntry>> by_part(parts);
    HEADRACE_RETURN_IF_ERROR(
        parallel_for(parts, context.threads, context.stop, [&](std::size_t part) {
          return collect_entries(context, judge, part, round, rounds, &by_part[part]);
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

class VerdictTask {
 public:
  VerdictTask(const Context& context, const judge::Judge& judge,
              const std::vector<dedup::ExactDuplicate>& duplicates, std::size_t part)
      : context_(context), judge_(judge), duplicates_(duplicates), part_(part) {}

  Result<Commit> run() {
    HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged, JudgedPart::load(context_, judge_, part_));
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
    const std::uint64_t* const survivor = first ? nullptr : survivor_of(id);
    const std::string_view counted = survivor != nullptr ? std::string_view(kDuplicateReason)
                                     : first ? std::string_view(judge_.reasons()[*first])
                                             : std::string_view();
    writer.append_uint64(0, id);
    writer.append_string(1, counted);
    writer.append_string(2, survivor != nullptr ? counted : std::string_view(all_));
    writer.append_double(3, first ? judged.values[judge_.column_of(*first)][row]
                                  : std::numeric_limits<double>::quiet_NaN());
    if (survivor != nullptr) {
      writer.append_uint64(4, *survivor);
    } else {
      writer.append_null(4);
    }
    if (counted.empty()) {
      counts_.kept(id);
    } else {
      counts_.dropped(id, counted);
    }
    return writer.end_row();
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
  RowCounts counts_;
  std::string all_;  // reasons of a row, its memory kept
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
                                const std::vector<Commit>& documents) {
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
  return print.hex();
}

// A percentile beyond the bound that is written beside it would drop every document.
void check_resolved(const Context& context, std::uint32_t domain, const judge::Rule& written,
                    const judge::Rule& resolved, std::vector<std::string>* faults) {
  if (!resolved.min || !resolved.max || *resolved.min <= *resolved.max) return;
  const auto name = [](const std::optional<double>& percentile) {
    return percentile ? fmt::format(" (p{} of its documents)", *percentile) : "";
  };
  faults->push_back(fmt::format(
      "{}:{}: '{}' in the domain '{}': min {}{} is above max {}{}, so every document would be "
      "dropped: move the bound that is a number, or give both by 'auto'",
      context.recipe.path, written.line, written.column, context.domains[domain], *resolved.min,
      name(written.auto_min_percentile), *resolved.max, name(written.auto_max_percentile)));
}

Result<void> resolve(const Context& context, std::uint32_t domain,
                     const std::vector<judge::Condition>& when, std::vector<judge::Rule>* rules,
                     std::vector<std::string>* faults) {
  for (judge::Rule& rule : *rules) {
    if (!rule.auto_min_percentile && !rule.auto_max_percentile) continue;
    HEADRACE_ASSIGN_OR_RETURN(std::vector<double> values,
                              domain_values(context, domain, rule.column, when));
    const judge::Rule resolved = judge::resolve_percentiles(rule, values);
    check_resolved(context, domain, rule, resolved, faults);
    rule = resolved;
  }
  return {};
}

}  // namespace

Result<std::vector<judge::RuleSet>> resolve_rules(const Context& context) {
  std::vector<judge::RuleSet> rules;
  std::vector<std::string> faults;
  for (std::uint32_t domain = 0; domain < context.domains.size(); ++domain) {
    rules.push_back(context.recipe.rules_of(context.domains[domain]));
    HEADRACE_RETURN_IF_ERROR(resolve(context, domain, {}, &rules.back().rules, &faults));
    for (judge::Bucket& bucket : rules.back().buckets)
      HEADRACE_RETURN_IF_ERROR(resolve(context, domain, bucket.when, &bucket.rules, &faults));
  }
  if (!faults.empty()) return invalid_argument("{}", fmt::join(faults, "\n"));
  return rules;
}

Result<std::vector<Commit>> verdict_pass(Context& context, const std::vector<Commit>& documents) {
  HEADRACE_ASSIGN_OR_RETURN(const auto rules, resolve_rules(context));
  HEADRACE_ASSIGN_OR_RETURN(const judge::Judge judge,
                            judge::Judge::make(measure::registry().names(), rules));
  const std::string fingerprint = verdict_fingerprint(context, rules, documents);
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kVerdictFolder)));

  std::uint64_t rows = 0;
  bool all_done = true;
  for (std::size_t part = 0; part < documents.size(); ++part) {
    rows += documents[part].numbers.at("rows");
    all_done = all_done && context.ledger.find(kVerdict, part, fingerprint).has_value();
  }
  std::vector<dedup::ExactDuplicate> duplicates;
  if (context.recipe.exact_view && !all_done) {
    HEADRACE_ASSIGN_OR_RETURN(duplicates, find_duplicates(context, judge, documents.size(), rows));
  }
  std::vector<StageTask> tasks;
  for (std::size_t part = 0; part < documents.size(); ++part) {
    tasks.push_back(
        {.fingerprint = fingerprint,
         .weight = documents[part].numbers.at("rows"),
         .work = [&, part] { return VerdictTask(context, judge, duplicates, part).run(); }});
  }
  return run_stage(context, kVerdict, tasks);
}

}  // namespace headrace::curate
