// SPDX-License-Identifier: Apache-2.0
// The loops of near duplicates, compiled for each instruction set by Highway and chosen at run
// time. Every set gives the same results, by test.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace::dedup::internal {

// Shingles of `ngram` words each; `words` >= `ngram`. Writes words - ngram + 1 values. Part of what
// kShingleVersion stands for.
void make_shingles(const std::uint64_t* word_hashes, std::size_t words, std::uint32_t ngram,
                   std::uint64_t* shingles);

// A fresh hash of each shingle for a round above 0; round 0 is the shingle itself.
void hash_for_round(const std::uint64_t* shingles, std::size_t count, std::uint32_t round,
                    std::uint64_t* hashes);

// Two sums over shingles that do not depend on their order.
struct ShingleSums {
  std::uint64_t plain = 0;
  std::uint64_t products = 0;  // of each with its upper half
};
ShingleSums sum_shingles(const std::uint64_t* shingles, std::size_t count);

// minima[i] = min over shingles of multiply[i] * upper half + add[i], modulo 2^32. `permutations`
// is a multiple of 16.
void min_hashes(const std::uint64_t* shingles, std::size_t count, const std::uint32_t* multiply,
                const std::uint32_t* add, std::size_t permutations, std::uint32_t* minima);

// |A ∩ B| of sorted sets without repeats.
std::uint64_t intersect(const std::uint32_t* a, std::size_t a_size, const std::uint32_t* b,
                        std::size_t b_size);

}  // namespace headrace::dedup::internal
