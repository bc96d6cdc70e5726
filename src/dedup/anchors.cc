// SPDX-License-Identifier: Apache-2.0
// Winnowing (Schleimer, Wilkerson, Aiken 2003): of the grams of a window the one with the smallest
// hash is its anchor, the last of them where several are. A window of k code points has k - g + 1
// grams, and its anchor follows from its own content, so windows that are equal have the same
// anchor in the same place: no stretch of k code points can be missed. Anchors stand every
// (k - g + 2) / 2 code points on average; a row of equal letters has one for each.
//
// Why no suffix array: 5 to 8 bytes of memory for each byte of the corpus, and cuts inside of
// characters. Why no comparison of pairs of equal anchors: a line that a million pages share has
// half a billion of them.
#include "dedup/anchors.h"

#include <algorithm>
#include <tuple>

namespace headrace::dedup {
namespace {

constexpr std::uint32_t kLongestGram = 32;
constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;  // odd; of no other meaning

inline bool starts_code_point(char byte) { return static_cast<signed char>(byte) >= -64; }

inline std::uint32_t next_code_point(std::string_view text, std::uint32_t at) {
  do {
    ++at;
  } while (at < text.size() && !starts_code_point(text[at]));
  return at;
}

inline std::uint64_t spread(std::uint64_t value) {
  value *= 0xBF58476D1CE4E5B9;
  return value ^ (value >> 31);
}

// Where the code points of `text` start, and each one's bytes as a number.
void split(std::string_view text, std::vector<std::uint32_t>* starts,
           std::vector<std::uint32_t>* values) {
  starts->clear();
  values->clear();
  for (std::size_t at = 0; at < text.size();) {
    starts->push_back(static_cast<std::uint32_t>(at));
    std::uint32_t value = static_cast<unsigned char>(text[at++]);
    for (; at < text.size() && !starts_code_point(text[at]); ++at)
      value = value << 8 | static_cast<unsigned char>(text[at]);
    values->push_back(value);
  }
  starts->push_back(static_cast<std::uint32_t>(text.size()));
}

}  // namespace

AnchorFinder::AnchorFinder(std::uint32_t window)
    : window_(window), gram_(std::min(kLongestGram, window / 2)) {
  for (std::uint32_t i = 0; i < gram_; ++i) leaving_ *= kBase;
}

std::vector<TextRange> segments_of(std::string_view text, std::uint32_t window) {
  constexpr std::size_t kSegmentBytes = 8 << 20;
  std::vector<TextRange> segments;
  const auto size = static_cast<std::uint32_t>(text.size());
  std::uint32_t begin = 0;
  while (size - begin > 2 * kSegmentBytes) {
    std::uint32_t next = begin + kSegmentBytes;  // where the next one begins
    while (next < size && !starts_code_point(text[next])) ++next;
    std::uint32_t end = next;
    for (std::uint32_t i = 1; i < window && end < size; ++i) end = next_code_point(text, end);
    segments.push_back({begin, end});
    begin = next;
  }
  segments.push_back({begin, size});
  return segments;
}

void AnchorFinder::add(std::string_view whole, TextRange segment, std::uint64_t id,
                       std::vector<AnchorContext>* contexts) {
  const std::string_view text = whole.substr(segment.begin, segment.end - segment.begin);
  if (text.size() < window_) return;
  split(text, &starts_, &values_);
  const std::size_t count = values_.size();
  if (count < window_) return;

  const std::size_t grams = count - gram_ + 1;
  grams_.resize(grams);
  std::uint64_t rolling = 0;
  for (std::size_t i = 0; i < count; ++i) {
    rolling = rolling * kBase + spread(values_[i] + std::uint64_t{1});
    if (i >= gram_) rolling -= leaving_ * spread(values_[i - gram_] + std::uint64_t{1});
    if (i + 1 >= gram_) grams_[i + 1 - gram_] = spread(rolling);
  }

  const std::size_t per_window = window_ - gram_ + 1;
  const std::size_t windows = count - window_ + 1;
  std::size_t anchor = 0;
  std::size_t first_window = 0;  // that names `anchor`
  const auto emit = [&](std::size_t last_window) {
    const std::uint32_t begin = starts_[first_window];
    const std::uint32_t end = starts_[last_window + window_];
    contexts->push_back({.anchor = grams_[anchor],
                         .context = hash64(text.substr(begin, end - begin)),
                         .id = id,
                         .begin = segment.begin + begin,
                         .end = segment.begin + end});
  };
  const auto last_smallest = [&](std::size_t begin, std::size_t end) {
    std::size_t best = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (grams_[i] <= grams_[best]) best = i;
    }
    return best;
  };
  anchor = last_smallest(0, per_window);
  for (std::size_t window = 1; window < windows; ++window) {
    const std::size_t entering = window + per_window - 1;
    std::size_t next = anchor;
    if (grams_[entering] <= grams_[anchor]) {
      next = entering;
    } else if (anchor < window) {
      next = last_smallest(window, entering + 1);
    }
    if (next == anchor) continue;
    emit(window - 1);
    anchor = next;
    first_window = window;
  }
  emit(windows - 1);
}

void find_repeats(std::span<AnchorContext> contexts, std::vector<Repeat>* repeats,
                  std::vector<AnchorContext>* rest) {
  const auto size = [](const AnchorContext& c) { return c.end - c.begin; };
  std::sort(contexts.begin(), contexts.end(), [&](const AnchorContext& a, const AnchorContext& b) {
    return std::make_tuple(a.anchor, a.context, size(a), a.id, a.begin) <
           std::make_tuple(b.anchor, b.context, size(b), b.id, b.begin);
  });
  const AnchorContext* first = nullptr;  // of equal ones
  for (const AnchorContext& context : contexts) {
    if (first == nullptr || context.anchor != first->anchor || context.context != first->context ||
        size(context) != size(*first)) {
      first = &context;
    }
    // Two that overlap share only those windows that do not: for find_repeats of windows to say.
    if (context.id == first->id && context.begin < first->end) {
      rest->push_back(context);
      continue;
    }
    repeats->push_back({.id = context.id,
                        .begin = context.begin,
                        .end = context.end,
                        .first_id = first->id,
                        .first_begin = first->begin});
  }
}

void open_contexts(std::span<const AnchorContext> contexts, std::vector<OpenContext>* open) {
  for (std::size_t begin = 0; begin < contexts.size();) {
    std::size_t end = begin + 1;
    while (end < contexts.size() && contexts[end].anchor == contexts[begin].anchor) ++end;
    for (std::size_t i = begin; end - begin > 1 && i < end; ++i)
      open->push_back({contexts[i].id, contexts[i].begin, contexts[i].end});
    begin = end;
  }
}

void add_windows(std::string_view text, const OpenContext& context, std::uint32_t window,
                 std::vector<Occurrence>* occurrences) {
  std::uint32_t end = context.begin;
  for (std::uint32_t i = 0; i < window; ++i) {
    if (end >= context.end) return;
    end = next_code_point(text, end);
  }
  for (std::uint32_t begin = context.begin;; begin = next_code_point(text, begin)) {
    occurrences->push_back({.hash = hash128(text.substr(begin, end - begin)),
                            .id = context.id,
                            .begin = begin,
                            .end = end});
    if (end >= context.end) return;
    end = next_code_point(text, end);
  }
}

}  // namespace headrace::dedup
