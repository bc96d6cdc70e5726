// SPDX-License-Identifier: Apache-2.0
// Everything is asked of the merges themselves, entry by entry: that an entry becomes its own id is
// true for most, and for 588 of Llama-3's it is not.
#include "tokenize/bpe_tables.h"

#include <algorithm>

#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr std::uint32_t kFirstOfThreeBytes = 0x800;
constexpr std::uint32_t kEndOfThreeBytes = 0x10000;

bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c < 0xE000; }
bool is_worth_a_seed(std::uint32_t c) { return c >= 0x3000 && c < 0xA000; }  // Han and kana

}  // namespace

BpeTables::BpeTables(const ByteBpe& bpe, std::span<const std::optional<std::string>> bytes_by_id,
                     const WholePieces& unreachable)
    : unreachable_(unreachable), character_ids_(kEndOfThreeBytes, kNone) {
  std::vector<std::string_view> tokens(bytes_by_id.size());
  std::vector<DoneMerge> made_by(bytes_by_id.size());
  MergeScratch scratch;
  std::vector<std::uint32_t> ids;
  seeds_.reserve(bytes_by_id.size() + 0x7000);

  for (std::uint32_t c = kFirstOfThreeBytes; c < kEndOfThreeBytes; ++c) {
    if (is_surrogate(c)) continue;
    const char bytes[] = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
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
  if (Backtracker::is_ordered(bpe, tokens, made_by)) {
    backtracker_.emplace(bpe, tokens, made_by);
  } else {
    std::ranges::fill(character_ids_, kNone);
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
