// SPDX-License-Identifier: Apache-2.0
// The exact cut.
//
// If no vocabulary entry holds the junction of two neighbouring characters, no merge ever crosses
// it, the merges left and right of it are independent, and the piece may be cut there: the ids are
// those of the parts. In Chinese, where a piece is a whole clause, the cut turns pieces that the
// cache has never seen into words and characters that it has: on four classical novels a new
// encoder goes from 11 to 60 MiB/s.
//
// Junctions of characters of 3|3, 1|3 and 3|1 bytes are tested; others are not cut. A bit filter
// over a hash of the two characters answers: not cutting is always right, so a false "may cross"
// costs a little time and nothing else. Entries that begin or end inside a character match many
// pairs, and testing them by the bytes at the junction alone would keep one junction in eight from
// being cut. So every pair of whole characters that such an entry matches is put into the filter,
// except for the few (a single byte of Hangul, mostly) that match too many; those have a coarse
// bitmap.
//
// Method and figures: docs/rooms/11-tokenize.md.
#include "tokenize/junctions.h"

#include <string>
#include <vector>

namespace headrace::tokenize {
namespace {

bool is_continuation(char c) { return (static_cast<std::uint8_t>(c) & 0xC0) == 0x80; }

std::uint32_t length_by_lead(char c) { return utf8_length(static_cast<std::uint8_t>(c)); }

// All 3-byte characters that end in `tail`, 1 or 2 continuation bytes.
std::vector<std::string> characters_ending_in(std::string_view tail) {
  std::vector<std::string> found;
  for (int lead = 0xE0; lead <= 0xEF; ++lead) {
    const std::string first(1, static_cast<char>(lead));
    if (tail.size() == 2) {
      found.push_back(first + std::string(tail));
      continue;
    }
    for (int middle = 0x80; middle <= 0xBF; ++middle) {
      found.push_back(first + static_cast<char>(middle) + std::string(tail));
    }
  }
  return found;
}

// All 3-byte characters that begin with `head`, 1 or 2 bytes.
std::vector<std::string> characters_beginning_with(std::string_view head) {
  std::vector<std::string> found = {std::string(head)};
  while (found.front().size() < 3) {
    std::vector<std::string> longer;
    for (const std::string& start : found) {
      for (int next = 0x80; next <= 0xBF; ++next) longer.push_back(start + static_cast<char>(next));
    }
    found = std::move(longer);
  }
  return found;
}

}  // namespace

void Junctions::add(std::string_view entry) {
  for (std::size_t at = 1; at < entry.size(); ++at) {
    if (is_continuation(entry[at])) continue;
    std::size_t begin = at - 1;
    while (begin > 0 && is_continuation(entry[begin])) --begin;
    std::size_t end = at + 1;
    const std::size_t whole_end = at + length_by_lead(entry[at]);
    while (end < entry.size() && end < whole_end && is_continuation(entry[end])) ++end;
    add_junction(entry.substr(begin, at - begin), entry.substr(at, end - at));
  }
}

// `left`: a character or its tail; `right`: a character or its head.
void Junctions::add_junction(std::string_view left, std::string_view right) {
  const bool is_partial = is_continuation(left[0]) || length_by_lead(right[0]) != right.size();
  std::vector<std::string> lefts;
  if (!is_continuation(left[0])) {
    if (length_by_lead(left[0]) != left.size()) return;  // in no valid text
    lefts = {std::string(left)};
  } else if (left.size() <= 2) {
    lefts = characters_ending_in(left);
  }  // else the tail of a 4-byte character
  std::vector<std::string> rights;
  if (length_by_lead(right[0]) == right.size()) {
    rights = {std::string(right)};
  } else if (length_by_lead(right[0]) == 3) {
    rights = characters_beginning_with(right);
  }  // else the head of a character of 2 or 4 bytes, or in no valid text
  if (lefts.size() * rights.size() > kMostListedPairs) {
    unlisted_[static_cast<std::uint8_t>(left.back())] |=
        static_cast<std::uint16_t>(1U << (static_cast<std::uint8_t>(right[0]) & 15));
    return;
  }
  for (const std::string& l : lefts) {
    for (const std::string& r : rights) add_pair(l, r, is_partial);
  }
}

void Junctions::add_pair(std::string_view left, std::string_view right, bool is_partial) {
  const bool is_tested = (left.size() == 3 && (right.size() == 3 || right.size() == 1)) ||
                         (left.size() == 1 && right.size() == 3);
  if (!is_tested) return;
  const std::string both = std::string(left) + std::string(right);
  std::uint64_t key = 0;
  std::memcpy(&key, both.data(), both.size());
  const std::uint64_t bit = junction_bit(key);
  filter_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
  if (is_partial) partial_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
}

}  // namespace headrace::tokenize
