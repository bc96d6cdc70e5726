// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "leak/internal/grams.h"
#include "leak/internal/index_data.h"
#include "leak/leak.h"

namespace headrace::leak {
namespace {

Result<void> check_range(std::string_view what, double value, double least, double most) {
  if (value >= least && value <= most) return {};
  return invalid_argument("settings of the leak check: {} is {}, allowed are {} to {}", what, value,
                          least, most);
}

}  // namespace

Result<void> IndexSettings::validate() const {
  HEADRACE_RETURN_IF_ERROR(check_range("seed_half_units", seed_half_units, 2, kMostHalfUnits));
  HEADRACE_RETURN_IF_ERROR(check_range("check_half_units", check_half_units, 2, seed_half_units));
  HEADRACE_RETURN_IF_ERROR(check_range("item_frequency_factor", item_frequency_factor, 0, 1000));
  HEADRACE_RETURN_IF_ERROR(check_range("least_weight", least_weight, 0, 1));
  HEADRACE_RETURN_IF_ERROR(check_range("quoted_factor", quoted_factor, 0, 1));
  HEADRACE_RETURN_IF_ERROR(check_range("common_share", common_share, 0, 1));
  return check_range("common_items", common_items, 1, 1e6);
}

Result<void> ScanSettings::validate() const {
  for (const ViewBound& bound : bounds) {
    HEADRACE_RETURN_IF_ERROR(check_range("level of a view", bound.level, 0, 10));
    HEADRACE_RETURN_IF_ERROR(check_range("slope of a view", bound.slope, 0, 10));
    HEADRACE_RETURN_IF_ERROR(check_range("least_ratio of a view", bound.least_ratio, 0, 1));
    HEADRACE_RETURN_IF_ERROR(check_range("least_mass of a view", bound.least_mass, 0, 1e6));
  }
  HEADRACE_RETURN_IF_ERROR(check_range("least_density", least_density, 0, 1));
  HEADRACE_RETURN_IF_ERROR(check_range("most_gap", most_gap, 0, 1e6));
  HEADRACE_RETURN_IF_ERROR(check_range("gap_tokens", gap_tokens, 0, 1000));
  HEADRACE_RETURN_IF_ERROR(check_range("drop_question", drop_question, 0, 10));
  HEADRACE_RETURN_IF_ERROR(check_range("drop_question_with", drop_question_with, 0, 10));
  HEADRACE_RETURN_IF_ERROR(check_range("drop_options", drop_options, 0, 10));
  HEADRACE_RETURN_IF_ERROR(check_range("drop_answer", drop_answer, 0, 10));
  return check_range("line_rest_tokens", line_rest_tokens, 0, 1e6);
}

std::string_view name_of(View view) {
  constexpr std::array<std::string_view, kViews> kNames = {
      "question", "edited question", "question+options", "question+answer", "run", "passage"};
  return kNames[static_cast<std::size_t>(view)];
}

std::string_view name_of(Verdict verdict) { return verdict == Verdict::kDrop ? "drop" : "flag"; }

ScanStats& ScanStats::operator+=(const ScanStats& other) {
  documents += other.documents;
  bytes += other.bytes;
  probes += other.probes;
  bits_set += other.bits_set;
  seed_hits += other.seed_hits;
  groups += other.groups;
  verified += other.verified;
  found += other.found;
  cut_documents += other.cut_documents;
  return *this;
}

void IndexData::add_places(std::span<const ItemGram> grams, ItemEntry* entry) {
  entry->first_place = places.size();
  entry->places = static_cast<std::uint32_t>(ItemGrams::places_for(grams.size()));
  places.resize(places.size() + entry->places);
  const std::span<std::uint64_t> own = std::span(places).subspan(entry->first_place);
  for (const ItemGram& gram : grams) ItemGrams::add(gram.key, gram.position, own);
}

void IndexData::complete() {
  for (std::uint32_t posting : postings) entries[posting & ~kLastPosting].has_seeds = true;
  stats.items = items.size();
  stats.seeds = seeds.size();
  for (ItemEntry& entry : entries) {
    for (std::uint64_t i = entry.first_token; i < entry.first_token + entry.tokens; ++i) {
      entry.totals[part(i)] += static_cast<double>(weights[i]);
    }
    if (!entry.has_seeds) ++stats.without_seeds;
    if (!entry.is_checkable()) ++stats.not_checkable;
  }
  seed_map = GramMap(seeds.size());
  filter = GramFilter(seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    seed_map.add(seeds[i], seed_postings[i]);
    filter.add(seeds[i]);
  }
}

Index::Index(std::unique_ptr<const IndexData> data) : data_(std::move(data)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

std::size_t Index::size() const { return data_->items.size(); }
const Item& Index::item(std::uint32_t item) const { return data_->items[item]; }
const IndexSettings& Index::settings() const { return data_->settings; }
const IndexStats& Index::stats() const { return data_->stats; }

std::vector<std::uint32_t> Index::without_seeds() const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!data_->entries[i].has_seeds) found.push_back(i);
  }
  return found;
}

std::vector<std::uint32_t> Index::not_checkable() const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!data_->entries[i].is_checkable()) found.push_back(i);
  }
  return found;
}

std::size_t Index::memory_bytes() const {
  const IndexData& data = *data_;
  std::size_t bytes = data.entries.size() * sizeof(ItemEntry) + data.parts.size() * 9 +
                      data.places.size() * 8 + data.seeds.size() * 12 + data.postings.size() * 4 +
                      data.seed_map.memory_bytes() + data.filter.memory_bytes();
  for (const Item& item : data.items) {
    bytes += sizeof(Item) + item.question.size() + item.answer.size() + item.solution.size() +
             item.passage.size() + item.options.size() * sizeof(std::string);
    for (const std::string& option : item.options) bytes += option.size();
  }
  return bytes;
}

}  // namespace headrace::leak
