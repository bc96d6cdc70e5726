// SPDX-License-Identifier: Apache-2.0
// Everything is asked of the merges themselves, entry by entry: that an entry becomes its own id is
// true for most, and for 588 of Llama-3's it is not.
//
// A list may have many merges that make one token; Llama-3's has more than two for each. But of a
// token that its own bytes become, only the merge that made it there is ever done anywhere: where
// two symbols are merged, nothing has crossed the ends of the two, so all has gone as it goes for
// their bytes alone. The others are left out, which halves Llama-3's table.
//
// If each of these merges ranks behind those that made its two sides, as training makes them, ranks
// are times: longest match with backtracking gives what merging gives, and merging may begin with
// whole characters. Llama-3's list was put together from two, and has 85 of another kind (".:." +
// ":" ranks before what makes ".:."). Where the bytes of none of their tokens occur, none of them
// is ever done, and the rest is in order.
#include "tokenize/bpe_tables.h"

#include <algorithm>
#include <array>

#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr std::uint32_t kFirstOfThreeBytes = 0x800;
constexpr std::uint32_t kEndOfThreeBytes = 0x10000;
constexpr std::size_t kMostUnordered = 256;  // all are looked for in each long piece

bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c < 0xE000; }
bool is_worth_a_seed(std::uint32_t c) { return c >= 0x3000 && c < 0xA000; }  // Han and kana

}  // namespace

BpeTables::BpeTables(const ByteBpe& bpe, std::span<const std::optional<std::string>> bytes_by_id,
                     const WholePieces& unreachable)
    : bpe_(bpe), unreachable_(unreachable), character_ids_(kEndOfThreeBytes, kNone) {
  std::vector<std::string_view> tokens(bytes_by_id.size());
  std::vector<DoneMerge> made_by(bytes_by_id.size());
  MergeScratch scratch;
  std::vector<std::uint32_t> ids;
  seeds_.reserve(bytes_by_id.size() + 0x7000);

  for (std::uint32_t c = kFirstOfThreeBytes; c < kEndOfThreeBytes; ++c) {
    if (is_surrogate(c)) continue;
    const char bytes[] = {static_cast<char>(0xE0 | c >> 12),
                          static_cast<char>(0x80 | (c >> 6 & 63)),
                          static_cast<char>(0x80 | (c & 63))};
    std::uint32_t found[3];
    const std::size_t count = bpe.merge_short({bytes, 3}, found);
    if (count == 1) character_ids_[c] = found[0];
    if (is_worth_a_seed(c)) add_seed({bytes, 3}, {found, count});
  }
  // Frequent entries have low ids; what comes last stays in the cache.
  for (std::size_t id = bytes_by_id.size(); id-- > 0;) {
    if (!bytes_by_id[id].has_value() || bytes_by_id[id]->empty()) continue;
    const std::string_view bytes = *bytes_by_id[id];
    ids.resize(bytes.size());
    DoneMerge last;
    const std::size_t count = bpe.merge(bytes, &scratch, ids.data(), &last);
    add_seed(bytes, std::span(ids).first(count));
    if (count != 1 || ids[0] != id) continue;
    tokens[id] = bytes;
    made_by[id] = last;
  }
  reduce(made_by);
  make_backtracker(std::move(tokens), made_by);
}

// Leaves the merges that are done, and gives them new ranks of the same order.
void BpeTables::reduce(std::span<DoneMerge> made_by) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t id = 0; id < made_by.size(); ++id) {
    if (made_by[id].rank != kNone) made.push_back(id);
  }
  std::ranges::sort(made, {}, [&](std::uint32_t id) { return made_by[id].rank; });
  std::vector<Merge> merges;
  for (const std::uint32_t id : made) {
    made_by[id].rank = static_cast<std::uint32_t>(merges.size());
    merges.push_back({made_by[id].left, made_by[id].right, id});
  }
  std::array<std::uint32_t, 256> byte_ids{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    byte_ids[byte] = bpe_.byte_id(static_cast<std::uint8_t>(byte));
  }
  reduced_.emplace(byte_ids, merges);
}

void BpeTables::make_backtracker(std::vector<std::string_view> tokens,
                                 std::span<const DoneMerge> made_by) {
  std::vector<std::uint32_t> by_length;
  for (std::uint32_t id = 0; id < made_by.size(); ++id) {
    if (made_by[id].rank != kNone) by_length.push_back(id);
  }
  std::ranges::sort(by_length, {}, [&](std::uint32_t id) { return tokens[id].size(); });
  std::vector<std::string_view> unordered;
  for (const std::uint32_t id : by_length) {
    const DoneMerge& made = made_by[id];
    const auto is_late = [&](std::uint32_t side) {
      return made_by[side].rank != kNone && made_by[side].rank > made.rank;
    };
    const bool is_unordered = is_late(made.left) || is_late(made.right);
    if (is_unordered) {
      unordered.push_back(tokens[id]);
      forget_characters(tokens[id]);
    }
    if (is_unordered || tokens[made.left].empty() || tokens[made.right].empty()) tokens[id] = {};
  }
  if (unordered.size() <= kMostUnordered) {
    backtracker_.emplace(*reduced_, tokens, made_by, std::move(unordered));
  }
}

// A piece with one of the characters does not begin as characters.
void BpeTables::forget_characters(std::string_view token) {
  for (std::size_t i = 0; i + 2 < token.size(); ++i) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(token.data()) + i;
    if (p[0] >> 4 == 0xE) character_ids_[character_place(p)] = kNone;
  }
}

void BpeTables::add_seed(std::string_view piece, std::span<const std::uint32_t> ids) {
  if (!unreachable_.empty() && unreachable_.contains(std::string(piece))) return;
  if (piece.size() > PieceCache::kMostShort) {
    if (piece.size() <= PieceCache::kMostLong && ids.size() == 1) {
      long_seeds_.emplace_back(piece, ids[0]);
    }
    return;
  }
  if (ids.size() > PieceCache::kMostShortIds) return;
  Seed seed{PieceCache::key(piece), static_cast<std::uint32_t>(ids.size()), {}};
  std::ranges::copy(ids, seed.ids);
  seeds_.push_back(seed);
}

void BpeTables::seed(PieceCache* cache) const {
  for (const Seed& seed : seeds_) {
    cache->insert(seed.key, PieceCache::hash(seed.key), {seed.ids, seed.count});
  }
  for (const auto& [piece, id] : long_seeds_) {
    cache->insert_long(piece, PieceCache::long_hash(piece), {&id, 1});
  }
}

}  // namespace headrace::tokenize
