// SPDX-License-Identifier: Apache-2.0
// The phrases are looked for once in the whole text, by pairs of bytes that each of them holds and
// that prose seldom does: "va" (javascript, privacy policy), "ok" (cookies), "ms" (terms of use).
// Where a pair stands, the phrases that hold it are compared. Cost: 0.2 ns a byte of English with
// AVX2.
//
// Tried: a loop over each block of 64 bytes that holds a pair (1.5 ns); the loop over pairs left to
// the compiler's vectors (0.4 ns with SSE2, 0.25 with AVX2).
#include "measure/facts/c4_lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "measure/internal/c4_pairs.h"
#include "measure/internal/ranges.h"

namespace headrace::measure {
namespace {

constexpr std::uint32_t kWords = 3;
constexpr std::uint32_t kHanCharacters = 5;
constexpr std::uint32_t kWordCodePoints = 1000;

// A phrase in lower case, and the place in it of the pair of bytes by which it is found.
struct Phrase {
  std::string_view text;
  std::uint32_t pair;
};

constexpr std::array<Phrase, 13> kPhrases = {{
    {"javascript", 2},
    {"privacy policy", 3},
    {"terms of use", 3},
    {"cookie policy", 2},
    {"uses cookies", 7},
    {"use of cookies", 9},
    {"use cookies", 6},
    {"使用cookie", 8},
    {"使用 cookie", 9},
    {"隐私政策", 10},
    {"隐私条款", 10},
    {"使用条款", 10},
    {"服务条款", 10},
}};

unsigned char lower(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

// Where a pair of kPhrases begins in the 64 bytes at `p`; reads one byte more.
using FindPairs = std::uint64_t (*)(const char* p, bool han);

std::uint64_t find_pairs_scalar(const char* p, bool han) {
  std::uint64_t pairs = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const auto a = static_cast<unsigned char>(p[i] | 0x20);
    const auto b = static_cast<unsigned char>(p[i + 1] | 0x20);
    const bool ascii = (a == 'v' && b == 'a') || (a == 'o' && b == 'k') || (a == 'm' && b == 's');
    const bool of_han = han && ((a == 0xAD && b == 0xB6) || (a == 0xAC && b == 0xBE));
    pairs |= std::uint64_t{ascii || of_han} << i;
  }
  return pairs;
}

FindPairs find_pairs_for(SimdLevel level) {
#if defined(__x86_64__)
  if (level >= SimdLevel::kAvx2) return internal::find_c4_pairs_avx2;
#endif
  static_cast<void>(level);
  return find_pairs_scalar;
}

bool stands_at(std::string_view text, std::size_t begin, std::string_view phrase) {
  const std::string_view found = text.substr(begin, phrase.size());
  return std::ranges::equal(phrase, found, [](char wanted, char byte) {
    return static_cast<unsigned char>(wanted) == lower(byte);
  });
}

// Adds the first byte of the phrase whose pair begins at `at`, if there is one.
void check_pair(std::string_view text, std::size_t at, std::vector<std::uint32_t>* found) {
  for (const Phrase& phrase : kPhrases) {
    if (at < phrase.pair || lower(text[at]) != static_cast<unsigned char>(phrase.text[phrase.pair]))
      continue;
    if (!stands_at(text, at - phrase.pair, phrase.text)) continue;
    found->push_back(static_cast<std::uint32_t>(at - phrase.pair));
    return;
  }
}

bool is_end_quotation_mark(std::string_view text, std::uint32_t begin) {
  static constexpr std::array<std::string_view, 14> kMarks = {
      "\"", "'", "”", "’", "」", "』", "»", "›", "〞", "〟", "﹂", "﹄", "＂", "＇"};
  return std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return text.substr(begin).starts_with(mark); });
}

// Whether some run without white space and Han characters is longer than a word may be.
bool has_endless_word(const TextView& view, TextRange line) {
  std::uint32_t begin = line.begin;  // of the run
  bool found = false;
  const auto ends_at = [&](std::uint32_t end) {
    found |= end > begin + kWordCodePoints && view.code_points({begin, end}) > kWordCodePoints;
  };
  for_blocks(view, line, [&](const TextBlock& block, std::uint64_t bits) {
    const std::uint64_t breaks = (block.space | block.han) & bits;
    if (breaks == 0) return true;
    const auto at = static_cast<std::uint32_t>(64 * (&block - view.blocks.data()));
    ends_at(at + static_cast<std::uint32_t>(std::countr_zero(breaks)));
    // The break itself is one code point of the next run.
    begin = at + 63 - static_cast<std::uint32_t>(std::countl_zero(breaks)) + 1;
    while (begin < line.end && (static_cast<unsigned char>(view.text[begin]) & 0xC0) == 0x80) {
      ++begin;
    }
    return !found;
  });
  if (!found) ends_at(line.end);
  return found;
}

}  // namespace

bool ends_in_ellipsis(const TextView& view, TextRange line) {
  const std::string_view bytes = view.bytes(line);
  return bytes.ends_with("...") || bytes.ends_with("…");
}

void C4LineRule::start(const TextView& view) {
  view_ = &view;
  phrases_.clear();
  next_phrase_ = 0;
  const FindPairs find = find_pairs_for(view.simd);
  for (std::size_t block = 0; block < view.blocks.size(); ++block) {
    std::uint64_t pairs = find(view.text.data() + 64 * block, view.counts.han > 0);
    for (; pairs != 0; pairs &= pairs - 1) {
      check_pair(view.text, 64 * block + static_cast<std::size_t>(std::countr_zero(pairs)),
                 &phrases_);
    }
  }
}

bool C4LineRule::enough_words(TextRange line) const {
  std::uint32_t words = 1;
  std::uint32_t han = 0;
  std::uint64_t carry = 0;  // the block before ends inside white space
  for_blocks(*view_, line, [&](const TextBlock& block, std::uint64_t bits) {
    const std::uint64_t continuation = ~block.lead;
    std::uint64_t space = block.space | (carry & continuation);
    for (int i = 0; i < 3; ++i) space |= (space << 1) & continuation;
    // A line ends in no white space: behind each gap stands one more word.
    words += static_cast<std::uint32_t>(std::popcount(block.space & bits & ~(space << 1 | carry)));
    han += static_cast<std::uint32_t>(std::popcount(block.han & bits));
    carry = space >> 63;
    return words < kWords && han < kHanCharacters;
  });
  return words >= kWords || han >= kHanCharacters;
}

bool C4LineRule::keeps(TextRange line, std::uint32_t final_code_point) {
  const TextBlock& block = view_->blocks[final_code_point / 64];
  if (!has_bit(block.end_mark, final_code_point) &&
      !is_end_quotation_mark(view_->text, final_code_point)) {
    return false;
  }
  if (ends_in_ellipsis(*view_, line) || !enough_words(line)) return false;
  while (next_phrase_ < phrases_.size() && phrases_[next_phrase_] < line.begin) ++next_phrase_;
  if (next_phrase_ < phrases_.size() && phrases_[next_phrase_] < line.end) return false;
  return line.end - line.begin <= kWordCodePoints || !has_endless_word(*view_, line);
}

}  // namespace headrace::measure
