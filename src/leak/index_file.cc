// SPDX-License-Identifier: Apache-2.0
// Index ↔ file: docs/formats/leak-index.md. The checksum tells damage from what was written; all
// that would make a scan read outside its arrays is checked beside it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "leak/internal/index_bytes.h"
#include "leak/internal/index_data.h"

namespace headrace::leak {
namespace {

std::string words_of(const IndexSettings& s) {
  return fmt::format(
      "seed_half_units {}, check_half_units {}, item_frequency_factor {}, least_weight {}, "
      "quoted_factor {}, common_share {}, common_items {}",
      s.seed_half_units, s.check_half_units, s.item_frequency_factor, s.least_weight,
      s.quoted_factor, s.common_share, s.common_items);
}

void put_settings(const IndexSettings& s, IndexWriter* writer) {
  writer->put(s.seed_half_units);
  writer->put(s.check_half_units);
  writer->put(s.item_frequency_factor);
  writer->put(s.least_weight);
  writer->put(s.quoted_factor);
  writer->put(s.common_share);
  writer->put(s.common_items);
}

IndexSettings take_settings(IndexReader* reader) {
  IndexSettings s;
  s.seed_half_units = reader->take<std::uint32_t>();
  s.check_half_units = reader->take<std::uint32_t>();
  s.item_frequency_factor = reader->take<double>();
  s.least_weight = reader->take<double>();
  s.quoted_factor = reader->take<double>();
  s.common_share = reader->take<double>();
  s.common_items = reader->take<std::uint32_t>();
  return s;
}

void put_texts(const std::vector<std::string>& texts, IndexWriter* writer) {
  writer->put<std::uint64_t>(texts.size());
  for (const std::string& text : texts) writer->put_text(text);
}

std::vector<std::string> take_texts(IndexReader* reader) {
  std::vector<std::string> texts;
  for (std::uint64_t left = reader->take<std::uint64_t>(); left > 0 && reader->may_hold(left);
       --left) {
    texts.push_back(reader->take_text());
  }
  return texts;
}

void put_item(const Item& item, IndexWriter* writer) {
  writer->put_text(item.id);
  writer->put_text(item.set);
  writer->put_text(item.question);
  put_texts(item.options, writer);
  writer->put_text(item.answer);
  writer->put_text(item.solution);
  writer->put_text(item.passage);
  put_texts(item.also, writer);
}

Item take_item(IndexReader* reader) {
  Item item;
  item.id = reader->take_text();
  item.set = reader->take_text();
  item.question = reader->take_text();
  item.options = take_texts(reader);
  item.answer = reader->take_text();
  item.solution = reader->take_text();
  item.passage = reader->take_text();
  item.also = take_texts(reader);
  return item;
}

// What is wrong with the arrays, or "".
std::string_view fault_of(const IndexData& data) {
  const std::size_t tokens = data.parts.size();
  if (data.token_hashes.size() != tokens || data.weights.size() != tokens) {
    return "its arrays of tokens differ in length";
  }
  if (std::any_of(data.parts.begin(), data.parts.end(), [](std::uint8_t p) {
        return (p & ~IndexData::kLetter) >= static_cast<int>(kParts);
      })) {
    return "a token is of no part";
  }
  if (!std::all_of(data.weights.begin(), data.weights.end(),
                   [](float w) { return std::isfinite(w) && w >= 0; })) {
    return "a weight is no number";
  }
  std::uint64_t token = 0;
  std::uint64_t place = 0;
  for (const ItemEntry& entry : data.entries) {
    if (entry.tokens > tokens - token || entry.places > data.places.size() - place) {
      return "an item reaches beyond the arrays";
    }
    bool has_empty = false;
    for (std::uint64_t i = place; i < place + entry.places; ++i) {
      if (static_cast<std::uint32_t>(data.places[i]) > entry.tokens)
        return "an n-gram lies outside its item";
      has_empty = has_empty || data.places[i] == 0;
    }
    if (!has_empty) return "a table of n-grams is full";
    token += entry.tokens;
    place += entry.places;
  }
  if (token != tokens || place != data.places.size()) return "its items do not fill the arrays";
  if (data.seeds.size() != data.seed_postings.size()) return "its seeds differ in number";
  for (std::size_t i = 0; i < data.seeds.size(); ++i) {
    if (i > 0 && data.seeds[i] <= data.seeds[i - 1]) return "its seeds are in no order";
    if (data.seed_postings[i] >= data.postings.size()) return "a seed has no items";
  }
  for (const std::uint32_t posting : data.postings) {
    if ((posting & ~IndexData::kLastPosting) >= data.entries.size()) return "a seed names no item";
  }
  if (data.postings.empty() || (data.postings.back() & IndexData::kLastPosting) == 0) {
    return "the items of a seed do not end";
  }
  return "";
}

}  // namespace

std::string Index::serialize() const {
  const IndexData& data = *data_;
  IndexWriter writer(IndexKind::kItems);
  put_settings(data.settings, &writer);
  for (const std::uint64_t count : {data.stats.folded, data.stats.cut, data.stats.seeds_left_out,
                                    data.stats.reference_documents}) {
    writer.put(count);
  }
  writer.put<std::uint64_t>(data.items.size());
  for (std::size_t i = 0; i < data.items.size(); ++i) {
    put_item(data.items[i], &writer);
    writer.put(data.entries[i].tokens);
    writer.put(data.entries[i].places);
  }
  writer.put_all(data.parts);
  writer.put_all(data.token_hashes);
  writer.put_all(data.weights);
  writer.put_all(data.places);
  writer.put_all(data.seeds);
  writer.put_all(data.seed_postings);
  writer.put_all(data.postings);
  return writer.finish();
}

Result<void> Index::save(const std::string& path) const {
  return io::write_file_atomic(path, serialize());
}

Result<Index> Index::open(const std::string& path, const IndexSettings& settings) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(path));
  return parse(bytes, settings, path);
}

Result<Index> Index::parse(std::string_view bytes, const IndexSettings& settings,
                           std::string_view name) {
  HEADRACE_ASSIGN_OR_RETURN(IndexReader reader, IndexReader::open(bytes, IndexKind::kItems, name));
  auto data = std::make_unique<IndexData>();
  data->settings = take_settings(&reader);
  if (data->settings != settings) {
    return invalid_argument(
        "reading the leak index {}: it was made with other settings ({}) than are asked for ({}); "
        "build it again",
        name, words_of(data->settings), words_of(settings));
  }
  data->stats.folded = reader.take<std::uint64_t>();
  data->stats.cut = reader.take<std::uint64_t>();
  data->stats.seeds_left_out = reader.take<std::uint64_t>();
  data->stats.reference_documents = reader.take<std::uint64_t>();
  ItemEntry entry;
  for (auto left = reader.take<std::uint64_t>(); left > 0 && reader.may_hold(left); --left) {
    data->items.push_back(take_item(&reader));
    entry.tokens = reader.take<std::uint32_t>();
    entry.places = reader.take<std::uint32_t>();
    data->entries.push_back(entry);
    entry.first_token += entry.tokens;
    entry.first_place += entry.places;
  }
  data->parts = reader.take_all<std::uint8_t>();
  data->token_hashes = reader.take_all<std::uint32_t>();
  data->weights = reader.take_all<float>();
  data->places = reader.take_all<std::uint64_t>();
  data->seeds = reader.take_all<std::uint64_t>();
  data->seed_postings = reader.take_all<std::uint32_t>();
  data->postings = reader.take_all<std::uint32_t>();
  if (!reader.is_whole()) return reader.fault("its parts do not fill it");
  if (const std::string_view fault = fault_of(*data); !fault.empty()) return reader.fault(fault);
  data->complete();
  return Index(std::move(data));
}

}  // namespace headrace::leak
