// SPDX-License-Identifier: Apache-2.0
// Duplicates cross parts, so all parts are looked at before any is written:
//   1. texts → hashes of paragraphs and lines, anchors of stretches; repeats inside of batches are
//      settled, the others go to disk by their hash (repeat_rounds.h);
//   2. partition by partition, hashes alone: what repeats what;
//   3. texts once more, where an anchor stands in different contexts: its windows one by one, in
//      the same two rounds.
// Of equal pieces the one of the smallest document id, then of the smallest place stays: a total
// order that no thread, split or executor has a hand in.
#include "curate/duplicate_text.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/progress.h"
#include "dedup/pieces.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kNoId = ~std::uint64_t{0};

bool by_place(const dedup::OpenContext& a, const dedup::OpenContext& b) {
  return std::tie(a.id, a.begin) < std::tie(b.id, b.begin);
}

// Calls work(text, id) for rows.kept of a part.
template <class Work>
Result<void> for_each_document(const Context& context, std::size_t part, const KeptRows& rows,
                               const Work& work) {
  Result<void> failed;
  HEADRACE_RETURN_IF_ERROR(for_each_text(
      context, part, rows.kept,
      [&](std::size_t row, const RowText& text) {
        failed = work(text.text, rows.ids[row]);
        if (failed && context.stop.stop_requested())
          failed = cancelled("stopped while comparing texts of part {}", part);
        return failed.has_value();
      },
      TextFields::kText));
  return failed;
}

}  // namespace

Result<void> DuplicateText::find(std::uint64_t text_bytes) {
  HEADRACE_RETURN_IF_ERROR(find_parts());
  HEADRACE_RETURN_IF_ERROR(open(text_bytes));
  HEADRACE_RETURN_IF_ERROR(
      for_each_part("hash", [this](std::size_t part) { return collect(part); }));
  const auto nothing = [](std::span<const dedup::Occurrence>) { return Result<void>(); };
  for (auto* rounds : {&paragraphs_, &lines_}) {
    if (*rounds) HEADRACE_RETURN_IF_ERROR((*rounds)->last_round(context_, parts_, nothing));
  }
  if (!anchors_) return {};
  HEADRACE_RETURN_IF_ERROR(anchors_->last_round(
      context_, parts_,
      [this](std::span<const dedup::AnchorContext> rest) { return note_open_contexts(rest); }));
  HEADRACE_RETURN_IF_ERROR(
      for_each_part("compare", [this](std::size_t part) { return collect_windows(part); }));
  return windows_->last_round(context_, parts_, nothing);
}

Result<std::vector<RemovedSpan>> DuplicateText::of(std::size_t part) const {
  std::vector<RemovedSpan> spans;
  const auto add = [&](const auto& rounds, SpanReason reason) -> Result<void> {
    if (!rounds) return {};
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<dedup::Repeat> repeats, rounds->of(part));
    for (const dedup::Repeat& repeat : repeats) {
      spans.push_back({.id = repeat.id,
                       .begin = repeat.begin,
                       .end = repeat.end,
                       .reason = reason,
                       .kept = {{repeat.first_id, repeat.first_begin}}});
    }
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(add(paragraphs_, SpanReason::kDuplicateParagraph));
  HEADRACE_RETURN_IF_ERROR(add(lines_, SpanReason::kDuplicateLine));
  HEADRACE_RETURN_IF_ERROR(add(anchors_, SpanReason::kDuplicateSubstring));
  HEADRACE_RETURN_IF_ERROR(add(windows_, SpanReason::kDuplicateSubstring));
  std::sort(spans.begin(), spans.end());
  return spans;
}

Result<void> DuplicateText::find_parts() {
  const std::size_t parts = kept_.size();
  std::vector<std::uint64_t> first(parts);
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(parts, context_.threads, context_.stop, [&](std::size_t part) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(const KeptRows rows, load_kept(context_, part));
        first[part] = rows.ids.empty() ? kNoId : rows.ids.front();
        return {};
      }));
  for (std::size_t part = parts; part-- > 1;)
    first[part - 1] = std::min(first[part - 1], first[part]);
  parts_ = PartsById(std::move(first));
  return {};
}

Result<void> DuplicateText::open(std::uint64_t text_bytes) {
  const bool stretches = spec_.substring_code_points.has_value();
  const std::uint64_t kinds = (spec_.paragraphs ? 1 : 0) + (spec_.lines ? 1 : 0) + stretches;
  const RoundSizes sizes = {.memory_bytes = context_.recipe.memory_bytes / kinds,
                            .expected_bytes = text_bytes / 2,
                            .parts = kept_.size()};
  const auto make = [&](auto* rounds) -> Result<void> {
    HEADRACE_ASSIGN_OR_RETURN(
        auto made, std::remove_pointer_t<decltype(rounds)>::value_type::make(context_, sizes));
    rounds->emplace(std::move(made));
    return {};
  };
  if (spec_.paragraphs) HEADRACE_RETURN_IF_ERROR(make(&paragraphs_));
  if (spec_.lines) HEADRACE_RETURN_IF_ERROR(make(&lines_));
  if (!stretches) return {};
  HEADRACE_RETURN_IF_ERROR(make(&anchors_));
  HEADRACE_RETURN_IF_ERROR(make(&windows_));
  HEADRACE_ASSIGN_OR_RETURN(
      auto open, dedup::Spill::create(context_.directory.at(kSpansFolder), kept_.size(), 4096));
  open_.emplace(std::move(open));
  return {};
}

Result<void> DuplicateText::for_each_part(const char* what,
                                          const std::function<Result<void>(std::size_t)>& work) {
  Progress progress(fmt::format("{} {}", kSpans, what),
                    std::accumulate(kept_.begin(), kept_.end(), std::uint64_t{0}), "documents",
                    context_.progress);
  return parallel_for(kept_.size(), context_.threads, context_.stop,
                      [&](std::size_t part) -> Result<void> {
                        HEADRACE_RETURN_IF_ERROR(work(part));
                        progress.add(kept_[part]);
                        return {};
                      });
}

// Round 1.
Result<void> DuplicateText::collect(std::size_t part) {
  std::optional<dedup::PieceHasher> hasher;
  std::optional<PieceRounds::Collector> paragraphs;
  std::optional<PieceRounds::Collector> lines;
  std::optional<dedup::AnchorFinder> finder;
  std::optional<AnchorRounds::Collector> anchors;
  if (paragraphs_ || lines_) {
    HEADRACE_ASSIGN_OR_RETURN(auto view, dedup::HashView::make(spec_.view));
    hasher.emplace(std::move(view), spec_.min_code_points);
  }
  if (paragraphs_) paragraphs.emplace(*paragraphs_, part);
  if (lines_) lines.emplace(*lines_, part);
  if (anchors_) {
    finder.emplace(*spec_.substring_code_points);
    anchors.emplace(*anchors_, part);
  }
  HEADRACE_ASSIGN_OR_RETURN(const KeptRows rows, load_kept(context_, part));
  HEADRACE_RETURN_IF_ERROR(for_each_document(
      context_, part, rows, [&](const std::string& text, std::uint64_t id) -> Result<void> {
        if (paragraphs) {
          hasher->add(text, id, dedup::PieceLevel::kParagraph, &paragraphs->batch);
          HEADRACE_RETURN_IF_ERROR(paragraphs->next());
        }
        if (lines) {
          hasher->add(text, id, dedup::PieceLevel::kLine, &lines->batch);
          HEADRACE_RETURN_IF_ERROR(lines->next());
        }
        if (!anchors) return {};
        for (const TextRange segment : dedup::segments_of(text, *spec_.substring_code_points)) {
          finder->add(text, segment, id, &anchors->batch);
          HEADRACE_RETURN_IF_ERROR(anchors->next());
        }
        return {};
      }));
  if (paragraphs) HEADRACE_RETURN_IF_ERROR(paragraphs->finish());
  if (lines) HEADRACE_RETURN_IF_ERROR(lines->finish());
  return anchors ? anchors->finish() : Result<void>();
}

Result<void> DuplicateText::note_open_contexts(std::span<const dedup::AnchorContext> rest) {
  std::vector<dedup::OpenContext> open;
  dedup::open_contexts(rest, &open);
  dedup::Spill::Writer writer(*open_);
  for (const dedup::OpenContext& one : open)
    HEADRACE_RETURN_IF_ERROR(writer.put_record(parts_.of(one.id), one));
  return writer.flush();
}

// Round 3.
Result<void> DuplicateText::collect_windows(std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto open, open_->read_records<dedup::OpenContext>(part));
  std::sort(open.begin(), open.end(), by_place);
  HEADRACE_ASSIGN_OR_RETURN(KeptRows rows, load_kept(context_, part));
  rows.kept = rows_named_in(open, rows.ids);
  PieceRounds::Collector windows(*windows_, part);
  HEADRACE_RETURN_IF_ERROR(for_each_document(
      context_, part, rows, [&](const std::string& text, std::uint64_t id) -> Result<void> {
        auto one =
            std::lower_bound(open.begin(), open.end(), dedup::OpenContext{id, 0, 0}, by_place);
        for (; one != open.end() && one->id == id; ++one) {
          dedup::add_windows(text, *one, *spec_.substring_code_points, &windows.batch);
          HEADRACE_RETURN_IF_ERROR(windows.next());
        }
        return {};
      }));
  return windows.finish();
}

}  // namespace headrace::curate
