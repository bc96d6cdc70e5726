// SPDX-License-Identifier: Apache-2.0
// Where a piece may be cut without changing its ids.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/big_table.h"
#include "tokenize/mask_split.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {

// Immutable once all entries are added: thread-safe.
class Junctions {
 public:
  Junctions() : filter_(std::size_t{1} << (kJunctionBits - 6)), partial_(filter_.size()) {}

  // Tells of a vocabulary entry, by its bytes. All must be told of.
  void add(std::string_view entry);

  // The first place behind p where [p, end), whole characters of valid UTF-8, may be cut: no entry
  // holds what stands on both sides of it. `end` if there is none.
  const std::uint8_t* next_cut(const std::uint8_t* p, const std::uint8_t* end) const {
    std::uint32_t left = utf8_length(*p);
    for (const std::uint8_t* q = p + left; q < end;) {
      const std::uint32_t right = utf8_length(*q);
      if (left + right >= 4 && left != 2 && left <= 3 && right != 2 && right <= 3 &&
          !may_cross(q, left, right)) {
        return q;
      }
      q += right;
      left = right;
    }
    return end;
  }

  // False: no entry that holds the junction before q, of two characters of 3 bytes, has only a part
  // of one of them.
  bool may_cross_in_part(const std::uint8_t* q) const {
    return contains(partial_, key_of(q, 3, 3)) || (unlisted_[q[-1]] >> (*q & 15) & 1) != 0;
  }

  // For the kernels: a bit for each place of junction_bit(), and for each last byte of a left
  // character the first bytes & 15 of right ones that are not cut.
  const std::uint64_t* filter() const { return filter_.data(); }
  const std::uint16_t* unlisted() const { return unlisted_.data(); }

 private:
  static constexpr std::size_t kMostListedPairs = 2048;  // of one entry

  // `left` and `right` bytes stand before and behind q: 3 and 3, 1 and 3, or 3 and 1.
  bool may_cross(const std::uint8_t* q, std::uint32_t left, std::uint32_t right) const {
    return contains(filter_, key_of(q, left, right)) || (unlisted_[q[-1]] >> (*q & 15) & 1) != 0;
  }

  static std::uint64_t key_of(const std::uint8_t* q, std::uint32_t left, std::uint32_t right) {
    std::uint32_t head = 0;
    std::memcpy(&head, q - left, sizeof(head));
    if (left + right == 4) return head;
    std::uint16_t tail = 0;
    std::memcpy(&tail, q + 1, sizeof(tail));
    return head | std::uint64_t{tail} << 32;
  }

  using Bits = BigTable<std::uint64_t>;
  static bool contains(const Bits& bits, std::uint64_t key) {
    const std::uint64_t bit = junction_bit(key);
    return (bits[bit >> 6] >> (bit & 63) & 1) != 0;
  }

  void add_junction(std::string_view left, std::string_view right);
  void add_pair(std::string_view left, std::string_view right, bool is_partial);

  Bits filter_;
  Bits partial_;  // of it, what entries make that begin or end inside a character
  // [last byte of the left character], bit (first byte of the right one & 15): do not cut, for
  // entries whose pairs are too many for the filter.
  std::array<std::uint16_t, 256> unlisted_{};
};

}  // namespace headrace::tokenize
