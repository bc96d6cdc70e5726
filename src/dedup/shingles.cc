// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles.h"

#include <algorithm>
#include <bit>

#include "dedup/internal/near_kernels.h"

namespace headrace::dedup {
namespace {

// A near duplicate of a short Han text that is none itself has at most this many words, and at
// least this share of Han characters. Wider than any threshold from 0.5 on asks for.
constexpr std::uint32_t kBorderWords = 2 * kShortHanWords;

}  // namespace

NgramChoice choose_ngram(const TextView& view) {
  const std::uint32_t words = view.counts.words;
  const std::uint32_t han = view.counts.han;
  const bool is_short_han = words < kShortHanWords && std::uint64_t{han} * 2 >= words;
  if (is_short_han) return {kShortHanNgram, 0};
  const bool is_near = words < kBorderWords && std::uint64_t{han} * 3 >= words;
  return {kLongNgram, is_near ? kShortHanNgram : 0};
}

std::span<const std::uint64_t> Shingler::shingles(const TextView& view, std::uint32_t ngram) {
  const std::span<const std::uint64_t> words = view.word_hash;
  if (words.empty()) return {};
  const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(ngram, words.size()));
  const std::size_t count = words.size() - length + 1;
  if (shingles_.size() < count) shingles_.resize(std::max(count, 2 * shingles_.size()));
  internal::make_shingles(words.data(), words.size(), length, shingles_.data());
  return std::span(shingles_).first(count);
}

// The hashes are uniform, so one pass of counting by their top bits leaves next to nothing to sort:
// five times the speed of std::sort.
void shingle_set(std::span<const std::uint64_t> shingles, std::vector<std::uint32_t>* set) {
  set->resize(shingles.size());
  if (shingles.empty()) return;
  const int bits = std::min<int>(std::bit_width(shingles.size()), 20);
  thread_local std::vector<std::uint32_t> place;
  place.assign((std::size_t{1} << bits) + 1, 0);
  for (const std::uint64_t shingle : shingles) ++place[(shingle >> (64 - bits)) + 1];
  for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
  for (const std::uint64_t shingle : shingles)
    (*set)[place[shingle >> (64 - bits)]++] = static_cast<std::uint32_t>(shingle >> 32);
  if (shingles.size() > (std::size_t{1} << bits)) {
    std::sort(set->begin(), set->end());
  } else {
    for (std::size_t i = 1; i < set->size(); ++i) {
      const std::uint32_t value = (*set)[i];
      std::size_t at = i;
      for (; at > 0 && (*set)[at - 1] > value; --at) (*set)[at] = (*set)[at - 1];
      (*set)[at] = value;
    }
  }
  set->erase(std::unique(set->begin(), set->end()), set->end());
}

std::uint64_t intersection_size(std::span<const std::uint32_t> a,
                                std::span<const std::uint32_t> b) {
  return internal::intersect(a.data(), a.size(), b.data(), b.size());
}

double jaccard(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.empty() && b.empty()) return 0;
  const std::uint64_t common = intersection_size(a, b);
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

}  // namespace headrace::dedup
