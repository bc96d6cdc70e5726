// SPDX-License-Identifier: Apache-2.0
// Commits and columns → the report page, and the bounded samples under dropped/ for people who read
// files.
#include <algorithm>
#include <queue>
#include <set>

#include <nlohmann/json.hpp>

#include "headrace/version.h"

#include "base/counter_rng.h"
#include "base/error.h"
#include "curate/books.h"
#include "curate/explain_cluster.h"
#include "curate/judge_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/projection.h"
#include "curate/report_clusters.h"
#include "curate/report_histograms.h"
#include "curate/scoring.h"
#include "io/file.h"
#include "report/report.h"
#include "score/model_card.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kReportPassVersion = 5;
constexpr std::size_t kSamplesPerReason = 20;
constexpr std::size_t kSampleBytes = 2000;

using RulesByDomain = std::vector<judge::RuleSet>;

// A dropped row of a reason, ordered by a keyed number: the smallest are a random sample that no
// task order can change.
struct SampledRow {
  std::uint64_t key = 0;
  std::uint64_t id = 0;
  std::size_t part = 0;
  std::size_t row = 0;
  double value = 0;
  bool operator<(const SampledRow& other) const {
    return std::pair(key, id) < std::pair(other.key, other.id);
  }
};

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : rng_(seed, purpose("report")) {}

  void offer(const std::string& reason, SampledRow row) {
    row.key = rng_.at(row.id);
    auto& heap = by_reason_[reason];
    heap.push(row);
    if (heap.size() > kSamplesPerReason) heap.pop();
  }

  std::map<std::string, std::vector<SampledRow>> take() {
    std::map<std::string, std::vector<SampledRow>> rows;
    for (auto& [reason, heap] : by_reason_) {
      for (; !heap.empty(); heap.pop()) rows[reason].push_back(heap.top());
      std::sort(rows[reason].begin(), rows[reason].end(),
                [](const auto& a, const auto& b) { return a.id < b.id; });
    }
    return rows;
  }

 private:
  CounterRng rng_;
  std::map<std::string, std::priority_queue<SampledRow>> by_reason_;
};

report::DroppedSample to_sample(const Context& context, std::uint64_t id, const std::string& text,
                                std::string value) {
  const InputFile& file = context.files[DocumentId{id}.file()];
  report::DroppedSample sample{to_string(DocumentId{id}),
                               context.domains[file.domain],
                               file.path,
                               std::move(value),
                               "",
                               false};
  sample.text = front_of(text, kSampleBytes, &sample.cut);
  return sample;
}

// "max 0.8": the bound behind a rule's reason, which `value` broke. Buckets have bounds of their
// own; where it breaks several that differ, which one held is not known here: nothing.
std::string bound_of(const judge::RuleSet& set, const std::string& reason, double value) {
  std::set<std::string> broken;
  const auto look = [&](const std::vector<judge::Rule>& rules) {
    for (const judge::Rule& rule : rules) {
      if (rule.min && value < *rule.min && reason == judge::reason_below_min(rule.column))
        broken.insert("min " + format_value(*rule.min));
      if (rule.max && value > *rule.max && reason == judge::reason_above_max(rule.column))
        broken.insert("max " + format_value(*rule.max));
    }
  };
  look(set.rules);
  for (const judge::Bucket& bucket : set.buckets) look(bucket.rules);
  return broken.size() == 1 ? *broken.begin() : "";
}

// Records that never became documents: the first of each reason, in input order.
Result<void> collect_rejected(const Context& context,
                              std::map<std::string, report::ReasonSamples>* samples) {
  RejectedRecords all_rejected(context);
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<RejectedRow> rejected, all_rejected.next_part());
    for (const RejectedRow& row : rejected) {
      report::ReasonSamples& reason = (*samples)[row.reason];
      reason.quarantined = row.quarantined;
      ++reason.documents;
      if (reason.samples.size() < kSamplesPerReason) {
        reason.samples.push_back(
            to_sample(context, DocumentId::make(row.file, row.offset).value, row.raw, ""));
      }
    }
  }
  return {};
}

Result<void> collect_samples(const Context& context, const RulesByDomain& rules,
                             report::ReportData* data) {
  Sampler sampler(context.recipe.seed);
  std::map<std::string, report::ReasonSamples> samples;
  HEADRACE_RETURN_IF_ERROR(collect_rejected(context, &samples));
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context, part));
    for (std::size_t row = 0; row < verdicts.ids.size(); ++row) {
      if (verdicts.reasons[row].empty()) continue;
      ++samples[verdicts.reasons[row]].documents;
      sampler.offer(verdicts.reasons[row], {0, verdicts.ids[row], part, row, verdicts.values[row]});
    }
  }
  // Texts part by part, so that no part is opened twice.
  const auto chosen = sampler.take();
  for (std::size_t part = 0; part < part_count(context); ++part) {
    std::map<std::size_t, std::pair<std::string, double>> rows;
    for (const auto& [reason, list] : chosen) {
      for (const SampledRow& row : list) {
        if (row.part == part) rows[row.row] = {reason, row.value};
      }
    }
    if (rows.empty()) continue;
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context, part));
    std::vector<bool> wanted(verdicts.ids.size());
    for (const auto& [row, what] : rows) wanted[row] = true;
    HEADRACE_RETURN_IF_ERROR(
        for_each_text(context, part, wanted, [&](std::size_t row, const RowText& text) {
          const auto& [reason, value] = rows.at(row);
          const std::string shown =
              is_duplicate(reason) ? describe_duplicate(context, reason, verdicts.duplicate_of[row])
                                   : format_value(value);
          samples[reason].samples.push_back(
              to_sample(context, verdicts.ids[row], text.text, shown));
          samples[reason].samples.back().bound =
              bound_of(rules[context.domain_of(verdicts.ids[row])], reason, value);
          return true;
        }));
  }
  for (auto& [name, reason] : samples) {
    reason.reason = name;
    data->reasons.push_back(std::move(reason));
  }
  // What was only not chosen says nothing about quality: last.
  std::stable_sort(data->reasons.begin(), data->reasons.end(), [](const auto& a, const auto& b) {
    const auto key = [](const report::ReasonSamples& reason) {
      return std::pair(reason.reason == kQuotaReason || reason.reason == kNotSampledReason,
                       ~reason.documents);
    };
    return key(a) < key(b);
  });
  return {};
}

std::vector<report::StageRow> to_rows(const std::vector<StageBooks>& stages) {
  std::vector<report::StageRow> rows;
  for (const StageBooks& stage : stages)
    rows.push_back({stage.stage, stage.in, stage.out, stage.quarantined, stage.dropped});
  return rows;
}

void add_shards(const Manifest& manifest, report::ReportData* data) {
  data->shard_format = manifest.format;
  data->shards = manifest.shards.size();
  data->samples = manifest.samples;
  data->tokens = manifest.tokens;
  data->leftover_tokens = manifest.leftover_tokens;
  data->sequence_length = manifest.sequence_length;
  for (report::DomainFunnel& funnel : data->domains) {
    for (const DomainEntry& domain : manifest.domains) {
      if (domain.name == funnel.domain) funnel.tokens = domain.tokens;
    }
  }
}

// Adds the files to `outputs`.
Result<void> write_sample_files(const Context& context, const report::ReportData& data,
                                std::vector<OutputFile>* outputs) {
  HEADRACE_RETURN_IF_ERROR(io::remove_all(context.directory.at("dropped")));
  for (const report::ReasonSamples& reason : data.reasons) {
    std::string lines;
    for (const report::DroppedSample& sample : reason.samples) {
      const nlohmann::ordered_json json = {{"id", sample.id},         {"domain", sample.domain},
                                           {"source", sample.source}, {"reason", reason.reason},
                                           {"value", sample.value},   {"text", sample.text},
                                           {"cut", sample.cut}};
      lines += json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
    const std::string folder = "dropped/" + reason.reason;
    HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(folder)));
    outputs->push_back({folder + "/sample.jsonl", 0, ""});
    HEADRACE_RETURN_IF_ERROR(
        io::write_file_atomic(context.directory.at(outputs->back().path), lines));
  }
  return {};
}

// Of models whose cards say how good they are; their bytes go into `print`. A card that can not be
// read is the model's matter, not the report's.
std::vector<report::ScoreReport> score_reports(const Context& context, Fingerprint* print) {
  std::vector<report::ScoreReport> reports;
  for (const ScoreSpec& spec : context.recipe.scores) {
    const auto model = spec.options.find("model");
    if (model == spec.options.end()) continue;
    const auto card = card_of(model->second);
    if (!card || !*card || !(*card)->evaluation) continue;
    print->add(score::format_card(**card));
    const std::optional<double>& bound = (*card)->evaluation->low_is_better ? spec.max : spec.min;
    reports.push_back({.name = spec.name,
                       .kind = spec.kind,
                       .positive = (*card)->positive,
                       .version = std::string(version()),
                       .evaluation = *(*card)->evaluation,
                       .line = spec.min_is_best_f1 || spec.max_is_best_f1 ? std::nullopt : bound});
  }
  return reports;
}

Result<report::ReportData> collect(Context& context) {
  HEADRACE_ASSIGN_OR_RETURN(const Books books, make_books(context));
  report::ReportData data;
  data.name = context.recipe.name;
  data.version = version();
  data.input_files = context.files.size();
  for (const InputFile& file : context.files) data.input_bytes += file.bytes;
  data.balanced = books.balanced;
  data.stages = to_rows(books.stages);
  for (const std::string& domain : context.domains) {
    if (const auto found = books.domains.find(domain); found != books.domains.end())
      data.domains.push_back({domain, to_rows(found->second), 0});
  }
  data.leak = books.leak;
  data.validation = books.validation;
  data.notes = books.notes;
  if (context.sample) {
    HEADRACE_ASSIGN_OR_RETURN(data.projection, project(context, books));
  }
  HEADRACE_ASSIGN_OR_RETURN(const RulesByDomain rules, resolve_rules(context));
  HEADRACE_ASSIGN_OR_RETURN(data.histograms, collect_histograms(context, rules));
  HEADRACE_RETURN_IF_ERROR(collect_samples(context, rules, &data));
  HEADRACE_ASSIGN_OR_RETURN(data.near, collect_clusters(context));
  if (context.recipe.tokenize) {
    HEADRACE_ASSIGN_OR_RETURN(const Manifest manifest, read_manifest(context.directory.shards()));
    add_shards(manifest, &data);
  }
  return data;
}

}  // namespace

Result<void> report_pass(Context& context) {
  Fingerprint print;
  print.add(kReportPassVersion).add(version()).add(context.recipe.name).add(context.recipe.seed);
  for (const char* stage : {kDocuments, kVerdict, kSpans, kMix, kShards}) {
    if (!context.finished.contains(stage)) continue;  // commits of a recipe that went further
    print.add(stage);
    for (const Commit& commit : context.ledger.all(stage)) print.add(commit.digest());
  }
  const std::vector<report::ScoreReport> scores = score_reports(context, &print);
  const auto work = [&]() -> Result<Commit> {
    HEADRACE_ASSIGN_OR_RETURN(report::ReportData data, collect(context));
    data.scores = scores;
    Commit commit;
    HEADRACE_RETURN_IF_ERROR(write_sample_files(context, data, &commit.outputs));
    HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at("report")));
    HEADRACE_RETURN_IF_ERROR(
        io::write_file_atomic(context.directory.report_html(), report::render_html(data)));
    commit.outputs.push_back({"report/index.html", 0, ""});
    return commit;
  };
  HEADRACE_RETURN_IF_ERROR(
      run_stage(context, kReport, {{.fingerprint = print.hex(), .weight = 1, .work = work}}));
  return {};
}

}  // namespace headrace::curate
