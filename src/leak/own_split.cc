// SPDX-License-Identifier: Apache-2.0
// Validation documents inside training documents.
//
// Long n-grams, one in four of their hashes: whole documents have plenty. A fingerprint that other
// documents have too weighs less, so licences and news formulas do not add up to a leak. The share
// is taken of both documents: a short validation document may lie in a long training document, and
// the other way round.
#include "leak/own_split.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "leak/internal/split_data.h"
#include "leak/internal/token_text.h"

namespace headrace::leak {
namespace {

constexpr double kLeastTrainWeight = 1;

}  // namespace

Result<void> SplitSettings::validate() const {
  if (half_units < 2 || half_units > kMostHalfUnits) {
    return invalid_argument("settings of the split check: half_units is {}, allowed are 2 to {}",
                            half_units, kMostHalfUnits);
  }
  if (keep_one_in < 1 || keep_one_in > 1024) {
    return invalid_argument("settings of the split check: keep_one_in is {}, allowed are 1 to 1024",
                            keep_one_in);
  }
  if (!(frequency_factor >= 0 && frequency_factor <= 1000)) {
    return invalid_argument(
        "settings of the split check: frequency_factor is {}, allowed are 0 to 1000",
        frequency_factor);
  }
  return {};
}

Result<void> SplitBounds::validate() const {
  for (const double share : {leak_share, flag_share}) {
    if (share > 0 && share <= 1) continue;
    return invalid_argument("settings of the split check: a share is {}, allowed are 0 to 1",
                            share);
  }
  for (const double mass : {leak_mass, flag_mass}) {
    if (mass >= 0 && mass <= 1e6) continue;
    return invalid_argument("settings of the split check: a mass is {}, allowed are 0 to 1000000",
                            mass);
  }
  return {};
}

void SplitData::complete() {
  map = GramMap(grams.size());
  filter = GramFilter(grams.size());
  totals.assign(ids.size(), 0);
  for (std::uint32_t i = 0; i < grams.size(); ++i) {
    map.add(grams[i], i);
    filter.add(grams[i]);
    for (const std::uint32_t document : documents(i)) totals[document] += weight(i);
  }
  stats.documents = ids.size();
  stats.fingerprints = grams.size();
}

SplitIndex::SplitIndex(std::unique_ptr<const SplitData> data) : data_(std::move(data)) {}
SplitIndex::SplitIndex(SplitIndex&&) noexcept = default;
SplitIndex& SplitIndex::operator=(SplitIndex&&) noexcept = default;
SplitIndex::~SplitIndex() = default;

std::size_t SplitIndex::size() const { return data_->ids.size(); }
const std::string& SplitIndex::id(std::uint32_t document) const { return data_->ids[document]; }
const SplitStats& SplitIndex::stats() const { return data_->stats; }

struct SplitBuilder::State {
  SplitSettings settings;
  TokenText text;
  bool is_frozen = false;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> found = {};  // gram, document
  std::vector<std::uint32_t> last = {};  // reference document that counted, by gram
  std::unique_ptr<SplitData> data = std::make_unique<SplitData>();

  void freeze();
};

Result<SplitBuilder> SplitBuilder::make(const SplitSettings& settings) {
  HEADRACE_RETURN_IF_ERROR(settings.validate());
  HEADRACE_ASSIGN_OR_RETURN(const FoldTable* folds, FoldTable::get());
  return SplitBuilder(
      std::unique_ptr<State>(new State{.settings = settings, .text = TokenText(*folds)}));
}

SplitBuilder::SplitBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}
SplitBuilder::SplitBuilder(SplitBuilder&&) noexcept = default;
SplitBuilder& SplitBuilder::operator=(SplitBuilder&&) noexcept = default;
SplitBuilder::~SplitBuilder() = default;

void SplitBuilder::add(std::string id, std::string_view text) {
  State& state = *state_;
  HEADRACE_DCHECK(!state.is_frozen);
  const auto document = static_cast<std::uint32_t>(state.data->ids.size());
  state.data->ids.push_back(std::move(id));
  state.text.assign(text);
  std::uint64_t least = ~std::uint64_t{0};
  bool has_any = false;
  bool has_kept = false;
  for_each_gram(state.text.row(), state.settings.half_units,
                [&](std::uint64_t gram, std::size_t, std::size_t) {
                  has_any = true;
                  least = std::min(least, gram);
                  if (gram % state.settings.keep_one_in != 0) return;
                  has_kept = true;
                  state.found.emplace_back(gram, document);
                });
  if (has_any && !has_kept) state.found.emplace_back(least, document);
  if (!has_any) ++state.data->stats.without_fingerprints;
}

void SplitBuilder::State::freeze() {
  if (is_frozen) return;
  is_frozen = true;
  data->settings = settings;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const auto& [gram, document] : found) {
    if (data->grams.empty() || data->grams.back() != gram) {
      data->grams.push_back(gram);
      data->firsts.push_back(static_cast<std::uint32_t>(data->postings.size()));
    }
    data->postings.push_back(document);
  }
  data->firsts.push_back(static_cast<std::uint32_t>(data->postings.size()));
  data->frequencies.resize(data->grams.size());
  data->complete();
  last.resize(data->grams.size());
  found.clear();
}

void SplitBuilder::add_reference(std::string_view text) {
  State& state = *state_;
  state.freeze();
  SplitData& data = *state.data;
  const auto number = static_cast<std::uint32_t>(++data.stats.reference_documents);
  state.text.assign(text);
  for_each_gram(state.text.row(), state.settings.half_units,
                [&](std::uint64_t gram, std::size_t, std::size_t) {
                  if (!data.filter.may_have(gram)) return;
                  const std::uint32_t at = data.map.find(gram);
                  if (at == GramMap::kNone || state.last[at] == number) return;
                  state.last[at] = number;
                  ++data.frequencies[at];
                });
}

Result<SplitIndex> SplitBuilder::finish() {
  state_->freeze();
  std::unique_ptr<SplitData> data = std::move(state_->data);
  state_.reset();
  data->complete();
  if (data->grams.empty()) {
    return invalid_argument(
        "making an index of validation documents: of {} none has the {} units of text that are "
        "searched for",
        data->ids.size(), data->settings.half_units / 2);
  }
  return SplitIndex(std::move(data));
}

struct SplitScanner::State {
  const SplitData* index;
  SplitBounds bounds;
  TokenText text;
  struct Match {
    std::uint32_t document;
    std::uint32_t gram;
    std::uint32_t begin;  // tokens
    std::uint32_t end;
    auto operator<=>(const Match&) const = default;
  };
  std::vector<Match> matches = {};

  SplitHit hit_of(const Match* begin, const Match* end, double train) const;
};

Result<SplitScanner> SplitScanner::make(const SplitIndex& index, const SplitBounds& bounds) {
  HEADRACE_RETURN_IF_ERROR(bounds.validate());
  HEADRACE_ASSIGN_OR_RETURN(const FoldTable* folds, FoldTable::get());
  return SplitScanner(std::unique_ptr<State>(
      new State{.index = index.data_.get(), .bounds = bounds, .text = TokenText(*folds)}));
}

SplitScanner::SplitScanner(std::unique_ptr<State> state) : state_(std::move(state)) {}
SplitScanner::SplitScanner(SplitScanner&&) noexcept = default;
SplitScanner& SplitScanner::operator=(SplitScanner&&) noexcept = default;
SplitScanner::~SplitScanner() = default;

std::vector<SplitHit> SplitScanner::scan(std::string_view text) {
  State& state = *state_;
  const SplitData& index = *state.index;
  state.matches.clear();
  state.text.assign(text);
  double train = 0;  // weight of the document's own fingerprints; unknown ones weigh 1
  for_each_gram(state.text.row(), index.settings.half_units,
                [&](std::uint64_t gram, std::size_t begin, std::size_t end) {
                  const bool is_kept = gram % index.settings.keep_one_in == 0;
                  const std::uint32_t at =
                      index.filter.may_have(gram) ? index.map.find(gram) : GramMap::kNone;
                  if (is_kept) train += at == GramMap::kNone ? 1 : index.weight(at);
                  if (at == GramMap::kNone) return;
                  for (const std::uint32_t document : index.documents(at)) {
                    state.matches.push_back({document, at, static_cast<std::uint32_t>(begin),
                                             static_cast<std::uint32_t>(end)});
                  }
                });
  std::sort(state.matches.begin(), state.matches.end());

  std::vector<SplitHit> hits;
  for (std::size_t i = 0; i < state.matches.size();) {
    std::size_t end = i + 1;
    while (end < state.matches.size() && state.matches[end].document == state.matches[i].document) {
      ++end;
    }
    SplitHit hit = state.hit_of(state.matches.data() + i, state.matches.data() + end, train);
    const double share = std::max(hit.share_validation, hit.share_train);
    hit.leak = share >= state.bounds.leak_share && hit.mass >= state.bounds.leak_mass;
    const bool flag = share >= state.bounds.flag_share && hit.mass >= state.bounds.flag_mass;
    if (hit.leak || flag) hits.push_back(std::move(hit));
    i = end;
  }
  std::sort(hits.begin(), hits.end(), [](const SplitHit& a, const SplitHit& b) {
    return a.mass != b.mass ? a.mass > b.mass : a.document < b.document;
  });
  return hits;
}

// Matches of one document, by gram.
SplitHit SplitScanner::State::hit_of(const Match* begin, const Match* end, double train) const {
  SplitHit hit{.document = begin->document};
  std::vector<TextRange> places;
  for (const Match* match = begin; match != end; ++match) {
    if (match == begin || match->gram != match[-1].gram) hit.mass += index->weight(match->gram);
    places.push_back({text.bytes(match->begin).begin, text.bytes(match->end - 1).end});
  }
  hit.share_validation = hit.mass / index->totals[hit.document];
  hit.share_train = std::min(1.0, hit.mass / std::max(kLeastTrainWeight, train));
  std::sort(places.begin(), places.end(),
            [](TextRange a, TextRange b) { return a.begin < b.begin; });
  for (const TextRange place : places) {
    if (!hit.pieces.empty() && place.begin <= hit.pieces.back().end) {
      hit.pieces.back().end = std::max(hit.pieces.back().end, place.end);
    } else {
      hit.pieces.push_back(place);
    }
  }
  return hit;
}

}  // namespace headrace::leak
