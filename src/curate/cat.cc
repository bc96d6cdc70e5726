// SPDX-License-Identifier: Apache-2.0
// headrace cat: the records of a run, kept, dropped or quarantined, in id order.
#include <algorithm>
#include <map>

#include "headrace/run.h"

#include "base/error.h"
#include "base/quote.h"
#include "base/suggest.h"
#include "curate/books.h"
#include "curate/explain_cluster.h"
#include "curate/leak_verdict.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/score_reach.h"
#include "curate/split_files.h"
#include "curate/validation.h"
#include "record/document.h"

namespace headrace {
namespace curate {
namespace {

class Cat {
 public:
  Cat(const Context& context, const CatOptions& options,
      const std::function<bool(const RecordView&)>& sink)
      : context_(context), options_(options), sink_(sink) {}

  Result<void> run() {
    if (options_.what != What::kQuarantined) {
      HEADRACE_ASSIGN_OR_RETURN(reaches_, finished_scores(context_));
    }
    for (std::size_t part = 0; part < part_count(context_) && !done_; ++part)
      HEADRACE_RETURN_IF_ERROR(show_part(part));
    return {};
  }

 private:
  using What = CatOptions::What;

  bool wants(const std::string& reason) const {
    if (options_.what == What::kKept) return reason.empty();
    if (options_.what == What::kQuarantined) return false;
    return !reason.empty() && (options_.reason.empty() || options_.reason == reason);
  }

  bool wants(const RejectedRow& row) const {
    if (options_.what == What::kQuarantined) return row.quarantined;
    return options_.what == What::kDropped && !row.quarantined &&
           (options_.reason.empty() || options_.reason == row.reason);
  }

  Result<void> show_part(std::size_t part) {
    std::vector<RejectedRow> rejected;
    if (options_.what != What::kKept) {
      HEADRACE_ASSIGN_OR_RETURN(rejected, rejected_.next_part());
    }
    std::size_t next = 0;
    const auto show_rejected_before = [&](std::uint64_t id) {
      for (; next < rejected.size() && !done_; ++next) {
        if (DocumentId::make(rejected[next].file, rejected[next].offset).value >= id) return;
        if (wants(rejected[next])) emit(view_of(rejected[next]));
      }
    };
    if (options_.what != What::kQuarantined) {
      HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context_, part));
      HEADRACE_RETURN_IF_ERROR(load_scores(part));
      HEADRACE_ASSIGN_OR_RETURN(sides_, load_sides(context_, part));
      HEADRACE_RETURN_IF_ERROR(load_leaks(part));
      std::vector<bool> wanted(verdicts.ids.size());
      for (std::size_t row = 0; row < wanted.size(); ++row)
        wanted[row] = wants(verdicts.reasons[row]);
      HEADRACE_RETURN_IF_ERROR(
          for_each_text(context_, part, wanted, [&](std::size_t row, RowText& text) {
            // Of what is dropped since little is left, people want to see the whole.
            if (!verdicts.spans.drops(verdicts.ids[row]))
              verdicts.spans.cut(verdicts.ids[row], &text.text);
            show_rejected_before(verdicts.ids[row]);
            if (!done_) emit(view_of(verdicts, row, text));
            return !done_;
          }));
    }
    show_rejected_before(~std::uint64_t{0});
    return {};
  }

  Result<void> load_scores(std::size_t part) {
    scores_.clear();
    for (const ScoreReach& reach : reaches_) {
      HEADRACE_ASSIGN_OR_RETURN(ScoredPart scores, reach.load(part));
      scores_.emplace_back(&reach.spec(), std::move(scores));
    }
    return {};
  }

  // What the details of dropped documents name.
  Result<void> load_leaks(std::size_t part) {
    leaks_.clear();
    if (options_.what != What::kDropped) return {};
    if (context_.recipe.leak && context_.finished.contains(kLeaks)) {
      HEADRACE_ASSIGN_OR_RETURN(const LeakPart rows, LeakPart::load(context_.directory, part));
      for (const LeakHit& hit : rows.hits) {
        if (!counts(*context_.recipe.leak, hit)) continue;
        std::string& detail = leaks_[{hit.id, kLeakReason}];
        detail += fmt::format("{}{} {}", detail.empty() ? "holds " : ", ", hit.set, hit.item);
      }
    }
    if (context_.recipe.validation && context_.finished.contains(kSplit)) {
      HEADRACE_ASSIGN_OR_RETURN(const auto found, SplitPart::load_leaks(context_.directory, part));
      for (const SplitLeak& leak : found) {
        if (!leak.leak) continue;
        leaks_.try_emplace({leak.id, kValidationLeakReason},
                           "holds text of " + to_string(DocumentId{leak.validation_id}));
      }
    }
    return {};
  }

  RecordView place(std::uint64_t id) const {
    const InputFile& file = context_.files[DocumentId{id}.file()];
    RecordView view;
    view.id = to_string(DocumentId{id});
    view.domain = context_.domains[file.domain];
    view.source = file.path;
    view.offset = DocumentId{id}.place();
    return view;
  }

  RecordView view_of(const PartVerdicts& verdicts, std::size_t row, const RowText& text) const {
    RecordView view = place(verdicts.ids[row]);
    view.text = text.text;
    view.meta = text.meta;
    view.reason = verdicts.reasons[row];
    if (!view.reason.empty()) view.value = format_value(verdicts.values[row]);
    for (const auto& [spec, scores] : scores_) {
      if (scores.scored.at(row) != 0) view.scores.push_back(curate::view_of(scores, *spec, row));
    }
    if (is_duplicate(view.reason))
      view.detail = describe_duplicate(context_, view.reason, verdicts.duplicate_of[row]);
    if (const auto leak = leaks_.find({verdicts.ids[row], view.reason}); leak != leaks_.end())
      view.detail = leak->second;
    if (!sides_.empty()) view.split = sides_.at(row) ? "validation" : "training";
    return view;
  }

  RecordView view_of(const RejectedRow& row) const {
    RecordView view = place(DocumentId::make(row.file, row.offset).value);
    view.text = row.raw;
    view.reason = row.reason;
    view.detail = row.detail;
    view.line = row.line;
    return view;
  }

  void emit(const RecordView& view) {
    if (options_.limit && shown_ >= *options_.limit) {
      done_ = true;
      return;
    }
    ++shown_;
    if (!sink_(view) || (options_.limit && shown_ >= *options_.limit)) done_ = true;
  }

  const Context& context_;
  const CatOptions& options_;
  const std::function<bool(const RecordView&)>& sink_;
  RejectedRecords rejected_{context_};
  std::vector<ScoreReach> reaches_;
  // Of the part at hand.
  std::vector<std::pair<const ScoreSpec*, ScoredPart>> scores_;
  std::vector<bool> sides_;
  std::map<std::pair<std::uint64_t, std::string>, std::string> leaks_;  // (id, reason) → detail
  std::uint64_t shown_ = 0;
  bool done_ = false;
};

// A reason that the run does not know is a slip, not an empty answer.
Result<void> check_reason(const Context& context, const std::string& reason) {
  if (reason.empty()) return {};
  if (reason == kNotSampledReason) {
    return invalid_argument(
        "what a sample leaves out is counted, not written: run without a sample");
  }
  HEADRACE_ASSIGN_OR_RETURN(const Books books, make_books(context));
  if (books.dropped.contains(reason)) return {};
  std::vector<std::string> known;
  for (const auto& [name, count] : books.dropped) known.push_back(name);
  if (known.empty())
    return invalid_argument("no document was dropped in {}", context.directory.root());
  return invalid_argument("no document was dropped for '{}'{}", excerpt(reason),
                          suggestion(reason, known));
}

}  // namespace
}  // namespace curate

Result<void> cat(const std::string& directory, const CatOptions& options,
                 const std::function<bool(const RecordView&)>& sink) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(directory));
  if (options.limit == std::optional<std::uint64_t>(0)) return {};
  HEADRACE_RETURN_IF_ERROR(curate::check_reason(*context, options.reason));
  return curate::Cat(*context, options, sink).run();
}

}  // namespace headrace
