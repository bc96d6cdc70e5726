// SPDX-License-Identifier: Apache-2.0
// Signatures of texts.
//
// Fast similarity sketching: in each round every shingle falls into one of k bins by a fresh hash,
// and a bin keeps the least value of the first round that reached it; when all bins are full the
// text is done. A long text needs one round or two, so its cost is that of one permutation; a short
// one gets what drawing without putting back gives, whose error is smaller than that of k
// independent minima (measured: bench/dedup/signature_bench.cc). What no round reaches (texts of a
// few shingles) gets a hash of its own for each bin. Value = round, then the rest of the hash: so
// earlier rounds win the minimum by themselves.
//
// Of every value the low 16 bits stay. They are bits of the hash of the winning shingle that had no
// part in its winning, so they are as good in a text of a million words, whose minima are all small
// numbers, as in a short one. (Not so in the classic method, whose value is the minimum itself.)
#include <algorithm>
#include <array>
#include <cstring>

#include "base/counter_rng.h"
#include "dedup/internal/near_kernels.h"
#include "dedup/near.h"

namespace headrace::dedup {
namespace {

constexpr std::uint32_t kRounds = 64;  // part of kSignatureVersion, as all numbers here
constexpr std::uint64_t kOrderBits = (std::uint64_t{1} << 56) - 1;
constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

constexpr std::uint64_t kMinHashSeed = 0x6865616472616365;

inline std::uint32_t bin_of(std::uint64_t hash, std::uint32_t bins) {
  return static_cast<std::uint32_t>(((hash >> 32) * bins) >> 32);
}

bool any_empty(const std::uint64_t* bins, std::uint32_t count) {
  std::uint64_t empty = 0;
  for (std::uint32_t i = 0; i < count; ++i) empty |= std::uint64_t{bins[i] == kEmpty};
  return empty != 0;
}

void fill_round(const std::uint64_t* hashes, std::size_t count, std::uint64_t round,
                std::uint64_t* bins, std::uint32_t bin_count) {
  const std::uint64_t tag = round << 56;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = (hashes[i] & kOrderBits) | tag;
    std::uint64_t& bin = bins[bin_of(hashes[i], bin_count)];
    bin = value < bin ? value : bin;
  }
}

}  // namespace

Signer::Signer(const SignatureSettings& settings) : settings_(settings) {
  values_.resize(std::size_t{2} * settings.permutations);
  bins_.resize(settings.permutations);
  if (settings.method == SignatureMethod::kSketch) return;
  const CounterRng rng(kMinHashSeed, purpose("minhash"));
  for (std::uint32_t i = 0; i < settings.permutations; ++i) {
    multiply_.push_back(static_cast<std::uint32_t>(rng.at(2 * i)) | 1);
    add_.push_back(static_cast<std::uint32_t>(rng.at(2 * i + 1)));
  }
  minima_.resize(settings.permutations);
}

void Signer::sketch(std::span<const std::uint64_t> shingles, std::uint16_t* values) {
  const std::uint32_t count = settings_.permutations;
  std::uint64_t* const bins = bins_.data();
  std::fill_n(bins, count, kEmpty);
  fill_round(shingles.data(), shingles.size(), 0, bins, count);
  if (hashes_.size() < shingles.size()) hashes_.resize(shingles.size());
  std::uint32_t round = 1;
  for (; any_empty(bins, count) && round < kRounds; ++round) {
    internal::hash_for_round(shingles.data(), shingles.size(), round, hashes_.data());
    fill_round(hashes_.data(), shingles.size(), round, bins, count);
  }
  for (std::uint32_t bin = 0; round == kRounds && bin < count; ++bin) {
    if (bins[bin] != kEmpty) continue;
    internal::hash_for_round(shingles.data(), shingles.size(), kRounds + bin, hashes_.data());
    bins[bin] = *std::min_element(hashes_.begin(),
                                  hashes_.begin() + static_cast<std::ptrdiff_t>(shingles.size()));
  }
  for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<std::uint16_t>(bins[i]);
}

void Signer::min_hash(std::span<const std::uint64_t> shingles, std::uint16_t* values) {
  internal::min_hashes(shingles.data(), shingles.size(), multiply_.data(), add_.data(),
                       settings_.permutations, minima_.data());
  for (std::uint32_t i = 0; i < settings_.permutations; ++i)
    values[i] = static_cast<std::uint16_t>(minima_[i]);
}

std::span<const Signature> Signer::sign(const TextView& view) {
  const NgramChoice choice =
      settings_.ngram == 0 ? choose_ngram(view) : NgramChoice{settings_.ngram, 0};
  std::size_t used = 0;
  for (const std::uint32_t ngram : {choice.ngram, choice.other}) {
    if (ngram == 0) continue;
    const std::span<const std::uint64_t> shingles = shingler_.shingles(view, ngram);
    if (shingles.empty()) break;
    const internal::ShingleSums sums = internal::sum_shingles(shingles.data(), shingles.size());
    const std::uint64_t identity[] = {sums.plain, sums.products, shingles.size(), ngram};
    std::uint16_t* const values = values_.data() + used * settings_.permutations;
    if (settings_.method == SignatureMethod::kSketch) {
      sketch(shingles, values);
    } else {
      min_hash(shingles, values);
    }
    signatures_[used] = {
        .ngram = ngram,
        .shingles = static_cast<std::uint32_t>(shingles.size()),
        .set = hash128({reinterpret_cast<const char*>(identity), sizeof(identity)}),
        .values = {values, settings_.permutations}};
    ++used;
  }
  return std::span(signatures_).first(used);
}

double estimated_similarity(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return a.empty() ? 0 : static_cast<double>(equal) / static_cast<double>(a.size());
}

}  // namespace headrace::dedup
