// SPDX-License-Identifier: Apache-2.0
// Hashes of runs of code points: the shingles of texts without blanks, and of repetition by
// character.
#pragma once

#include <cstddef>
#include <cstdint>

#include "record/text_view.h"

namespace headrace {

// Entries that both functions may read and write behind the last hash.
inline constexpr std::size_t kCodePointHashSlack = 64;

// Writes one 64-bit hash per code point that begins in blocks [first, last) of the view, in text
// order, and returns how many. `hashes` needs room for them and kCodePointHashSlack more.
std::size_t hash_code_points(const TextView& view, std::size_t first_block, std::size_t last_block,
                             std::uint64_t* hashes);

// `hashes` has the room that hash_code_points asks for. Replaces hashes[i], of code points, by the
// hash of code points i to i + n - 1, 1 <= n <= 64. Returns the number of these runs: count - n +
// 1, or 0 if there are fewer than n code points. Runs that differ have equal hashes with a
// probability of about 2^(n-65). The hashes are the same for every SimdLevel; they are not stored
// anywhere, so they may change between versions.
std::size_t combine_code_point_hashes(SimdLevel simd, std::uint64_t* hashes, std::size_t count,
                                      unsigned n);

}  // namespace headrace
