// SPDX-License-Identifier: Apache-2.0
// Find the runs that repeat (facts/repeats.h); coverage, frequencies and periods then only look at
// these. Exact. A long text is taken in pieces, so that the table of a piece stays in the second
// cache: tables of a megabyte of text were eight times slower, and to sort its runs into parts
// first cost more than the search.
#include "measure/facts/code_point_runs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "measure/facts/periods.h"
#include "measure/facts/repeats.h"
#include "measure/internal/code_point_run.h"

namespace headrace::measure {
namespace {

using internal::AsciiRuns;
using internal::Utf8Runs;

constexpr std::size_t kPieceBlocks = kRunPieceBytes / 64;
static_assert(kRunPieceBytes <= RepeatFinder::kMostElements + kRunCodePoints - 1);

const internal::RunSlots* slots_for(SimdLevel level) {
#if defined(__x86_64__)
  if (level >= SimdLevel::kAvx2) return &internal::kAvx2RunSlots;
#endif
  static_cast<void>(level);
  return &internal::kScalarRunSlots;
}

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

// Sum of the `most` largest of the sizes, or of all where there are fewer. Nearly all of them are
// small, so they are tallied, not sorted.
std::uint64_t sum_of_largest(std::span<std::uint32_t> sizes, std::size_t most) {
  if (most >= sizes.size()) return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  constexpr std::uint32_t kTallied = 32;
  std::array<std::uint32_t, kTallied> tally = {};
  std::size_t large = 0;
  for (const std::uint32_t size : sizes) {
    ++tally[std::min(size, kTallied - 1)];
    sizes[large] = size;
    large += size >= kTallied - 1 ? 1 : 0;
  }
  if (large > most) {
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(most),
                     sizes.begin() + static_cast<std::ptrdiff_t>(large), std::greater<>());
    large = most;
  }
  const std::span<std::uint32_t> taken = sizes.first(large);
  std::uint64_t sum = std::accumulate(taken.begin(), taken.end(), std::uint64_t{0});
  std::size_t left = most - large;
  for (std::uint32_t size = kTallied - 2; left > 0; --size) {
    const std::size_t taken_here = std::min<std::size_t>(left, tally[size]);
    sum += taken_here * size;
    left -= taken_here;
  }
  return sum;
}

// Where the code points of the blocks begin, and behind them the end of the last.
std::uint32_t find_begins(const TextView& view, std::size_t first, std::size_t last,
                          std::vector<std::uint32_t>* begins) {
  const std::size_t most = std::min<std::size_t>(view.counts.code_points, 64 * (last - first));
  if (begins->size() < most + 64) begins->resize(most + 64);
  std::uint32_t* out = begins->data();
  for (std::size_t block = first; block < last; ++block) {
    const auto base = static_cast<std::uint32_t>(64 * block);
    std::uint64_t lead = view.blocks[block].lead;
    if (~lead == 0) {
      for (std::uint32_t i = 0; i < 64; ++i) out[i] = base + i;
      out += 64;
      continue;
    }
    for (; lead != 0; lead &= lead - 1)
      *out++ = base + static_cast<std::uint32_t>(std::countr_zero(lead));
  }
  std::size_t end = std::min(64 * last, view.text.size());
  while (end < view.text.size() && (static_cast<unsigned char>(view.text[end]) & 0xC0) == 0x80)
    ++end;
  *out = static_cast<std::uint32_t>(end);
  return static_cast<std::uint32_t>(out - begins->data());
}

}  // namespace

// Memory only: nothing lasts between calls.
struct CodePointRunCounter::Scratch {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> sizes;
  RepeatFinder finder;
  PeriodCounter periods;
};

namespace {

using Scratch = CodePointRunCounter::Scratch;

template <class Runs>
void count_piece(const Runs& runs, std::uint32_t code_points, Scratch* scratch,
                 CodePointRuns* facts) {
  if (code_points < kRunCodePoints) return;
  const std::uint32_t count = code_points - kRunCodePoints + 1;
  facts->runs += count;
  RepeatFinder& finder = scratch->finder;
  finder.find(runs, count);
  if (finder.repeated() == 0) return;
  facts->covered += covered_code_points(finder.repeats());
  const std::span<const std::uint32_t> sizes = finder.group_sizes();
  scratch->sizes.assign(sizes.begin(), sizes.end());
  const std::uint32_t different = count - finder.repeated();
  facts->frequent += sum_of_largest(
      scratch->sizes, static_cast<std::size_t>(std::sqrt(static_cast<double>(different))));
  facts->periodic += scratch->periods.count(runs, count, finder.repeats());
}

}  // namespace

CodePointRunCounter::CodePointRunCounter() : scratch_(std::make_unique<Scratch>()) {}
CodePointRunCounter::~CodePointRunCounter() = default;

CodePointRuns CodePointRunCounter::count(const TextView& view) {
  CodePointRuns facts;
  if (view.counts.code_points < kRunCodePoints) return facts;
  const auto* text = reinterpret_cast<const unsigned char*>(view.text.data());
  const bool ascii = view.counts.code_points == view.text.size();
  const internal::RunSlots* const slots = slots_for(view.simd);
  for (std::size_t first = 0; first < view.blocks.size(); first += kPieceBlocks) {
    const std::size_t last = std::min(first + kPieceBlocks, view.blocks.size());
    if (ascii) {
      const std::size_t end = std::min(64 * last, view.text.size());
      count_piece(AsciiRuns{text + 64 * first, slots}, static_cast<std::uint32_t>(end - 64 * first),
                  scratch_.get(), &facts);
    } else {
      const std::uint32_t code_points = find_begins(view, first, last, &scratch_->begins);
      count_piece(Utf8Runs{text, scratch_->begins.data(), slots}, code_points, scratch_.get(),
                  &facts);
    }
  }
  return facts;
}

}  // namespace headrace::measure
