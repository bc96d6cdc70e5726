// SPDX-License-Identifier: Apache-2.0
// Equal stretches of texts, of k code points at least, found by hashes that fit partitions.
//
// A stretch is removed where it is covered by windows of k code points that stand earlier too: in
// an earlier document, or in the same one without touching. All windows with their hashes would be
// some 30 bytes for each byte of text. Instead every window names an anchor, which is the same for
// equal windows, and some w / 2 neighbours share one: an anchor with its context stands for them.
//   1. AnchorFinder: texts → one AnchorContext for every 35 code points or so.
//   2. find_equal_contexts: contexts that are equal as a whole are repeats. open_contexts: of
//      anchors that stand in different contexts each context is asked for once.
//   3. add_windows: the windows of those, one by one → find_repeats.
// See docs/decisions/0047.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dedup/repeats.h"
#include "record/text_view.h"

namespace headrace::dedup {

// An anchor and the windows that name it: they cover bytes [begin, end) of the document.
struct AnchorContext {
  std::uint64_t anchor = 0;   // hash of the anchor: equal windows have equal ones
  std::uint64_t context = 0;  // hash of the bytes [begin, end)
  std::uint64_t id = 0;       // DocumentId
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const AnchorContext&) const = default;
};

// A context whose windows must be looked at one by one.
struct OpenContext {
  std::uint64_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const OpenContext&) const = default;
};

// Cuts a text into segments that have each window of `window` code points in one of them: they
// overlap by window - 1. So no text is too long for an AnchorFinder, or for the list of its
// anchors.
std::vector<TextRange> segments_of(std::string_view text, std::uint32_t window);

// Finds the anchors of texts. Thread-compatible: one per thread; it keeps 16 bytes for each code
// point of the longest segment.
class AnchorFinder {
 public:
  static constexpr std::uint32_t kLeastWindow = 20;

  // `window`: code points of the shortest stretch, kLeastWindow at least.
  explicit AnchorFinder(std::uint32_t window);

  // Appends the anchors of a segment (below) of document `id`, in order. Valid UTF-8; other bytes
  // give some contexts, the same each time.
  void add(std::string_view text, TextRange segment, std::uint64_t id,
           std::vector<AnchorContext>* contexts);

 private:
  std::uint32_t window_;
  std::uint32_t gram_;                 // code points of an anchor
  std::uint64_t leaving_ = 1;          // factor of the code point that leaves a gram
  std::vector<std::uint32_t> starts_;  // of code points; the size of the text behind them
  std::vector<std::uint32_t> values_;
  std::vector<std::uint64_t> grams_;
};

// As find_repeats(), for contexts: appends a repeat for every one that is equal to an earlier one
// which it does not overlap. `rest` is sorted by anchors.
void find_repeats(std::span<AnchorContext> contexts, std::vector<Repeat>* repeats,
                  std::vector<AnchorContext>* rest);

// Appends those that may share some of their windows: all of anchors that occur more than once.
// `contexts` are what is left of all of these anchors.
void open_contexts(std::span<const AnchorContext> contexts, std::vector<OpenContext>* open);

// Appends an occurrence for each window of `window` code points in bytes [begin, end) of a text.
void add_windows(std::string_view text, const OpenContext& context, std::uint32_t window,
                 std::vector<Occurrence>* occurrences);

// Moves the border `at` of a cut so that what begins there does not belong to the character before
// it: combining marks, joiners and what they join, variation selectors, skin tones, "\r\n". Forward
// to the next whole character or backward to the one that `at` is in.
std::uint32_t whole_character_behind(std::string_view text, std::uint32_t at);
std::uint32_t whole_character_before(std::string_view text, std::uint32_t at);

}  // namespace headrace::dedup
