// SPDX-License-Identifier: Apache-2.0
// SimHash: 64 bits of a text that differ in few places where texts differ little (Charikar 2002),
// and the pairs of many that lie within a Hamming radius.
//
// What it measures is the angle between bags of shingles, not the share that they have in common:
// repeats count, and a radius is no similarity. 64 bits for a text where a signature of MinHash has
// 256 bytes; with the usual radius of 3 it finds copies with few changes, and long texts with many.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace headrace::dedup {

inline constexpr unsigned kLargestRadius = 8;

// Bit i is the majority of bit i over the mixed hashes of all shingles; 0 in a tie, and for none.
// The order of the shingles does not count, their repeats do.
std::uint64_t simhash(std::span<const std::uint64_t> shingles);

// A way to find what lies within a radius: two hashes that differ in r of b blocks of bits agree in
// the others, so they stand together in one of the tables, in each of which other blocks decide.
struct BlockTables {
  unsigned radius = 3;
  std::vector<std::uint64_t> masks;  // of the bits that decide, one of each table

  // The cheapest for `count` hashes: few tables of long runs, or many of short ones. `radius` is
  // kLargestRadius at most.
  static BlockTables plan(unsigned radius, std::uint64_t count);
  // Whether `table` is the first in which the two stand together.
  bool first_meet(std::size_t table, std::uint64_t a, std::uint64_t b) const;
};

// Calls sink(i, j, distance) once for each pair i < j of `hashes` of distance `radius` or less. The
// hashes are distinct: equal ones are one (and a pair is no news). In no stated order. 12 bytes of
// memory for each.
void for_each_near_pair(
    std::span<const std::uint64_t> hashes, unsigned radius,
    const std::function<void(std::uint32_t i, std::uint32_t j, unsigned distance)>& sink);

}  // namespace headrace::dedup
