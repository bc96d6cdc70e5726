// SPDX-License-Identifier: Apache-2.0
#include "curate/span_rows.h"

#include <algorithm>
#include <tuple>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "dedup/anchors.h"

namespace headrace::curate {
namespace {

bool is_duplicate(const RemovedSpan& span) { return span.reason != SpanReason::kLeak; }

bool is_piece(const RemovedSpan& span) {
  return span.reason == SpanReason::kDuplicateLine ||
         span.reason == SpanReason::kDuplicateParagraph;
}

// How far behind its first copy a stretch stands, and of which document that is.
auto source_of(const RemovedSpan& span) {
  const RemovedSpan::Kept kept = span.kept.value_or(RemovedSpan::Kept());
  return std::make_tuple(kept.id, std::int64_t{span.begin} - std::int64_t{kept.begin});
}

// The windows and contexts that stretches were found by, as long as they go.
void join_stretches(std::vector<RemovedSpan>* spans) {
  const auto others = std::partition(spans->begin(), spans->end(), [](const RemovedSpan& span) {
    return span.reason == SpanReason::kDuplicateSubstring;
  });
  std::sort(spans->begin(), others, [](const RemovedSpan& a, const RemovedSpan& b) {
    return std::tuple_cat(source_of(a), std::tie(a.begin, a.end)) <
           std::tuple_cat(source_of(b), std::tie(b.begin, b.end));
  });
  auto last = spans->begin();
  for (auto next = spans->begin(); next != others; ++next) {
    if (next == last) continue;
    if (source_of(*next) == source_of(*last) && next->begin <= last->end) {
      last->end = std::max(last->end, next->end);
    } else {
      *++last = *next;
    }
  }
  if (others != spans->begin()) ++last;
  spans->erase(last, others);
}

void drop_contained(std::vector<RemovedSpan>* spans) {
  std::sort(spans->begin(), spans->end(), [](const RemovedSpan& a, const RemovedSpan& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end > b.end;
    return a < b;
  });
  std::int64_t covered = -1;
  std::erase_if(*spans, [&](const RemovedSpan& span) {
    if (!is_duplicate(span)) return false;
    if (std::int64_t{span.end} <= covered) return true;
    covered = span.end;
    return false;
  });
}

struct Cut {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// What the ranges take away, apart from each other. `spans` stand by their begin.
std::vector<Cut> cuts_of(const std::vector<RemovedSpan>& spans) {
  std::vector<Cut> cuts;
  for (const RemovedSpan& span : spans) {
    if (!cuts.empty() && span.begin <= cuts.back().end) {
      cuts.back().end = std::max(cuts.back().end, span.end);
    } else {
      cuts.push_back({span.begin, span.end});
    }
  }
  return cuts;
}

void end_at_whole_characters(std::string_view text, std::vector<RemovedSpan>* spans) {
  const std::vector<Cut> cuts = cuts_of(*spans);
  auto cut = cuts.begin();
  for (RemovedSpan& span : *spans) {
    while (cut->end < span.begin) ++cut;
    if (span.reason != SpanReason::kDuplicateSubstring) continue;
    // A border inside of what is cut anyway is none.
    if (span.begin == cut->begin) {
      const std::uint32_t begin = dedup::whole_character_behind(text, span.begin);
      if (span.kept) span.kept->begin += begin - span.begin;
      span.begin = begin;
    }
    if (span.end == cut->end) span.end = dedup::whole_character_before(text, span.end);
  }
  std::erase_if(*spans, [](const RemovedSpan& span) { return span.begin >= span.end; });
}

void take_white_space_along(std::string_view text, std::vector<RemovedSpan>* spans) {
  const std::vector<Cut> cuts = cuts_of(*spans);
  if (cuts.empty() || cuts.back().end < text.size()) return;
  for (RemovedSpan& span : *spans) {
    if (!is_piece(span) || span.begin != cuts.back().begin) continue;
    while (span.begin > 0 && (text[span.begin - 1] == ' ' || text[span.begin - 1] == '\t' ||
                              text[span.begin - 1] == '\r' || text[span.begin - 1] == '\n'))
      --span.begin;
  }
}

bool has_code_points(std::string_view text, std::uint64_t wanted) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size && wanted > 0;) {
    UChar32 c = 0;
    U8_NEXT(bytes, at, size, c);
    if (c < 0 || !u_isUWhiteSpace(c)) --wanted;
  }
  return wanted == 0;
}

}  // namespace

void settle_spans(std::string_view text, std::uint64_t min_rest, std::vector<RemovedSpan>* spans) {
  if (spans->empty()) return;
  const std::uint64_t id = spans->front().id;
  join_stretches(spans);
  drop_contained(spans);
  end_at_whole_characters(text, spans);
  std::sort(spans->begin(), spans->end());
  take_white_space_along(text, spans);
  std::sort(spans->begin(), spans->end());
  if (!spans->empty() && !has_code_points(text_without(text, *spans), min_rest)) {
    spans->push_back({.id = id,
                      .begin = 0,
                      .end = static_cast<std::uint32_t>(text.size()),
                      .reason = SpanReason::kLittleLeft,
                      .kept = {}});
    std::sort(spans->begin(), spans->end());
  }
}

}  // namespace headrace::curate
