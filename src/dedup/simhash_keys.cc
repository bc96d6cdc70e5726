// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash_keys.h"

#include <algorithm>
#include <bit>

#include "base/counter_rng.h"

namespace headrace::dedup {
namespace {

// How many hashes the tables are made for. Part of what signatures mean: the tables must not depend
// on the corpus.
constexpr std::uint64_t kPlannedHashes = 10'000'000;
constexpr std::uint32_t kHashValues = 4;

}  // namespace

SimhashKeys::SimhashKeys(unsigned radius) : tables_(BlockTables::plan(radius, kPlannedHashes)) {
  for (const std::uint64_t mask : tables_.masks)
    rows_ = std::max(rows_, (static_cast<std::uint32_t>(std::popcount(mask)) + 15) / 16);
}

Bands SimhashKeys::bands() const {
  return {static_cast<std::uint32_t>(tables_.masks.size()), rows_};
}

std::uint32_t SimhashKeys::values() const {
  return (bands().count * rows_ + kHashValues + 15) / 16 * 16;
}

void SimhashKeys::write(std::uint64_t hash, std::span<std::uint16_t> values) const {
  std::fill(values.begin(), values.end(), std::uint16_t{0});
  std::size_t next = 0;
  for (const std::uint64_t mask : tables_.masks) {
    const std::uint64_t key = mix64(hash & mask);
    for (std::uint32_t row = 0; row < rows_; ++row)
      values[next++] = static_cast<std::uint16_t>(key >> 16 * row);
  }
  for (std::uint32_t i = 0; i < kHashValues; ++i)
    values[values.size() - kHashValues + i] = static_cast<std::uint16_t>(hash >> 16 * i);
}

std::uint64_t SimhashKeys::hash_of(std::span<const std::uint16_t> values) {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < kHashValues; ++i)
    hash |= std::uint64_t{values[values.size() - kHashValues + i]} << 16 * i;
  return hash;
}

Estimate compare_signatures(const NearOptions& options, std::span<const std::uint16_t> a,
                            std::span<const std::uint16_t> b) {
  if (options.signature.method == SignatureMethod::kSimhash) {
    const int distance = std::popcount(SimhashKeys::hash_of(a) ^ SimhashKeys::hash_of(b));
    return {static_cast<std::uint32_t>(distance) <= options.signature.radius, 1 - distance / 64.0};
  }
  const double similarity = estimated_similarity(a, b);
  return {similarity >= options.threshold, similarity};
}

}  // namespace headrace::dedup
