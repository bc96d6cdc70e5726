// SPDX-License-Identifier: Apache-2.0
// Disjoint sets of numbers from 0 on. The root of a set is its smallest number, so it does not
// depend on the order of the unions. 4 bytes each; single-threaded but for root().
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace headrace::dedup {

class UnionFind {
 public:
  explicit UnionFind(std::size_t count = 0) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) {
      parent_[x] = parent_[parent_[x]];
      x = parent_[x];
    }
    return x;
  }

  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a > b) std::swap(a, b);
    parent_[b] = a;
  }

  // After this root() is one look; parents are smaller, so one pass from the front does.
  void flatten() {
    for (std::uint32_t& parent : parent_) parent = parent_[parent];
  }
  std::uint32_t root(std::uint32_t x) const { return parent_[x]; }

  std::size_t size() const { return parent_.size(); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace headrace::dedup
