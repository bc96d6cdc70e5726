// SPDX-License-Identifier: Apache-2.0
// Find the runs that repeat (facts/repeats.h); coverage, frequencies and periods then only look at
// these. Exact; in texts above 65,000 runs up to equality of 64-bit hashes. Those are sorted into
// parts by the top bits of their hashes, so that equal ones meet and each part has a table in the
// near caches: one table of them all would miss all caches, 20 times slower at 2 million.
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

namespace headrace::measure {
namespace {

using internal::AsciiRuns;
using internal::Utf8Runs;

constexpr std::size_t kPieceBlocks = std::size_t{1} << 16;  // of 64 bytes
constexpr std::size_t kKeepBytes = std::size_t{16} << 20;
constexpr std::uint32_t kLongText = 1 << 19;  // code points; its memory is kept for the next such
constexpr std::uint32_t kMany = 0xFFFF;       // runs
constexpr std::size_t kRunsPerPart = 4096;

internal::AsciiRunSlots slots_for(SimdLevel level) {
#if defined(__x86_64__)
  if (level >= SimdLevel::kAvx2) return internal::ascii_run_slots_avx2;
#endif
  static_cast<void>(level);
  return internal::ascii_run_slots_scalar;
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
  std::vector<std::uint64_t> repeats;
  std::vector<std::uint32_t> sizes;
  std::vector<std::uint64_t> part_hashes;  // of long sequences, part by part
  std::vector<std::uint32_t> part_index;   // where each of them stands
  RepeatFinder finder;
  PeriodCounter periods;

  std::size_t bytes() const {
    return 4 * (begins.capacity() + sizes.capacity() + part_index.capacity()) +
           8 * (repeats.capacity() + part_hashes.capacity()) + finder.bytes();
  }
};

namespace {

using Scratch = CodePointRunCounter::Scratch;

// The runs that repeat, and how often each occurs.
struct Repeats {
  std::uint32_t repeated;
  std::span<const std::uint64_t> bits;
};

Repeats find_repeats_of(const HashedElements& part, std::uint32_t size, const std::uint32_t* index,
                        Scratch* scratch) {
  RepeatFinder& finder = scratch->finder;
  finder.find(part, size);
  const std::span<const std::uint64_t> found = finder.repeats();
  for (std::size_t word = 0; word < found.size(); ++word) {
    for (std::uint64_t bits = found[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t at = index[64 * word + static_cast<std::size_t>(std::countr_zero(bits))];
      scratch->repeats[at / 64] |= std::uint64_t{1} << (at % 64);
    }
  }
  const std::span<const std::uint32_t> sizes = finder.group_sizes();
  scratch->sizes.insert(scratch->sizes.end(), sizes.begin(), sizes.end());
  return {finder.repeated(), {}};
}

template <class Runs>
Repeats find_in_parts(const Runs& runs, std::uint32_t count, Scratch* scratch) {
  const std::size_t parts = std::bit_ceil(count / kRunsPerPart);
  const int shift = 64 - std::countr_zero(parts);
  if (scratch->part_hashes.size() < count) {
    scratch->part_hashes.resize(count);
    scratch->part_index.resize(count);
  }
  std::uint64_t* const hashes = scratch->part_hashes.data();
  std::uint32_t* const index = scratch->part_index.data();
  std::vector<std::uint32_t> ends(parts + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) ++ends[(runs.hash(i) >> shift) + 1];
  for (std::size_t part = 0; part < parts; ++part) ends[part + 1] += ends[part];
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t hash = runs.hash(i);
    const std::uint32_t to = ends[hash >> shift]++;
    hashes[to] = hash << (64 - shift) | hash >> shift;  // the top bits are all equal
    index[to] = i;
  }
  scratch->repeats.assign(count / 64 + 1, 0);
  Repeats all{0, scratch->repeats};
  std::uint32_t begin = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    all.repeated +=
        find_repeats_of({hashes + begin}, ends[part] - begin, index + begin, scratch).repeated;
    begin = ends[part];
  }
  return all;
}

template <class Runs>
Repeats find_repeats(const Runs& runs, std::uint32_t count, Scratch* scratch) {
  scratch->sizes.clear();
  if (count >= kMany) return find_in_parts(runs, count, scratch);
  RepeatFinder& finder = scratch->finder;
  finder.find(runs, count);
  if (finder.repeated() > 0) {
    const std::span<const std::uint32_t> sizes = finder.group_sizes();
    scratch->sizes.assign(sizes.begin(), sizes.end());
  }
  return {finder.repeated(), finder.repeats()};
}

template <class Runs>
void count_piece(const Runs& runs, std::uint32_t code_points, Scratch* scratch,
                 CodePointRuns* facts) {
  if (code_points < kRunCodePoints) return;
  const std::uint32_t count = code_points - kRunCodePoints + 1;
  facts->runs += count;
  const Repeats found = find_repeats(runs, count, scratch);
  if (found.repeated == 0) return;
  facts->covered += covered_code_points(found.bits);
  const std::uint32_t different = count - found.repeated;
  facts->frequent += sum_of_largest(
      scratch->sizes, static_cast<std::size_t>(std::sqrt(static_cast<double>(different))));
  facts->periodic += scratch->periods.count(runs, count, found.bits);
}

}  // namespace

CodePointRunCounter::CodePointRunCounter() : scratch_(std::make_unique<Scratch>()) {}
CodePointRunCounter::~CodePointRunCounter() = default;

CodePointRuns CodePointRunCounter::count(const TextView& view) {
  CodePointRuns facts;
  if (view.counts.code_points < kRunCodePoints) return facts;
  if (view.counts.code_points < kLongText && scratch_->bytes() > kKeepBytes) *scratch_ = Scratch();
  const auto* text = reinterpret_cast<const unsigned char*>(view.text.data());
  const bool ascii = view.counts.code_points == view.text.size();
  const internal::AsciiRunSlots slots = slots_for(view.simd);
  for (std::size_t first = 0; first < view.blocks.size(); first += kPieceBlocks) {
    const std::size_t last = std::min(first + kPieceBlocks, view.blocks.size());
    if (ascii) {
      const std::size_t end = std::min(64 * last, view.text.size());
      count_piece(AsciiRuns{text + 64 * first, slots}, static_cast<std::uint32_t>(end - 64 * first),
                  scratch_.get(), &facts);
    } else {
      const std::uint32_t code_points = find_begins(view, first, last, &scratch_->begins);
      count_piece(Utf8Runs{text, scratch_->begins.data(), slots}, code_points, scratch_.get(), &facts);
    }
  }
  return facts;
}

}  // namespace headrace::measure
