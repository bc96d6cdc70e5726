// SPDX-License-Identifier: Apache-2.0
#include "curate/leak_review.h"

#include <algorithm>
#include <map>
#include <set>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/hash.h"
#include "curate/judge_columns.h"
#include "curate/leak_verdict.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "leak/leak.h"
#include "record/reasons.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kAroundBytes = 1500;    // of the document, on either side of a find
constexpr std::size_t kMostBytes = 32 << 10;  // of the stretch itself

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

struct Found {
  LeakHit hit;
  std::size_t part = 0;
  std::size_t row = 0;
  std::string became;
};

// Finds of one group; those with the smallest keys are shown.
struct GroupOfFinds {
  std::uint64_t finds = 0;
  std::map<std::pair<std::uint64_t, std::string>, Found> shown;

  void offer(std::uint64_t key, const std::string& name, Found found, std::size_t most) {
    ++finds;
    shown.emplace(std::pair(key, name), std::move(found));
    if (shown.size() > most) shown.erase(std::prev(shown.end()));
  }
};

std::string name_of(const LeakHit& hit) {
  return fmt::format("{} {}-{} {}\n{}", to_string(DocumentId{hit.id}), hit.hit.span.begin,
                     hit.hit.span.end, hit.set, hit.item);
}

// Start of the character that holds byte `at`.
std::size_t character_at(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

Ranges shifted(const std::vector<TextRange>& ranges, std::size_t by, std::size_t end) {
  Ranges moved;
  for (const TextRange range : ranges) {
    if (range.end <= by || range.begin >= end) continue;
    moved.emplace_back(std::max<std::size_t>(range.begin, by) - by,
                       std::min<std::size_t>(range.end, end) - by);
  }
  return moved;
}

// Whether nothing stands between two marks that a reader would miss: blanks, stops.
bool is_gap(std::string_view text) {
  std::int32_t at = 0;
  const auto size = static_cast<std::int32_t>(text.size());
  while (at < size) {
    UChar32 c = 0;
    U8_NEXT(text.data(), at, size, c);
    if (c < 0 || u_isalnum(c) != 0) return false;
  }
  return true;
}

// Marks by words become marks by stretches.
Ranges joined(std::string_view text, Ranges ranges) {
  std::sort(ranges.begin(), ranges.end());
  Ranges all;
  for (const auto& [begin, end] : ranges) {
    if (!all.empty() && begin <= text.size() &&
        (begin <= all.back().second ||
         is_gap(text.substr(all.back().second, begin - all.back().second)))) {
      all.back().second = std::max(all.back().second, end);
    } else {
      all.emplace_back(begin, end);
    }
  }
  return all;
}

void set_document(const std::string& text, const leak::Hit& hit, report::LeakTexts* texts) {
  const std::size_t begin = std::min<std::size_t>(hit.span.begin, text.size());
  const std::size_t end = std::clamp<std::size_t>(hit.span.end, begin, text.size());
  const std::size_t from = character_at(text, begin > kAroundBytes ? begin - kAroundBytes : 0);
  const std::size_t last = std::min(end, begin + kMostBytes);
  const std::size_t to = character_at(text, last + kAroundBytes);
  texts->cut_before = from > 0;
  texts->cut_behind = to < text.size();
  texts->bytes = text.size();
  const std::string_view shown = std::string_view(text).substr(from, to - from);
  texts->document = report::segments(shown, joined(shown, shifted(hit.pieces, from, to)));
  texts->stretch = text.substr(begin, character_at(text, last) - begin);
}

void set_item(const leak::Item& item, const leak::Hit& hit, report::LeakTexts* texts) {
  const auto add = [&](const char* name, leak::Part part, std::uint32_t number,
                       const std::string& text) {
    if (text.empty()) return;
    Ranges marked;
    for (const leak::ItemPiece& piece : hit.item_pieces) {
      if (piece.part == part && piece.text == number)
        marked.emplace_back(piece.bytes.begin, piece.bytes.end);
    }
    texts->item.push_back({name, report::segments(text, joined(text, std::move(marked)))});
  };
  add("passage", leak::Part::kPassage, 0, item.passage);
  add("question", leak::Part::kQuestion, 0, item.question);
  for (std::uint32_t i = 0; i < item.options.size(); ++i)
    add("option", leak::Part::kOptions, i, item.options[i]);
  add("answer", leak::Part::kAnswer, 0, item.answer);
  add("solution", leak::Part::kAnswer, 1, item.solution);
}

// The finds that are shown, by name, and what their texts are made of.
struct Shown {
  std::map<std::string, Found> finds;
  leak::Index index;
};

Result<std::string> text_of(const Context& context, const Found& found) {
  std::vector<bool> wanted(found.row + 1);
  wanted[found.row] = true;
  std::string text;
  HEADRACE_RETURN_IF_ERROR(for_each_text(
      context, found.part, wanted,
      [&](std::size_t, RowText& row) {
        text = std::move(row.text);
        return false;
      },
      TextFields::kText));
  return text;
}

class Collector {
 public:
  Collector(const Context& context, std::uint64_t seed, std::size_t per_group)
      : context_(context), per_group_(per_group), rng_(seed, purpose("leak_review")) {}

  Result<void> run() {
    for (std::size_t part = 0; part < part_count(context_); ++part)
      HEADRACE_RETURN_IF_ERROR(take_part(part));
    return {};
  }

  std::vector<report::LeakGroup> groups() const {
    std::vector<report::LeakGroup> all;
    for (const auto& [name, group] : groups_) {
      report::LeakGroup made{.set = name.first, .verdict = name.second, .finds = group.finds};
      made.report_only = context_.recipe.leak->is_report_only(made.set);
      for (const auto& [key, found] : group.shown) made.shown.push_back(find_of(found));
      all.push_back(std::move(made));
    }
    // Most finds first: what decides about most documents is looked at first.
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.finds > b.finds; });
    return all;
  }

  std::map<std::string, Found> shown() {
    std::map<std::string, Found> all;
    for (auto& [name, group] : groups_) {
      for (auto& [key, found] : group.shown) all.emplace(key.second, std::move(found));
    }
    return all;
  }

 private:
  Result<void> take_part(std::size_t part) {
    HEADRACE_ASSIGN_OR_RETURN(const LeakPart rows, LeakPart::load(context_.directory, part));
    if (rows.hits.empty()) return {};
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context_, part));
    std::size_t row = 0;
    for (const LeakHit& hit : rows.hits) {
      while (row < rows.ids.size() && rows.ids[row] < hit.id) ++row;
      const std::string became = became_of(verdicts, row, hit);
      if (became.empty()) continue;
      const std::string name = name_of(hit);
      groups_[{hit.set, std::string(leak::name_of(hit.hit.verdict))}].offer(
          rng_.at(hash64(name)), name, {hit, part, row, became}, per_group_);
    }
    return {};
  }

  // "" for a document that a rule dropped before the check.
  std::string became_of(const PartVerdicts& verdicts, std::size_t row, const LeakHit& hit) const {
    const std::string& reason = verdicts.reasons.at(row);
    if (reason == kLeakReason || reason == kLittleLeftReason) return "dropped";
    if (!reason.empty()) return column_behind(context_.recipe, reason).empty() ? "other" : "";
    const auto spans = verdicts.spans.of(hit.id);
    const bool cut = std::any_of(spans.begin(), spans.end(), [&](const RemovedSpan& span) {
      return span.reason == SpanReason::kLeak && span.begin < hit.hit.span.end &&
             span.end > hit.hit.span.begin;
    });
    return cut ? "cut" : "kept";
  }

  report::LeakFind find_of(const Found& found) const {
    const leak::Hit& hit = found.hit.hit;
    const InputFile& file = context_.files[DocumentId{found.hit.id}.file()];
    const auto coverage = [&](leak::Part part) {
      return hit.coverage[static_cast<std::size_t>(part)];
    };
    return {.id = to_string(DocumentId{found.hit.id}),
            .domain = context_.domains[file.domain],
            .source = file.path,
            .set = found.hit.set,
            .item = found.hit.item,
            .verdict = std::string(leak::name_of(hit.verdict)),
            .became = found.became,
            .view = std::string(leak::name_of(hit.view)),
            .ratio = hit.ratio,
            .mass = hit.mass,
            .density = hit.density,
            .question = coverage(leak::Part::kQuestion),
            .options = coverage(leak::Part::kOptions),
            .answer = coverage(leak::Part::kAnswer),
            .passage = coverage(leak::Part::kPassage),
            .begin = hit.span.begin,
            .end = hit.span.end};
  }

  const Context& context_;
  const std::size_t per_group_;
  const CounterRng rng_;
  std::map<std::pair<std::string, std::string>, GroupOfFinds> groups_;  // by set and verdict
};

std::string name_of(const report::LeakFind& find) {
  return fmt::format("{} {}-{} {}\n{}", find.id, find.begin, find.end, find.set, find.item);
}

}  // namespace

Result<std::optional<report::LeakReviewData>> leak_review(const Context& context,
                                                          std::uint64_t seed,
                                                          std::size_t per_group) {
  std::optional<report::LeakReviewData> none;
  if (!context.recipe.leak || !context.finished.contains(kLeaks)) return none;
  Collector collector(context, seed, per_group);
  HEADRACE_RETURN_IF_ERROR(collector.run());
  report::LeakReviewData data;
  data.groups = collector.groups();
  HEADRACE_ASSIGN_OR_RETURN(
      leak::Index index,
      leak::Index::open(context.directory.at(kLeakIndexFile), leak::IndexSettings()));
  auto shown = std::make_shared<const Shown>(Shown{collector.shown(), std::move(index)});
  data.items = shown->index.stats().items;
  data.texts_of = [&context, shown](const report::LeakFind& find) -> Result<report::LeakTexts> {
    const Found& found = shown->finds.at(name_of(find));
    HEADRACE_ASSIGN_OR_RETURN(const std::string text, text_of(context, found));
    report::LeakTexts texts;
    set_document(text, found.hit.hit, &texts);
    set_item(shown->index.item(found.hit.hit.item), found.hit.hit, &texts);
    return texts;
  };
  data.whole_document = [&context, shown](const report::LeakFind& find) {
    return text_of(context, shown->finds.at(name_of(find)));
  };
  return std::optional(std::move(data));
}

}  // namespace headrace::curate
