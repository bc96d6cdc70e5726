// SPDX-License-Identifier: Apache-2.0
// SplitIndex ↔ file: docs/formats/leak-index.md.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "leak/internal/index_bytes.h"
#include "leak/internal/split_data.h"

namespace headrace::leak {
namespace {

std::string words_of(const SplitSettings& s) {
  return fmt::format("half_units {}, keep_one_in {}, frequency_factor {}", s.half_units,
                     s.keep_one_in, s.frequency_factor);
}

// What is wrong with the arrays, or "".
std::string_view fault_of(const SplitData& data) {
  if (data.grams.empty() || data.firsts.size() != data.grams.size() + 1 ||
      data.frequencies.size() != data.grams.size()) {
    return "its arrays of fingerprints differ in length";
  }
  if (data.firsts.front() != 0 || data.firsts.back() != data.postings.size()) {
    return "its fingerprints do not fill the list of documents";
  }
  for (std::size_t i = 0; i < data.grams.size(); ++i) {
    if (i > 0 && data.grams[i] <= data.grams[i - 1]) return "its fingerprints are in no order";
    if (data.firsts[i + 1] <= data.firsts[i]) return "a fingerprint is of no document";
  }
  const bool is_inside = std::all_of(data.postings.begin(), data.postings.end(),
                                     [&](std::uint32_t d) { return d < data.ids.size(); });
  return is_inside ? "" : "a fingerprint names no document";
}

}  // namespace

std::string SplitIndex::serialize() const {
  const SplitData& data = *data_;
  IndexWriter writer(IndexKind::kSplit);
  writer.put(data.settings.half_units);
  writer.put(data.settings.keep_one_in);
  writer.put(data.settings.frequency_factor);
  writer.put(data.stats.without_fingerprints);
  writer.put(data.stats.reference_documents);
  writer.put<std::uint64_t>(data.ids.size());
  for (const std::string& id : data.ids) writer.put_text(id);
  writer.put_all(data.grams);
  writer.put_all(data.firsts);
  writer.put_all(data.postings);
  writer.put_all(data.frequencies);
  return writer.finish();
}

Result<void> SplitIndex::save(const std::string& path) const {
  return io::write_file_atomic(path, serialize());
}

Result<SplitIndex> SplitIndex::open(const std::string& path, const SplitSettings& settings) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(path));
  return parse(bytes, settings, path);
}

Result<SplitIndex> SplitIndex::parse(std::string_view bytes, const SplitSettings& settings,
                                     std::string_view name) {
  HEADRACE_ASSIGN_OR_RETURN(IndexReader reader, IndexReader::open(bytes, IndexKind::kSplit, name));
  auto data = std::make_unique<SplitData>();
  data->settings.half_units = reader.take<std::uint32_t>();
  data->settings.keep_one_in = reader.take<std::uint32_t>();
  data->settings.frequency_factor = reader.take<double>();
  if (data->settings != settings) {
    return invalid_argument(
        "reading the leak index {}: it was made with other settings ({}) than are asked for ({}); "
        "build it again",
        name, words_of(data->settings), words_of(settings));
  }
  data->stats.without_fingerprints = reader.take<std::uint64_t>();
  data->stats.reference_documents = reader.take<std::uint64_t>();
  for (auto left = reader.take<std::uint64_t>(); left > 0 && reader.may_hold(left); --left) {
    data->ids.push_back(reader.take_text());
  }
  data->grams = reader.take_all<std::uint64_t>();
  data->firsts = reader.take_all<std::uint32_t>();
  data->postings = reader.take_all<std::uint32_t>();
  data->frequencies = reader.take_all<std::uint32_t>();
  if (!reader.is_whole()) return reader.fault("its parts do not fill it");
  if (const std::string_view fault = fault_of(*data); !fault.empty()) return reader.fault(fault);
  data->complete();
  return SplitIndex(std::move(data));
}

}  // namespace headrace::leak
