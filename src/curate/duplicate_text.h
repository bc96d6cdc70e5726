// SPDX-License-Identifier: Apache-2.0
// Paragraphs, lines and stretches of kept documents that stand elsewhere too, among all parts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "headrace/result.h"

#include "curate/context.h"
#include "curate/part_rows.h"
#include "curate/removed_spans.h"
#include "curate/repeat_rounds.h"

namespace headrace::curate {

// Which rows of `ids` have an entry in `list`; both are sorted by id.
template <class Entry>
std::vector<bool> rows_named_in(const std::vector<Entry>& list,
                                const std::vector<std::uint64_t>& ids) {
  std::vector<bool> named(ids.size());
  auto next = list.begin();
  for (std::size_t row = 0; row < ids.size(); ++row) {
    while (next != list.end() && next->id < ids[row]) ++next;
    named[row] = next != list.end() && next->id == ids[row];
  }
  return named;
}

// See duplicate_text.cc for the rounds. find() first, then of() from any thread.
class DuplicateText {
 public:
  // `kept`: how many documents of each part the verdicts keep.
  DuplicateText(const Context& context, std::vector<std::uint64_t> kept)
      : context_(context), spec_(context.recipe.dedup.spans), kept_(std::move(kept)) {}

  // `text_bytes`: about how much text there is.
  Result<void> find(std::uint64_t text_bytes);

  // What repeats in a part, in order; overlapping, and as it was found.
  Result<std::vector<RemovedSpan>> of(std::size_t part) const;

 private:
  using PieceRounds = RepeatRounds<dedup::Occurrence>;
  using AnchorRounds = RepeatRounds<dedup::AnchorContext>;

  Result<void> find_parts();
  Result<void> open(std::uint64_t text_bytes);
  Result<void> for_each_part(const char* what,
                             const std::function<Result<void>(std::size_t part)>& work);
  Result<void> collect(std::size_t part);
  Result<void> note_open_contexts(std::span<const dedup::AnchorContext> rest);
  Result<void> collect_windows(std::size_t part);

  const Context& context_;
  const SpanSpec& spec_;
  const std::vector<std::uint64_t> kept_;
  PartsById parts_;
  std::optional<PieceRounds> paragraphs_;
  std::optional<PieceRounds> lines_;
  std::optional<AnchorRounds> anchors_;
  std::optional<PieceRounds> windows_;
  std::optional<dedup::Spill> open_;  // contexts, by part
};

}  // namespace headrace::curate
