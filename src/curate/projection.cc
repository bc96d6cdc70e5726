// SPDX-License-Identifier: Apache-2.0
// A sample of documents, chosen by their ids, → shares of all with their intervals, sizes, time.
//
// Every record is read and counted, so how many there are is known; a share of the sample is then a
// share of a simple random sample of known size. Totals (bytes, tokens) are the mean over the
// sampled documents times all of them, with the normal interval of that mean, narrowed by what was
// seen. Time: reading is the same for a sample, everything else grows with it.
#include "curate/projection.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "judge/interval.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kNormalQuantile = 1.959963984540054;  // 0.975

// A value of each sampled record, most of them 0, as their sums.
struct Sum {
  double values = 0;
  double squares = 0;
  void add(double value) {
    values += value;
    squares += value * value;
  }
};

Estimate total_of(const Sum& sum, std::uint64_t sampled, std::uint64_t records) {
  if (sampled == 0) return {};
  const auto n = static_cast<double>(sampled);
  const auto all = static_cast<double>(records);
  const double mean = sum.values / n;
  const double variance = sampled > 1 ? (sum.squares - n * mean * mean) / (n - 1) : 0;
  const double unseen = 1 - n / all;
  const double half = kNormalQuantile * all * std::sqrt(std::max(0.0, variance * unseen / n));
  return {all * mean, std::max(sum.values, all * mean - half), all * mean + half};
}

Estimate share_of(std::uint64_t k, std::uint64_t n) {
  const judge::Interval interval = judge::share_interval(k, n, kConfidence);
  return {n == 0 ? 0 : static_cast<double>(k) / static_cast<double>(n), interval.low,
          interval.high};
}

// Bytes of the texts that the rules keep.
Result<Sum> kept_bytes(const Context& context) {
  Sum sum;
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context, part));
    std::vector<bool> kept(verdicts.ids.size());
    for (std::size_t row = 0; row < kept.size(); ++row) {
      const std::string& reason = verdicts.reasons[row];
      kept[row] = reason.empty() || reason == kDuplicateReason || reason == kQuotaReason;
    }
    HEADRACE_RETURN_IF_ERROR(
        for_each_text(context, part, kept, [&](std::size_t, const RowText& text) {
          sum.add(static_cast<double>(text.text.size()));
          return true;
        }));
  }
  return sum;
}

Result<Sum> all_tokens(const Context& context) {
  Sum sum;
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(
        auto reader, ParquetReader::open(
                         context.directory.at(RunDirectory::part(kTokensFolder, part, "parquet"))));
    std::vector<std::uint64_t> tokens;
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("tokens", &tokens));
    for (const std::uint64_t count : tokens) sum.add(static_cast<double>(count));
  }
  return sum;
}

std::uint64_t bytes_on_disk(const Context& context) {
  std::uint64_t bytes = 0;
  for (const std::string& stage : all_stages(context.recipe)) {
    if (!context.finished.contains(stage)) continue;
    for (const Commit& commit : context.ledger.all(stage)) {
      for (const OutputFile& output : commit.outputs) bytes += output.bytes;
    }
  }
  return bytes;
}

double seconds_of_all(const Context& context, const RunTimes& times, double share) {
  const auto threads = static_cast<double>(
      std::min(context.threads, std::max<std::size_t>(1, context.tasks.size())));
  const double work =
      std::min(static_cast<double>(context.document_ns) / 1e9 / threads, times.documents);
  return times.documents - work + (work + times.later) / share;
}

}  // namespace

Result<Projection> project(const Context& context, const Books& books, const RunTimes& times) {
  Projection projection;
  projection.records = books.in;
  const auto left_out = books.dropped.find(kNotSampledReason);
  projection.sampled = books.in - (left_out == books.dropped.end() ? 0 : left_out->second);
  const std::uint64_t n = projection.sampled;
  std::uint64_t kept = 0;
  std::uint64_t quarantined = 0;
  for (const StageBooks& stage : books.stages) {
    const bool by_rules = stage.stage == "judge" || stage.stage == "score";
    if (by_rules) kept = stage.out;
    if (stage.stage != "read" && !by_rules && stage.stage != "dedup") continue;
    quarantined += stage.quarantined;
    for (const auto& [reason, count] : stage.dropped) {
      if (reason == kNotSampledReason) continue;
      projection.reasons.push_back(
          {stage.stage, reason, count,
           stage.stage == "dedup" ? std::nullopt : std::optional(share_of(count, n))});
    }
    if (stage.stage == "read" && quarantined > 0)
      projection.reasons.push_back(
          {stage.stage, "quarantined", quarantined, share_of(quarantined, n)});
  }
  const auto all = static_cast<double>(projection.records);
  const Estimate share = share_of(kept, n);
  projection.kept_documents = {all * share.value, all * share.low, all * share.high};
  HEADRACE_ASSIGN_OR_RETURN(const Sum bytes, kept_bytes(context));
  projection.kept_bytes = total_of(bytes, n, projection.records);
  if (context.finished.contains(kTokenize)) {
    HEADRACE_ASSIGN_OR_RETURN(const Sum tokens, all_tokens(context));
    projection.tokens = total_of(tokens, n, projection.records);
  }
  const double sampled_share = all == 0 ? 1 : std::max(static_cast<double>(n), 1.0) / all;
  projection.disk_bytes =
      static_cast<std::uint64_t>(static_cast<double>(bytes_on_disk(context)) / sampled_share);
  if (times.whole) projection.seconds = seconds_of_all(context, times, sampled_share);
  return projection;
}

}  // namespace headrace::curate
