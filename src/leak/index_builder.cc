// SPDX-License-Identifier: Apache-2.0
// Items → index.
//
// An n-gram says little when many documents have it (stock phrases, formulas, licences), and little
// when many items have it (the frames that questions share, which are rare in documents). Its
// weight is the smaller of two factors, one for each; a token weighs its units times the mean of
// the n-grams over it. Everything that is found is measured in these weights.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "leak/internal/gram_counts.h"
#include "leak/internal/index_data.h"
#include "leak/internal/item_tokens.h"

namespace headrace::leak {
namespace {

constexpr double kUncoveredWeight = 0.3;   // per unit, of texts shorter than one n-gram
constexpr std::uint32_t kLeastSeeds = 2;   // an item with fewer gets the rarest back:
constexpr std::size_t kSeedsBack = 3;      // so many,
constexpr std::uint32_t kMostBack = 3000;  // below so many documents and items
constexpr double kLeastCommonDocuments = 2;

}  // namespace

struct IndexBuilder::State {
  IndexSettings settings;
  const FoldTable* folds;
  TokenText text;
  std::vector<Item> items = {};
  std::vector<ItemTokens> tokens = {};
  std::uint64_t folded = 0;
  bool is_frozen = false;
  GramCounts seeds = {};
  GramCounts checks = {};
  std::uint32_t reference_documents = 0;

  void freeze();
  double weight_of(std::uint32_t check) const;
  void add_weights(std::uint32_t item, IndexData* data) const;
  void add_postings(IndexData* data) const;
};

struct ReferenceCounter::State {
  const IndexBuilder::State* builder;
  TokenText text;
  DocumentCounts seeds;
  DocumentCounts checks;
  std::uint32_t documents = 0;
};

ReferenceCounter::ReferenceCounter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReferenceCounter::ReferenceCounter(ReferenceCounter&&) noexcept = default;
ReferenceCounter& ReferenceCounter::operator=(ReferenceCounter&&) noexcept = default;
ReferenceCounter::~ReferenceCounter() = default;

void ReferenceCounter::add(std::string_view text) {
  State& state = *state_;
  const IndexBuilder::State& builder = *state.builder;
  state.text.assign(text);
  ++state.documents;
  const TokenRow row = state.text.row();
  state.seeds.add(builder.seeds, row, builder.settings.seed_half_units, state.documents);
  state.checks.add(builder.checks, row, builder.settings.check_half_units, state.documents);
}

Result<IndexBuilder> IndexBuilder::make(const IndexSettings& settings) {
  HEADRACE_RETURN_IF_ERROR(settings.validate());
  HEADRACE_ASSIGN_OR_RETURN(const FoldTable* folds, FoldTable::get());
  return IndexBuilder(std::unique_ptr<State>(
      new State{.settings = settings, .folds = folds, .text = TokenText(*folds)}));
}

IndexBuilder::IndexBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}
IndexBuilder::IndexBuilder(IndexBuilder&&) noexcept = default;
IndexBuilder& IndexBuilder::operator=(IndexBuilder&&) noexcept = default;
IndexBuilder::~IndexBuilder() = default;

void IndexBuilder::add(Item item) {
  HEADRACE_DCHECK(!state_->is_frozen);
  state_->tokens.push_back(tokens_of(item, &state_->text));
  state_->items.push_back(std::move(item));
}

ReferenceCounter IndexBuilder::counter() {
  state_->freeze();
  return ReferenceCounter(std::unique_ptr<ReferenceCounter::State>(
      new ReferenceCounter::State{.builder = state_.get(),
                                  .text = TokenText(*state_->folds),
                                  .seeds = DocumentCounts(state_->seeds.grams.size()),
                                  .checks = DocumentCounts(state_->checks.grams.size())}));
}

void IndexBuilder::count(const ReferenceCounter& counter) {
  const auto add = [](const DocumentCounts& from, GramCounts* to) {
    for (std::size_t i = 0; i < from.documents.size(); ++i) to->documents[i] += from.documents[i];
  };
  add(counter.state_->seeds, &state_->seeds);
  add(counter.state_->checks, &state_->checks);
  state_->reference_documents += counter.state_->documents;
}

// Puts the items into an order that does not depend on how they were added, folds those with the
// same words into the first of them, and counts n-grams. Folded, because else a question published
// in five sets would weigh as little as a frame that five questions share.
void IndexBuilder::State::freeze() {
  if (is_frozen) return;
  is_frozen = true;
  std::vector<std::uint32_t> order(items.size());
  std::vector<Hash128> keys;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    order[i] = i;
    keys.push_back(tokens[i].key());
  }
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const auto rank = [&](std::uint32_t i) {
      const Item& item = items[i];
      return std::tie(item.set, item.id, keys[i], item.question, item.options, item.answer,
                      item.solution, item.passage);
    };
    return rank(a) < rank(b);
  };
  std::sort(order.begin(), order.end(), less);

  std::vector<std::uint32_t> by_key = order;
  std::stable_sort(by_key.begin(), by_key.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::vector<bool> is_folded(items.size());
  for (std::size_t i = 1, first = 0; i < by_key.size(); ++i) {
    Item& kept = items[by_key[first]];
    const std::uint32_t other = by_key[i];
    if (keys[other] != keys[by_key[first]] || tokens[other].tokens == 0) {
      first = i;
      continue;
    }
    is_folded[other] = true;
    kept.also.push_back(fmt::format("{}/{}", items[other].set, items[other].id));
    ++folded;
  }
  std::vector<Item> kept_items;
  std::vector<ItemTokens> kept_tokens;
  for (const std::uint32_t i : order) {
    if (is_folded[i]) continue;
    kept_items.push_back(std::move(items[i]));
    kept_tokens.push_back(std::move(tokens[i]));
  }
  items = std::move(kept_items);
  tokens = std::move(kept_tokens);
  seeds = GramCounts(tokens, settings.seed_half_units);
  checks = GramCounts(tokens, settings.check_half_units);
}

double IndexBuilder::State::weight_of(std::uint32_t check) const {
  const double all = std::log(reference_documents + 1.0);
  const double rare =
      all == 0 ? 1 : std::log((reference_documents + 1.0) / (checks.documents[check] + 1.0)) / all;
  const double own = 1 / (1 + settings.item_frequency_factor * (checks.items[check] - 1.0));
  return std::max(settings.least_weight, std::min(rare, own));
}

void IndexBuilder::State::add_weights(std::uint32_t item, IndexData* data) const {
  ItemEntry entry{.first_token = data->parts.size(), .tokens = tokens[item].tokens};
  std::vector<ItemGram> grams;
  for (const ItemSequence& sequence : tokens[item].sequences) {
    const TokenRow row = sequence.row();
    std::vector<double> sum(row.size());
    std::vector<std::uint32_t> count(row.size());
    for_each_gram(row, settings.check_half_units,
                  [&](std::uint64_t gram, std::size_t begin, std::size_t end) {
                    const double weight = weight_of(checks.at(gram));
                    for (std::size_t i = begin; i < end; ++i) {
                      sum[i] += weight;
                      ++count[i];
                    }
                    grams.push_back({ItemGrams::key(gram),
                                     sequence.first_token + static_cast<std::uint32_t>(begin)});
                  });
    for (std::size_t i = 0; i < row.size(); ++i) {
      double weight =
          row.half_units[i] / 2.0 * (count[i] > 0 ? sum[i] / count[i] : kUncoveredWeight);
      if (!sequence.quoted.empty() && sequence.quoted[i]) weight *= settings.quoted_factor;
      data->weights.push_back(static_cast<float>(weight));
      const bool is_letter = row.half_units[i] == kLetterHalfUnits;
      data->parts.push_back(static_cast<std::uint8_t>(sequence.part) |
                            (is_letter ? IndexData::kLetter : std::uint8_t{0}));
      data->token_hashes.push_back(row.token(i));
    }
  }
  data->add_places(grams, &entry);
  data->entries.push_back(entry);
}

void IndexBuilder::State::add_postings(IndexData* data) const {
  const double most = std::max(kLeastCommonDocuments, settings.common_share * reference_documents);
  const auto is_common = [&](std::uint32_t seed) {
    return seeds.documents[seed] > most || seeds.items[seed] > settings.common_items;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> postings;  // seed, item
  for (std::uint32_t item = 0; item < tokens.size(); ++item) {
    std::uint32_t kept = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left_out;  // how common, seed
    for (const ItemSequence& sequence : tokens[item].sequences) {
      for_each_gram(sequence.row(), settings.seed_half_units,
                    [&](std::uint64_t gram, std::size_t, std::size_t) {
                      const std::uint32_t seed = seeds.at(gram);
                      if (is_common(seed)) {
                        left_out.emplace_back(seeds.documents[seed] + seeds.items[seed], seed);
                      } else {
                        postings.emplace_back(seed, item);
                        ++kept;
                      }
                    });
    }
    if (kept >= kLeastSeeds) continue;
    std::sort(left_out.begin(), left_out.end());
    left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
    for (std::size_t i = 0; i < std::min(kSeedsBack, left_out.size()); ++i) {
      if (left_out[i].first < kMostBack) postings.emplace_back(left_out[i].second, item);
    }
  }
  std::sort(postings.begin(), postings.end());
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  for (std::size_t i = 0; i < postings.size(); ++i) {
    const auto [seed, item] = postings[i];
    if (i == 0 || postings[i - 1].first != seed) {
      data->seeds.push_back(seeds.grams[seed]);
      data->seed_postings.push_back(static_cast<std::uint32_t>(i));
    }
    const bool is_last = i + 1 == postings.size() || postings[i + 1].first != seed;
    data->postings.push_back(item | (is_last ? IndexData::kLastPosting : 0));
  }
}

Result<Index> IndexBuilder::finish() {
  State& state = *state_;
  state.freeze();
  auto data = std::make_unique<IndexData>();
  data->settings = state.settings;
  for (std::uint32_t i = 0; i < state.items.size(); ++i) state.add_weights(i, data.get());
  state.add_postings(data.get());
  data->items = std::move(state.items);
  data->stats.folded = state.folded;
  data->stats.seeds_left_out = state.seeds.grams.size() - data->seeds.size();
  data->stats.reference_documents = state.reference_documents;
  data->stats.cut = static_cast<std::uint64_t>(std::count_if(
      state.tokens.begin(), state.tokens.end(), [](const ItemTokens& t) { return t.cut; }));
  data->complete();
  const std::size_t items = data->items.size();
  state_.reset();
  if (data->seeds.empty()) {
    return invalid_argument(
        "making a leak index: of {} items none has the {} units of text that are searched for",
        items, data->settings.seed_half_units / 2);
  }
  return Index(std::move(data));
}

}  // namespace headrace::leak
