// SPDX-License-Identifier: Apache-2.0
#include "curate/known_splits.h"

#include <nlohmann/json.hpp>

#include "curate/ledger.h"
#include "curate/sealed_json.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;  // part of the format; see docs/formats/run_directory.md
// Changed whenever the same file would be cut at other places.
constexpr std::uint64_t kCutVersion = 1;

std::string path_of(const RunDirectory& directory) { return directory.at("splits.json"); }

}  // namespace

KnownSplits KnownSplits::read(const RunDirectory& directory) {
  KnownSplits known;
  const auto text = io::read_file(path_of(directory));
  if (!text) return known;
  const std::optional<Json> json = unseal(*text);
  if (!json) return known;
  try {
    if (json->at("version") != kVersion) return known;
    for (const auto& [key, file] : json->at("files").items()) {
      Entry entry{file.at("path"), {}};
      for (const Json& split : file.at("splits")) {
        entry.splits.push_back({.path = entry.path,
                                .begin = split.at(0),
                                .end = split.at(1),
                                .bytes = split.at(2),
                                .decompressed_begin = split.at(3),
                                .decompressed_end = split.at(4)});
      }
      known.files_.emplace(key, std::move(entry));
    }
    return known;
  } catch (const std::exception&) {  // it is made again
    return {};
  }
}

std::optional<std::vector<read::Split>> KnownSplits::find(const std::string& key,
                                                          const InputFile& file,
                                                          std::uint64_t ordinal) const {
  const auto found = files_.find(key);
  if (found == files_.end()) return std::nullopt;
  std::vector<read::Split> splits = found->second.splits;
  for (read::Split& split : splits) {
    split.path = file.path;
    split.file = ordinal;
  }
  return splits;
}

void KnownSplits::keep(const std::string& key, const InputFile& file,
                       const std::vector<read::Split>& splits) {
  files_.insert_or_assign(key, Entry{file.path, splits});
}

std::string KnownSplits::key_of(const Recipe::Data& recipe, const InputFile& file,
                                std::uint64_t target_bytes) {
  const SourceSpec& source = recipe.sources[file.source];
  Fingerprint print;
  print.add(kCutVersion).add(target_bytes).add(file.path).add(file.bytes);
  print.add(static_cast<std::uint64_t>(file.modified_ns)).add(file.format);
  print.add(source.documents).add(source.encoding).add(recipe.confidence);
  return print.hex();
}

std::string KnownSplits::format() const {
  Json json = {{"format", "headrace-splits"}, {"version", kVersion}, {"files", Json::object()}};
  for (const auto& [key, entry] : files_) {
    Json splits = Json::array();
    for (const read::Split& split : entry.splits) {
      splits.push_back(
          {split.begin, split.end, split.bytes, split.decompressed_begin, split.decompressed_end});
    }
    json["files"][key] = {{"path", entry.path}, {"splits", std::move(splits)}};
  }
  return seal(std::move(json));
}

bool KnownSplits::is_damaged(const RunDirectory& directory) {
  const auto text = io::read_file(path_of(directory));
  return text ? !unseal(*text) : text.error().code() != Code::kNotFound;
}

Result<void> KnownSplits::write(const RunDirectory& directory) const {
  if (files_.empty()) return io::remove_all(path_of(directory));
  const std::string text = format();
  const auto present = io::read_file(path_of(directory));
  if (present && *present == text) return {};
  return io::write_file_atomic(path_of(directory), text);
}

}  // namespace headrace::curate
