// SPDX-License-Identifier: Apache-2.0
// Hash every run (record/code_point_ngrams.h), find those that repeat (facts/repeats.h); coverage,
// frequencies and periods then only look at these. Exact up to equality of 64-bit hashes. Cost:
// about 3 ns a code point, half of it for hashes.
#include "measure/facts/code_point_runs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "record/code_point_ngrams.h"

namespace headrace::measure {
namespace {

static_assert(kCodePointHashSlack >= RepeatFinder::kSlack);

constexpr unsigned kN = kRunCodePoints;
constexpr std::size_t kPieceBlocks = std::size_t{1} << 16;  // of 64 bytes
constexpr std::size_t kKeepBytes = std::size_t{16} << 20;
constexpr std::uint32_t kLongText = 1 << 19;  // code points; its memory is kept for the next such

// Bit i of the result: run i, i - 1, ... or i - 9 repeats, that is, code point i is covered.
std::uint64_t covered(std::uint64_t before, std::uint64_t repeats) {
  // The runs that reach in from the word before fit into nine bits below bit 0.
  const auto spread = [](std::uint64_t x) {
    const std::uint64_t two = x | (x << 1);
    const std::uint64_t four = two | (two << 2);
    return four | (four << 4) | (two << 8);
  };
  const std::uint64_t reach = before >> 55;  // bit k: run k - 9
  return spread(repeats) | (spread(reach) >> 9);
}

std::uint64_t covered_code_points(std::span<const std::uint64_t> repeats) {
  std::uint64_t result = 0;
  std::uint64_t before = 0;
  for (const std::uint64_t word : repeats) {
    result += static_cast<std::uint64_t>(std::popcount(covered(before, word)));
    before = word;
  }
  // What the last runs reach beyond their own word.
  return result + static_cast<std::uint64_t>(std::popcount(covered(before, 0)));
}

// Sum of the `most` largest of the sizes, or of all where there are fewer.
std::uint64_t sum_of_largest(std::vector<std::uint32_t>* sizes, std::size_t most) {
  if (most < sizes->size()) {
    std::nth_element(sizes->begin(), sizes->begin() + static_cast<std::ptrdiff_t>(most),
                     sizes->end(), std::greater<>());
    sizes->resize(most);
  }
  return std::accumulate(sizes->begin(), sizes->end(), std::uint64_t{0});
}

}  // namespace

void CodePointRunCounter::count_piece(const TextView& view, std::size_t first_block,
                                      std::size_t last_block, CodePointRuns* facts) {
  const std::size_t capacity =
      std::min<std::size_t>(view.counts.code_points, 64 * (last_block - first_block));
  if (hashes_.size() < capacity + kCodePointHashSlack)
    hashes_.resize(capacity + kCodePointHashSlack);
  const std::size_t count = hash_code_points(view, first_block, last_block, hashes_.data());
  const auto runs =
      static_cast<std::uint32_t>(combine_code_point_hashes(view.simd, hashes_.data(), count, kN));
  if (runs == 0) return;
  finder_.find(hashes_.data(), runs);
  facts->runs += runs;
  if (finder_.repeated() == 0) return;
  facts->covered += covered_code_points(finder_.repeats());
  const std::span<const std::uint32_t> sizes = finder_.group_sizes();
  sizes_.assign(sizes.begin(), sizes.end());
  const std::uint32_t different = runs - finder_.repeated();
  facts->frequent +=
      sum_of_largest(&sizes_, static_cast<std::size_t>(std::sqrt(static_cast<double>(different))));
  facts->periodic += periods_.count({hashes_.data(), runs}, finder_.repeats());
}

CodePointRuns CodePointRunCounter::count(const TextView& view) {
  CodePointRuns facts;
  if (view.counts.code_points < kN) return facts;
  if (view.counts.code_points < kLongText && finder_.bytes() + 8 * hashes_.capacity() > kKeepBytes)
    *this = CodePointRunCounter();
  for (std::size_t first = 0; first < view.blocks.size(); first += kPieceBlocks) {
    count_piece(view, first, std::min(first + kPieceBlocks, view.blocks.size()), &facts);
  }
  return facts;
}

}  // namespace headrace::measure
