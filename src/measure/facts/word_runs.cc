// SPDX-License-Identifier: Apache-2.0
// The same as for code points, on the hashes of words that the view has. Cost: about 2 ns a word.
#include "measure/facts/word_runs.h"

#include <algorithm>
#include <bit>

#include "record/code_point_ngrams.h"

namespace headrace::measure {
namespace {

constexpr std::size_t kPieceWords = std::size_t{1} << 20;
constexpr std::size_t kKeepBytes = std::size_t{16} << 20;

}  // namespace

WordRuns WordRunCounter::count(const TextView& view) {
  WordRuns facts;
  if (view.word_hash.size() < kRunWords) return facts;
  for (std::size_t first = 0; first < view.word_hash.size(); first += kPieceWords) {
    const std::size_t words = std::min(kPieceWords, view.word_hash.size() - first);
    if (hashes_.size() < words + kCodePointHashSlack) hashes_.resize(words + kCodePointHashSlack);
    std::copy_n(view.word_hash.begin() + static_cast<std::ptrdiff_t>(first), words,
                hashes_.begin());
    const std::size_t runs = combine_code_point_hashes(view.simd, hashes_.data(), words, kRunWords);
    if (runs == 0) continue;
    finder_.find(hashes_.data(), static_cast<std::uint32_t>(runs));
    facts.runs += runs;
    if (finder_.repeated() == 0) continue;
    facts.repeated += finder_.repeated() + finder_.group_sizes().size();
  }
  if (finder_.bytes() + 8 * hashes_.capacity() > kKeepBytes) *this = WordRunCounter();
  return facts;
}

}  // namespace headrace::measure
