// SPDX-License-Identifier: Apache-2.0
#include "curate/validation.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "io/uri.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kSidesVersion = 1;

// The value of a dotted path in a record's other fields, as JSON text; nothing without one.
std::optional<std::string> field_of(const std::string& meta, const std::string& path) {
  Json json = Json::parse(meta, nullptr, false);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (!json.is_object()) return std::nullopt;
    // A name with a dot in it goes before one that is inside another.
    if (const auto whole = json.find(path.substr(begin)); whole != json.end()) {
      return whole->is_null() ? std::nullopt : std::optional(whole->dump());
    }
    const auto found = json.find(path.substr(begin, end - begin));
    if (found == json.end()) return std::nullopt;
    json = Json(*found);
    begin = end + 1;
  }
  return std::nullopt;
}

Result<std::vector<std::string>> read_meta(const Context& context, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader,
                            ParquetReader::open(context.directory.at(
                                RunDirectory::part(kNormalizedFolder, part, "parquet"))));
  std::vector<std::string> metas;
  for (int group = 0; group < reader->row_groups(); ++group)
    HEADRACE_RETURN_IF_ERROR(reader->read_strings("meta", group, &metas));
  return metas;
}

}  // namespace

std::string split_file(std::size_t part) {
  return RunDirectory::part(kSplitFolder, part, "parquet");
}

std::string split_leaks_file(std::size_t part) {
  return RunDirectory::part(kSplitLeaksFolder, part, "parquet");
}

std::string name_below(const std::vector<std::string>& patterns, const std::string& path) {
  std::size_t deepest = 0;
  for (const std::string& pattern : patterns) {
    std::string start = io::public_name(io::local_path(pattern));
    if (path.starts_with(start + "/")) {  // a folder
      deepest = std::max(deepest, start.size() + 1);
      continue;
    }
    const std::size_t wild = std::min(start.find_first_of("*?["), start.size());
    const std::size_t slash = start.rfind('/', wild);
    const std::size_t folder = slash == std::string::npos ? 0 : slash + 1;
    if (path.starts_with(start.substr(0, folder))) deepest = std::max(deepest, folder);
  }
  return path.substr(deepest);
}

ValidationSides::ValidationSides(const Context& context)
    : context_(context),
      spec_(*context.recipe.validation),
      rng_(context.recipe.seed, purpose("validation")) {
  for (const InputFile& file : context.files) {
    const SourceSpec& source = context.recipe.sources[file.source];
    names_.push_back(name_of(file));
    in_pieces_.push_back(file.format == "text" && source.documents != "file");
  }
}

std::string ValidationSides::name_of(const InputFile& file) const {
  return name_below(context_.recipe.sources[file.source].paths, file.path);
}

bool ValidationSides::holds_out(const std::string& key) const {
  return rng_.unit(hash64(key)) < spec_.share;
}

std::string ValidationSides::key_of(std::uint64_t id) const {
  const DocumentId document{id};
  const InputFile& file = context_.files[document.file()];
  std::string key = context_.domains[file.domain] + '\0' + names_[document.file()];
  const bool whole_file = spec_.by == SourceDocument::kFile || in_pieces_[document.file()];
  if (!whole_file) key += fmt::format("{}{}", '\0', document.place());
  return key;
}

Result<std::vector<bool>> ValidationSides::of_part(std::size_t part) const {
  HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context_, part, {}));
  std::vector<std::string> metas;
  if (spec_.by == SourceDocument::kField) {
    HEADRACE_ASSIGN_OR_RETURN(metas, read_meta(context_, part));
    if (metas.size() != rows.ids.size()) {
      return corrupt("part {}: {} rows of text but {} of measures: run the recipe again", part,
                     metas.size(), rows.ids.size());
    }
  }
  std::vector<bool> sides(rows.ids.size());
  for (std::size_t row = 0; row < sides.size(); ++row) {
    // The same value in two domains is one source document: a book is one wherever it is sold.
    const auto field = metas.empty() ? std::nullopt : field_of(metas[row], spec_.field);
    sides[row] = holds_out(field ? "field" + std::string(1, '\0') + *field : key_of(rows.ids[row]));
  }
  return sides;
}

std::string ValidationSides::fingerprint() const {
  Fingerprint print;
  print.add(kSidesVersion).add(context_.recipe.seed).add(spec_.share);
  print.add(static_cast<std::uint64_t>(spec_.by)).add(spec_.field);
  for (std::size_t file = 0; file < names_.size(); ++file)
    print.add(names_[file]).add(std::uint64_t{in_pieces_[file]});
  return print.hex();
}

Result<std::vector<bool>> load_sides(const Context& context, std::size_t part) {
  if (!context.recipe.validation || !context.finished.contains(kSplit)) return std::vector<bool>();
  HEADRACE_ASSIGN_OR_RETURN(auto reader,
                            ParquetReader::open(context.directory.at(split_file(part))));
  std::vector<std::uint32_t> sides;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("validation", &sides));
  return std::vector<bool>(sides.begin(), sides.end());
}

}  // namespace headrace::curate
