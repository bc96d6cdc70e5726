// SPDX-License-Identifier: Apache-2.0
// Document → hits.
//
// The hot path is one look into the filter per token. Of what passes, seed hits are sorted by item
// and place and cut into groups; a group of an item with enough of them is verified: islands
// (islands.cc), what they cover (score.cc), the bounds.
#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "leak/internal/islands.h"
#include "leak/internal/item_tokens.h"
#include "leak/internal/score.h"

namespace headrace::leak {
namespace {

constexpr std::size_t kBatch = 64;            // probes whose memory is asked for ahead
constexpr std::uint32_t kGroupSlack = 24;     // tokens between hits of a group beside the item's
constexpr std::uint32_t kShortItem = 40;      // tokens; one hit will do
constexpr std::uint32_t kMiddlingItem = 100;  // two will; longer ones need three

std::uint32_t least_hits(std::uint32_t tokens) {
  return tokens < kShortItem ? 1 : tokens < kMiddlingItem ? 2 : 3;
}

void append_piece(TextRange bytes, bool adjoins, std::vector<TextRange>* pieces) {
  if (adjoins && !pieces->empty()) {
    pieces->back().end = std::max(pieces->back().end, bytes.end);
  } else {
    pieces->push_back(bytes);
  }
}

}  // namespace

struct Scanner::State {
  const IndexData* index;
  ScanSettings settings;
  TokenText text;
  TokenText item_text;
  ScanStats stats = {};
  std::vector<std::uint64_t> seed_hits = {};  // item << 32 | token
  std::vector<std::uint32_t> group = {};      // tokens
  IslandFinder islands = {};
  Cover cover = {};
  std::vector<Hit> hits = {};
  std::string_view document = {};

  void probe();
  void probe(const std::uint64_t* grams, const std::uint32_t* tokens, std::size_t size);
  void take_groups();
  void verify(std::uint32_t item);
  void put(std::uint32_t item, const Island& island, const Covered& covered, const Judged& judged);
  TextRange remove_span(TextRange span, std::size_t end_token) const;
  void put_item_pieces(std::uint32_t item, Hit* hit);
};

Result<Scanner> Scanner::make(const Index& index, const ScanSettings& settings) {
  HEADRACE_RETURN_IF_ERROR(settings.validate());
  HEADRACE_ASSIGN_OR_RETURN(const FoldTable* folds, FoldTable::get());
  return Scanner(std::unique_ptr<State>(new State{.index = index.data_.get(),
                                                  .settings = settings,
                                                  .text = TokenText(*folds),
                                                  .item_text = TokenText(*folds)}));
}

Scanner::Scanner(std::unique_ptr<State> state) : state_(std::move(state)) {}
Scanner::Scanner(Scanner&&) noexcept = default;
Scanner& Scanner::operator=(Scanner&&) noexcept = default;
Scanner::~Scanner() = default;

const ScanStats& Scanner::stats() const { return state_->stats; }

std::vector<Hit> Scanner::scan(std::string_view text) {
  State& state = *state_;
  ++state.stats.documents;
  state.stats.bytes += text.size();
  state.document = text;
  state.hits.clear();
  state.seed_hits.clear();
  state.text.assign(text);
  state.probe();
  if (state.seed_hits.empty()) return {};
  state.take_groups();
  std::sort(state.hits.begin(), state.hits.end(), [](const Hit& a, const Hit& b) {
    return std::tuple(a.span.begin, a.span.end, a.item) <
           std::tuple(b.span.begin, b.span.end, b.item);
  });
  state.stats.found += state.hits.size();
  return std::exchange(state.hits, {});
}

void Scanner::State::probe() {
  std::array<std::uint64_t, kBatch> grams;
  std::array<std::uint32_t, kBatch> tokens;
  std::size_t size = 0;
  for_each_gram(text.row(), index->settings.seed_half_units,
                [&](std::uint64_t gram, std::size_t begin, std::size_t) {
                  index->filter.prefetch(gram);
                  grams[size] = gram;
                  tokens[size] = static_cast<std::uint32_t>(begin);
                  if (++size < kBatch) return;
                  probe(grams.data(), tokens.data(), size);
                  size = 0;
                });
  probe(grams.data(), tokens.data(), size);
}

void Scanner::State::probe(const std::uint64_t* grams, const std::uint32_t* tokens,
                           std::size_t size) {
  stats.probes += size;
  for (std::size_t i = 0; i < size; ++i) {
    if (!index->filter.may_have(grams[i])) continue;
    ++stats.bits_set;
    std::uint32_t at = index->seed_map.find(grams[i]);
    if (at == GramMap::kNone) continue;
    if (seed_hits.size() >= kMaxSeedHits) continue;
    while (true) {
      const std::uint32_t posting = index->postings[at++];
      const std::uint64_t item = posting & ~IndexData::kLastPosting;
      seed_hits.push_back(item << 32 | tokens[i]);
      if ((posting & IndexData::kLastPosting) != 0) break;
    }
  }
}

void Scanner::State::take_groups() {
  stats.seed_hits += seed_hits.size();
  if (seed_hits.size() >= kMaxSeedHits) ++stats.cut_documents;
  std::sort(seed_hits.begin(), seed_hits.end());
  for (std::size_t i = 0; i < seed_hits.size();) {
    const auto item = static_cast<std::uint32_t>(seed_hits[i] >> 32);
    const std::uint32_t reach = index->entries[item].tokens + kGroupSlack;
    group.clear();
    do {
      group.push_back(static_cast<std::uint32_t>(seed_hits[i++]));
    } while (i < seed_hits.size() && seed_hits[i] >> 32 == item &&
             static_cast<std::uint32_t>(seed_hits[i]) - group.back() <= reach);
    ++stats.groups;
    if (group.size() >= least_hits(index->entries[item].tokens)) verify(item);
  }
}

void Scanner::State::verify(std::uint32_t item) {
  ++stats.verified;
  const ItemEntry& entry = index->entries[item];
  const std::uint32_t reach = entry.tokens + kGroupSlack;
  const std::uint32_t from = group.front() - std::min(group.front(), reach);
  const auto to = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::uint64_t{group.back()} + reach, text.size()));
  const TokenRow row = text.row();
  islands.find(*index, entry, row, group, from, to, settings.gap_tokens);
  for (const Island& island : islands.islands()) {
    const Covered covered = cover.take(
        *index, entry, row, islands.matches().subspan(island.first, island.last - island.first));
    if (const auto judged = judge(settings, entry.totals, covered)) {
      put(item, island, covered, *judged);
    }
  }
}

void Scanner::State::put(std::uint32_t item, const Island& island, const Covered& covered,
                         const Judged& judged) {
  const ItemEntry& entry = index->entries[item];
  Hit hit{.item = item,
          .verdict = judged.verdict,
          .view = judged.view,
          .ratio = judged.ratio,
          .mass = judged.mass,
          .density = covered.density,
          .weight = entry.totals,
          .run = covered.run,
          .gap = covered.gap,
          .seeds = static_cast<std::uint32_t>(group.size())};
  for (std::size_t part = 0; part < kParts; ++part) {
    if (entry.totals[part] > 0) hit.coverage[part] = covered.parts[part] / entry.totals[part];
  }

  // Tokens of the document: those of the matches, and those that were filled.
  std::vector<std::uint32_t> tokens;
  for (std::size_t i = island.first; i < island.last; ++i) {
    const GramMatch& match = islands.matches()[i];
    for (std::uint32_t token = match.begin; token < match.end; ++token) tokens.push_back(token);
  }
  for (const std::uint32_t position : cover.item_tokens()) {
    tokens.push_back(cover.document_token(position));
  }
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    append_piece(text.bytes(tokens[i]), i > 0 && tokens[i] == tokens[i - 1] + 1, &hit.pieces);
  }
  hit.span = {hit.pieces.front().begin, hit.pieces.back().end};
  hit.remove = remove_span(hit.span, tokens.back() + std::size_t{1});
  put_item_pieces(item, &hit);
  hits.push_back(std::move(hit));
}

// To the end of the line when little of it is left: the last option, the answer, a source.
TextRange Scanner::State::remove_span(TextRange span, std::size_t end_token) const {
  const std::size_t newline = std::min(document.find('\n', span.end), document.size());
  std::size_t rest = 0;
  while (rest < settings.line_rest_tokens && end_token + rest < text.size() &&
         text.bytes(end_token + rest).begin < newline) {
    ++rest;
  }
  if (rest < settings.line_rest_tokens) span.end = static_cast<std::uint32_t>(newline);
  return span;
}

void Scanner::State::put_item_pieces(std::uint32_t item, Hit* hit) {
  const std::vector<std::uint32_t>& covered = cover.item_tokens();
  const ItemTokens tokens = tokens_of(index->items[item], &item_text);
  std::size_t next = 0;
  for (const ItemSequence& sequence : tokens.sequences) {
    const std::size_t end = sequence.first_token + sequence.bytes.size();
    std::vector<TextRange> pieces;
    for (std::size_t i = next; i < covered.size() && covered[i] < end; ++i) {
      append_piece(sequence.bytes[covered[i] - sequence.first_token],
                   i > next && covered[i] == covered[i - 1] + 1, &pieces);
      next = i + 1;
    }
    for (const TextRange piece : pieces) {
      hit->item_pieces.push_back({sequence.part, sequence.text, piece});
    }
  }
}

std::vector<TextRange> remove_ranges(std::span<const Hit> hits) {
  std::vector<TextRange> ranges;
  for (const Hit& hit : hits) {
    if (hit.verdict == Verdict::kDrop) ranges.push_back(hit.remove);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](TextRange a, TextRange b) { return a.begin < b.begin; });
  std::vector<TextRange> joined;
  for (const TextRange range : ranges) {
    append_piece(range, !joined.empty() && range.begin <= joined.back().end, &joined);
  }
  return joined;
}

}  // namespace headrace::leak
