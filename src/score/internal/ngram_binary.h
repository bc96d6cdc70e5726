// SPDX-License-Identifier: Apache-2.0
// Binary files of KenLM, version 5, little-endian:
//
//   52 bytes  "mmap lm http://kheafield.com/code format version 5\n", zeros to 56
//   f32 0, f32 1, f32 -0.5, u32 1, u32 2^32-1, u32 0, u64 1     what the writer's machine made of
//   them u8 order, 3 bytes, f32 buckets per entry, u32 kind, u8 has texts, 3 bytes, u32 search
//   version u64 counts of the orders; zeros to a multiple of 8
//
// Probing (kind 0, search version 0):
//   u32 0, u32 words with <unk>; buckets of 12 bytes: u64 word key, u32 id
//   (count 1 + 1) unigrams by id: f32 prob, f32 backoff
//   for each order between: buckets of 16 bytes: u64 key, f32 prob, f32 backoff
//   buckets of 12 bytes: u64 key, f32 prob
//   with texts: the words by id, each ended by a zero
//
// Trie (kind 2): ngram_trie.cc.
#pragma once

#include <cstdint>
#include <string_view>

#include "score/internal/ngram_file.h"

namespace headrace::score::internal {

inline constexpr std::string_view kNgramMagic =
    "mmap lm http://kheafield.com/code format version 5\n";
inline constexpr std::size_t kNgramMagicBytes = 56;

struct BinaryFixed {
  float zero = 0, one = 1, minus_half = -0.5f;
  std::uint32_t one_word = 1, most = ~std::uint32_t{0}, padding = 0;
  std::uint64_t one_long = 1;
};
static_assert(sizeof(BinaryFixed) == 32);

struct BinaryParameters {
  std::uint32_t order = 0;
  float multiplier = 0;
  std::uint32_t kind = 0;
  std::uint32_t has_texts = 0;
  std::uint32_t search_version = 0;
};
static_assert(sizeof(BinaryParameters) == 20);

inline std::uint64_t ngram_header_bytes(std::size_t order) {
  return (kNgramCountsAt + 8 * order + 7) / 8 * 8;
}

}  // namespace headrace::score::internal
