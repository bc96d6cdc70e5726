// SPDX-License-Identifier: Apache-2.0
// One walk over the lines, with the sentence ends beside it. Per line: a hash and one probe, two
// looks at the prefix counts for its length, one at the masks of its last character, and the upper-
// case bits of its blocks. Nothing loops over characters.
#include "measure/facts/lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "base/hash.h"
#include "measure/internal/ranges.h"

namespace headrace::measure {
namespace {

constexpr std::size_t kKeepLines = std::size_t{1} << 20;

bool begins_with_bullet(std::string_view line) {
  const auto first = static_cast<unsigned char>(line[0]);
  if (first < 0x80) return first == '-' || first == '*';
  static constexpr std::array<std::string_view, 18> kBullets = {
      "•", "‣", "⁃", "·", "●", "○", "◦", "▪", "▫", "■", "□", "◆", "◇", "★", "☆", "▶", "►", "➢"};
  if (first != 0xE2 && first != 0xC2) return false;
  return std::ranges::any_of(kBullets, [&](std::string_view b) { return line.starts_with(b); });
}

// Whether an end mark stands at `final_code_point`, or before the closers that end there.
bool is_end_marked(const TextView& view, TextRange line, std::uint32_t final_code_point) {
  std::uint32_t at = final_code_point;
  while (has_bit(view.blocks[at / 64].closer, at) && at > line.begin) {
    at = code_point_before(view, at);
  }
  return has_bit(view.blocks[at / 64].end_mark, at);
}

// Stops where the rest of the line could not make it so: on most lines, in the middle.
bool is_mostly_upper(const TextView& view, TextRange line, std::uint32_t length) {
  std::uint32_t upper = 0;
  for_blocks(view, line, [&](const TextBlock& block, std::uint64_t bits) {
    const std::uint64_t found = block.upper & bits;
    if (found != 0) upper += static_cast<std::uint32_t>(std::popcount(found));
    const auto behind = static_cast<std::uint32_t>(64 * (&block - view.blocks.data()) + 64);
    return behind < line.end && 2 * (upper + line.end - behind) > length;
  });
  return 2 * upper > length;
}

bool has_word(const TextView& view, TextRange range) {
  bool found = false;
  for_blocks(view, range, [&](const TextBlock& block, std::uint64_t bits) {
    found = (block.word & bits) != 0;
    return !found;
  });
  return found;
}

// Ends of sentences that a mark has ended: not the end of a text whose last sentence has none.
std::span<const std::uint32_t> marked_ends(const TextView& view) {
  const auto ends = view.sentence_ends;
  if (ends.empty() || ends.back() != view.text.size()) return ends;
  const TextRange last = view.lines.back();  // a sentence has a word or a mark, so a line
  const bool marked =
      last.end == view.text.size() && is_end_marked(view, last, code_point_before(view, last.end));
  return marked ? ends : ends.first(ends.size() - 1);
}

}  // namespace

double LineCounter::median_length() {
  const auto middle = lengths_.begin() + static_cast<std::ptrdiff_t>(lengths_.size() / 2);
  std::nth_element(lengths_.begin(), middle, lengths_.end());
  if (lengths_.size() % 2 == 1) return *middle;
  return (static_cast<double>(*std::max_element(lengths_.begin(), middle)) + *middle) / 2;
}

LineFacts LineCounter::count(const TextView& view) {
  LineFacts facts;
  if (hashes_.capacity() > kKeepLines && view.lines.size() <= kKeepLines) {
    std::vector<std::uint64_t>().swap(hashes_);
    std::vector<std::uint32_t>().swap(lengths_);
  }
  hashes_.resize(view.lines.size());
  lengths_.resize(view.lines.size());
  if (view.lines.empty()) return facts;
  seen_.start(view.lines.size());
  c4_.start(view);
  const auto ends = marked_ends(view);
  std::size_t next_end = 0;
  for (std::size_t i = 0; i < view.lines.size(); ++i) {
    const TextRange line = view.lines[i];
    const std::uint32_t length = view.code_points(line);
    lengths_[i] = length;
    facts.code_points += length;
    facts.longest = std::max(facts.longest, length);
    facts.short_lines += length <= kShortLine ? 1 : 0;
    facts.long_lines += length >= kLongLine ? 1 : 0;

    hashes_[i] = hash64(view.bytes(line));
    if (seen_.add(hashes_[i])) {
      ++facts.repeated;
      facts.repeated_code_points += length;
    }

    const std::size_t first_end = next_end;
    while (next_end < ends.size() && ends[next_end] <= line.end) ++next_end;
    const std::uint32_t tail = next_end > first_end ? ends[next_end - 1] : line.begin;
    const std::uint32_t final_code_point = code_point_before(view, line.end);
    const bool end_marked = is_end_marked(view, line, final_code_point);
    const bool unended = !end_marked && has_word(view, {tail, line.end});
    const auto sentences = static_cast<std::uint32_t>(next_end - first_end) + (unended ? 1 : 0);
    facts.end_marked += end_marked ? 1 : 0;
    facts.unended_sentences += unended ? 1 : 0;
    facts.sentences += sentences;

    facts.ellipsis_ended += ends_in_ellipsis(view, line) ? 1 : 0;
    facts.bulleted += begins_with_bullet(view.bytes(line)) ? 1 : 0;
    facts.upper_case += view.counts.upper > 0 && is_mostly_upper(view, line, length) ? 1 : 0;
    if (c4_.keeps(line, final_code_point)) {
      ++facts.c4_lines;
      facts.c4_sentences += sentences;
    }
  }
  facts.median_length = median_length();
  return facts;
}

}  // namespace headrace::measure
