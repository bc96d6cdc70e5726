// SPDX-License-Identifier: Apache-2.0
#include "curate/leak_items.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "curate/bounded_file.h"
#include "curate/ledger.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "io/uri.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

struct SetFile {
  std::string path;
  std::string set;
  const LeakSet* spec = nullptr;
};

Result<std::vector<std::string>> files_of(const LeakSet& set) {
  std::vector<std::string> paths;
  for (const std::string& pattern : set.paths) {
    std::vector<std::string> found;
    if (io::is_remote(pattern)) {
      HEADRACE_ASSIGN_OR_RETURN(const auto files, io::find_remote(pattern));
      for (const io::FoundFile& file : files) found.push_back(file.name);
    } else {
      HEADRACE_ASSIGN_OR_RETURN(found, io::glob(pattern));
    }
    if (found.empty()) {
      return not_found("no file matches '{}': a check against nothing would find nothing",
                       io::public_name(pattern));
    }
    paths.insert(paths.end(), found.begin(), found.end());
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// "eval/gsm8k_test.jsonl.gz" → "gsm8k_test".
std::string set_name(const std::string& path) {
  std::string name = std::filesystem::path(std::string(io::without_query(path))).filename();
  const std::string_view compression = io::compression_extension(name);
  name.resize(name.size() - compression.size());
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0)
    name.resize(dot);
  return name;
}

// A set without a name has that of its file, with as many folders before it as tell it from others.
void name_sets(std::vector<SetFile>* files) {
  std::map<std::string, std::size_t> seen;
  for (const SetFile& file : *files) ++seen[file.set.empty() ? set_name(file.path) : file.set];
  for (SetFile& file : *files) {
    if (!file.set.empty()) continue;
    file.set = set_name(file.path);
    if (seen[file.set] == 1) continue;
    const std::filesystem::path path(std::string(io::without_query(file.path)));
    file.set = (path.parent_path() / file.set).generic_string();
  }
}

std::vector<std::string> word(const std::string& field) {
  return field.empty() ? std::vector<std::string>() : std::vector<std::string>{field};
}

Result<std::vector<leak::Item>> read_file(const SetFile& file) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string bytes, read_bounded(file.path, kMostBytes));
  leak::ItemSource source;
  source.set = file.set;
  source.file = file.path;
  const LeakSet& set = *file.spec;
  source.fields = {.id = word(set.id),
                   .question = word(set.question),
                   .options = set.options,
                   .answer = word(set.answer),
                   .passage = word(set.passage)};
  HEADRACE_ASSIGN_OR_RETURN(std::vector<leak::Item> items, leak::read_items(bytes, source));
  if (items.empty()) {
    return invalid_argument("{} holds no item: a check against nothing would find nothing",
                            file.path);
  }
  return items;
}

void add_item(const leak::Item& item, Fingerprint* print) {
  print->add(item.id).add(item.set).add(item.question).add(item.options.size());
  for (const std::string& option : item.options) print->add(option);
  print->add(item.answer).add(item.solution).add(item.passage);
}

}  // namespace

Result<LeakItems> read_leak_items(const LeakSpec& spec, const std::string& recipe) {
  std::vector<SetFile> files;
  const auto at = [&](const LeakSet& set) { return fmt::format("{}:{}: leak", recipe, set.line); };
  for (const LeakSet& set : spec.against) {
    const auto paths = files_of(set);
    if (!paths) return paths.error().with_context(at(set));
    for (const std::string& path : *paths) files.push_back({path, set.name, &set});
  }
  name_sets(&files);
  LeakItems all;
  Fingerprint print;
  for (const SetFile& file : files) {
    auto items = read_file(file);
    if (!items) return items.error().with_context(at(*file.spec));
    auto known = std::find_if(all.sets.begin(), all.sets.end(),
                              [&](const LeakItems::Set& set) { return set.name == file.set; });
    if (known == all.sets.end()) known = all.sets.insert(known, {file.set, 0});
    known->items += items->size();
    for (leak::Item& item : *items) {
      add_item(item, &print);
      all.items.push_back(std::move(item));
    }
  }
  all.fingerprint = print.hex();
  return all;
}

}  // namespace headrace::curate
