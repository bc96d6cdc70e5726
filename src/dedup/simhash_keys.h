// SPDX-License-Identifier: Apache-2.0
// A SimHash as the values of a signature, so that near duplicates by it go the way of all others
// (dedup/near_index.h): a band for each table of blocks, then the hash itself.
#pragma once

#include <cstdint>
#include <span>

#include "dedup/near.h"
#include "dedup/simhash.h"

namespace headrace::dedup {

class SimhashKeys {
 public:
  explicit SimhashKeys(unsigned radius);

  Bands bands() const;
  std::uint32_t values() const;  // of a signature: a multiple of 16

  void write(std::uint64_t hash, std::span<std::uint16_t> values) const;
  static std::uint64_t hash_of(std::span<const std::uint16_t> values);

 private:
  BlockTables tables_;
  std::uint32_t rows_ = 0;  // values of 16 bits of a key
};

}  // namespace headrace::dedup
