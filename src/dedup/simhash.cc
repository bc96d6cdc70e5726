// SPDX-License-Identifier: Apache-2.0
// Counting 64 columns of bits: eight hashes at a time go through carry-save adders (Harley and
// Seal), whose eights ripple into planes of binary digits. Five operations a hash, where 64
// counters of their own are 128.
#include "dedup/simhash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace headrace::dedup {
namespace {

constexpr std::size_t kPlanes = 64;

inline std::uint64_t mix(std::uint64_t value) {
  value ^= value >> 32;
  value *= 0xD6E8FEB86659FD93;
  value ^= value >> 32;
  value *= 0xD6E8FEB86659FD93;
  return value ^ (value >> 32);
}

// Of three bits in each column: the sum stays in `a`, the carry is returned.
inline std::uint64_t add(std::uint64_t& a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t half = a ^ b;
  const std::uint64_t carry = (a & b) | (half & c);
  a = half ^ c;
  return carry;
}

// Binary digits of the counts of all columns.
class Columns {
 public:
  void add_eight(const std::uint64_t* hashes) {
    std::uint64_t h[8];
    for (int i = 0; i < 8; ++i) h[i] = mix(hashes[i]);
    const std::uint64_t two_a = add(planes_[0], h[0], h[1]);
    const std::uint64_t two_b = add(planes_[0], h[2], h[3]);
    const std::uint64_t two_c = add(planes_[0], h[4], h[5]);
    const std::uint64_t two_d = add(planes_[0], h[6], h[7]);
    const std::uint64_t four_a = add(planes_[1], two_a, two_b);
    const std::uint64_t four_b = add(planes_[1], two_c, two_d);
    ripple(add(planes_[2], four_a, four_b), 3);
  }
  void add_one(std::uint64_t hash) { ripple(mix(hash), 0); }

  std::uint64_t count(unsigned column) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < used_; ++i) sum += (planes_[i] >> column & 1) << i;
    return sum;
  }

 private:
  void ripple(std::uint64_t carry, std::size_t plane) {
    for (; carry != 0; ++plane) {
      const std::uint64_t next = planes_[plane] & carry;
      planes_[plane] ^= carry;
      carry = next;
    }
    used_ = std::max({used_, plane, std::size_t{3}});
  }

  std::array<std::uint64_t, kPlanes> planes_{};
  std::size_t used_ = 0;
};

double choose(unsigned n, unsigned k) {
  double ways = 1;
  for (unsigned i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

// Bits [begin, end) of block `block` of `blocks`.
std::uint64_t block_mask(unsigned block, unsigned blocks) {
  std::uint64_t mask = 0;
  for (unsigned bit = 64 * block / blocks; bit < 64 * (block + 1) / blocks; ++bit)
    mask |= std::uint64_t{1} << bit;
  return mask;
}

}  // namespace

std::uint64_t simhash(std::span<const std::uint64_t> shingles) {
  Columns columns;
  std::size_t done = 0;
  for (; done + 8 <= shingles.size(); done += 8) columns.add_eight(shingles.data() + done);
  for (; done < shingles.size(); ++done) columns.add_one(shingles[done]);
  std::uint64_t hash = 0;
  for (unsigned column = 0; column < 64; ++column) {
    if (2 * columns.count(column) > shingles.size()) hash |= std::uint64_t{1} << column;
  }
  return hash;
}

BlockTables BlockTables::plan(unsigned radius, std::uint64_t count) {
  constexpr unsigned kMostExtra = 4;
  constexpr double kSortCost = 30;  // of an entry of a table, in comparisons of two hashes
  unsigned blocks = radius + 1;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned b = radius + 1; b <= radius + kMostExtra; ++b) {
    const double n = static_cast<double>(count);
    const double agree = std::floor(64.0 * (b - radius) / b);
    const double cost = choose(b, radius) * n * (kSortCost + n / std::exp2(agree + 1));
    if (cost >= least) continue;
    least = cost;
    blocks = b;
  }
  BlockTables tables{.radius = radius, .masks = {}};
  for (std::uint32_t differ = 0; differ < 1U << blocks; ++differ) {
    if (static_cast<unsigned>(std::popcount(differ)) != radius) continue;
    std::uint64_t mask = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      if ((differ >> block & 1) == 0) mask |= block_mask(block, blocks);
    }
    tables.masks.push_back(mask);
  }
  return tables;
}

bool BlockTables::first_meet(std::size_t table, std::uint64_t a, std::uint64_t b) const {
  for (std::size_t i = 0; i < table; ++i) {
    if (((a ^ b) & masks[i]) == 0) return false;
  }
  return true;
}

void for_each_near_pair(
    std::span<const std::uint64_t> hashes, unsigned radius,
    const std::function<void(std::uint32_t i, std::uint32_t j, unsigned distance)>& sink) {
  const BlockTables tables = BlockTables::plan(radius, hashes.size());
  std::vector<std::uint32_t> order(hashes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::vector<std::uint64_t> sorted(hashes.size());
  for (std::size_t table = 0; table < tables.masks.size(); ++table) {
    const std::uint64_t mask = tables.masks[table];
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return (hashes[a] & mask) < (hashes[b] & mask);
    });
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = hashes[order[i]];
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t end = begin + 1;
      while (end < order.size() && ((sorted[end] ^ sorted[begin]) & mask) == 0) ++end;
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t j = i + 1; j < end; ++j) {
          const auto distance = static_cast<unsigned>(std::popcount(sorted[i] ^ sorted[j]));
          if (distance > radius || !tables.first_meet(table, sorted[i], sorted[j])) continue;
          sink(std::min(order[i], order[j]), std::max(order[i], order[j]), distance);
        }
      }
      begin = end;
    }
  }
}

}  // namespace headrace::dedup
