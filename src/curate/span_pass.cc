// SPDX-License-Identifier: Apache-2.0
// What is removed from the texts of kept documents → spans/part-*.parquet: what was found among all
// parts (duplicate_text.h), part by part, as rows that fit the text (span_rows.h). Only these are
// committed: a run that is killed before looks for duplicates again.
#include <algorithm>

#include "base/error.h"
#include "curate/duplicate_text.h"
#include "curate/leak_verdict.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/removed_spans.h"
#include "curate/span_rows.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kSpanPassVersion = 1;

// The rows of one part.
class SpanTask {
 public:
  SpanTask(const Context& context, const DuplicateText& duplicates, std::size_t part)
      : context_(context), duplicates_(duplicates), part_(part) {}

  Result<Commit> run() {
    HEADRACE_ASSIGN_OR_RETURN(rows_, load_kept(context_, part_));
    std::vector<RemovedSpan> found;
    if (context_.recipe.dedup.spans.any()) {
      HEADRACE_ASSIGN_OR_RETURN(found, duplicates_.of(part_));
    }
    HEADRACE_RETURN_IF_ERROR(add_leaks(&found));
    HEADRACE_RETURN_IF_ERROR(settle(found));
    const std::string path = RunDirectory::part(kSpansFolder, part_, "parquet");
    HEADRACE_RETURN_IF_ERROR(write_spans(context_.directory.at(path), spans_));
    count();
    commit_.outputs.push_back({path, 0, ""});
    return std::move(commit_);
  }

 private:
  // Those of kept documents.
  Result<void> add_leaks(std::vector<RemovedSpan>* found) const {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<RemovedSpan> leaks, leak_spans(context_, part_));
    std::size_t row = 0;
    for (const RemovedSpan& leak : leaks) {
      while (row < rows_.ids.size() && rows_.ids[row] < leak.id) ++row;
      if (row < rows_.ids.size() && rows_.ids[row] == leak.id && rows_.kept[row])
        found->push_back(leak);
    }
    std::sort(found->begin(), found->end());
    return {};
  }

  // `found` stands by document.
  Result<void> settle(const std::vector<RemovedSpan>& found) {
    auto next = found.begin();
    std::vector<RemovedSpan> of_one;
    HEADRACE_RETURN_IF_ERROR(for_each_text(
        context_, part_, rows_named_in(found, rows_.ids),
        [&](std::size_t row, const RowText& text) {
          of_one.clear();
          while (next != found.end() && next->id < rows_.ids[row]) ++next;
          for (; next != found.end() && next->id == rows_.ids[row]; ++next) of_one.push_back(*next);
          settle_spans(text.text, context_.recipe.dedup.spans.min_rest, &of_one);
          spans_.insert(spans_.end(), of_one.begin(), of_one.end());
          if (!of_one.empty()) {
            commit_.numbers["bytes_removed"] +=
                text.text.size() - text_without(text.text, of_one).size();
          }
          return !context_.stop.stop_requested();
        },
        TextFields::kText));
    if (context_.stop.stop_requested()) return cancelled("stopped while cutting part {}", part_);
    return {};
  }

  void count() {
    RowCounts counts;
    auto next = spans_.begin();
    for (std::size_t row = 0; row < rows_.ids.size(); ++row) {
      if (!rows_.kept[row]) continue;
      const std::uint64_t id = rows_.ids[row];
      bool cut = false;
      bool dropped = false;
      for (; next != spans_.end() && next->id == id; ++next) {
        cut = true;
        if (next->reason == SpanReason::kLittleLeft) {
          dropped = true;
          continue;
        }
        const std::string name(name_of(next->reason));
        ++commit_.numbers["spans." + name];
        commit_.numbers["bytes." + name] += next->end - next->begin;
      }
      commit_.numbers["documents_cut"] += cut && !dropped;
      if (dropped) {
        counts.dropped(id, kLittleLeftReason);
      } else {
        counts.kept(id);
      }
    }
    commit_.files = std::move(counts.files);
  }

  const Context& context_;
  const DuplicateText& duplicates_;
  const std::size_t part_;
  KeptRows rows_;
  std::vector<RemovedSpan> spans_;
  Commit commit_;
};

// Every part depends on the texts and verdicts of all.
std::string span_fingerprint(const Context& context, const std::vector<Commit>& documents,
                             const std::vector<Commit>& verdicts) {
  const SpanSpec& spec = context.recipe.dedup.spans;
  Fingerprint print;
  print.add(kSpanPassVersion).add(std::uint64_t{spec.paragraphs}).add(std::uint64_t{spec.lines});
  print.add(std::uint64_t{spec.min_code_points}).add(std::uint64_t{spec.min_rest});
  print.add(std::uint64_t{spec.substring_code_points.value_or(0)}).add(spec.view.size());
  for (const std::string& step : spec.view) print.add(step);
  for (const Commit& commit : documents) print.add(commit.digest());
  for (const Commit& commit : verdicts) {
    for (const OutputFile& output : commit.outputs) print.add(output.xxh3_128);
  }
  if (removes_leaks(context.recipe)) {
    for (const LeakSet& set : context.recipe.leak->against) {
      if (set.report_only) print.add(set.name);
    }
    for (const Commit& commit : context.ledger.all(kLeaks)) print.add(commit.digest());
  }
  return print.hex();
}

// About: zstd makes a third of text.
std::uint64_t text_bytes_of(const std::vector<Commit>& documents) {
  std::uint64_t bytes = 0;
  for (const Commit& commit : documents) {
    for (const OutputFile& output : commit.outputs) {
      if (output.path.starts_with(kNormalizedFolder)) bytes += 3 * output.bytes;
    }
  }
  return bytes;
}

}  // namespace

Result<std::vector<Commit>> span_pass(Context& context, const std::vector<Commit>& documents,
                                      const std::vector<Commit>& verdicts) {
  if (!wants_stage(context.recipe, kSpans)) {
    context.finished.erase(kSpans);
    HEADRACE_RETURN_IF_ERROR(context.ledger.forget_from(kSpans, 0));
    HEADRACE_RETURN_IF_ERROR(io::remove_all(context.directory.at(kSpansFolder)));
    return std::vector<Commit>();
  }
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kSpansFolder)));
  const std::string fingerprint = span_fingerprint(context, documents, verdicts);
  bool all_done = true;
  std::vector<std::uint64_t> kept(documents.size());
  for (std::size_t part = 0; part < documents.size(); ++part) {
    all_done = all_done && context.ledger.find(kSpans, part, fingerprint).has_value();
    for (const auto& [file, counts] : verdicts[part].files) kept[part] += counts.out;
  }
  DuplicateText duplicates(context, kept);
  if (!all_done && context.recipe.dedup.spans.any())
    HEADRACE_RETURN_IF_ERROR(duplicates.find(text_bytes_of(documents)));
  std::vector<StageTask> tasks;
  for (std::size_t part = 0; part < documents.size(); ++part) {
    tasks.push_back({.fingerprint = fingerprint, .weight = kept[part], .work = [&, part] {
                       return SpanTask(context, duplicates, part).run();
                     }});
  }
  return run_stage(context, kSpans, tasks);
}

}  // namespace headrace::curate
