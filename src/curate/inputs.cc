// SPDX-License-Identifier: Apache-2.0
#include "curate/inputs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/quote.h"
#include "base/thread_pool.h"
#include "curate/known_splits.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "io/uri.h"
#include "normalize/normalize.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kSmallestSplitBytes = 4 << 20;
constexpr std::uint64_t kLargestSplitBytes = 64 << 20;
constexpr std::uint64_t kSplitsPerRun = 32;
constexpr std::size_t kProbeRecords = 100;

Result<std::string> format_of(const SourceSpec& source, const std::string& path) {
  if (source.format != "auto") return source.format;
  const read::ReaderInfo* info = read::registry().for_path(path);
  if (info != nullptr) return info->name;
  for (const std::string_view archive : {".zip", ".7z", ".rar"}) {
    if (io::without_query(path).ends_with(archive)) {
      return invalid_argument(
          "{} is an archive of a kind that no reader opens: unpack it, and give "
          "its source ({}) the files that were in it",
          path, source.place);
    }
  }
  return invalid_argument(
      "the format of {} ({}) cannot be told by its name: the source of a recipe can give it by "
      "'format' ({})",
      path, source.place, fmt::join(read::registry().names(), ", "));
}

// By the bytes of the names: the query of a URI does not count, so that a corpus has one order
// wherever it lies.
struct ByName {
  bool operator()(const std::string& a, const std::string& b) const {
    const std::string_view plain_a = io::without_query(a);
    const std::string_view plain_b = io::without_query(b);
    return plain_a != plain_b ? plain_a < plain_b : a < b;
  }
};
using FoundFiles = std::map<std::string, io::FileInfo, ByName>;

Result<void> find_files(const std::string& pattern, FoundFiles* found) {
  if (io::is_remote(pattern)) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<io::FoundFile> files, io::find_remote(pattern));
    for (const io::FoundFile& file : files) found->emplace(file.name, file.info);
    return {};
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::string> paths, io::glob(pattern));
  for (const std::string& path : paths) {
    HEADRACE_ASSIGN_OR_RETURN(io::FileInfo info, io::file_info(path));
    found->emplace(path, std::move(info));
  }
  return {};
}

// One file under two names ("a/./b", a link beside its target) is one file.
Result<std::string> identity_of(const std::string& path, const std::string& place) {
  if (io::is_remote(path)) return path;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return unavailable("{} is no regular file ({}): leave it out", path, place);
  }
  const std::string real = std::filesystem::canonical(path, error).string();
  return error ? path : real;
}

Result<void> expand_source(const Recipe::Data& recipe, std::size_t index, std::uint32_t domain,
                           std::map<std::string, std::size_t>* claimed,
                           std::vector<InputFile>* files) {
  const SourceSpec& source = recipe.sources[index];
  FoundFiles found;
  for (const std::string& pattern : source.paths) {
    FoundFiles matches;
    HEADRACE_RETURN_IF_ERROR(find_files(pattern, &matches));
    if (matches.empty()) {
      const std::string name = io::public_name(pattern);
      return not_found("no file matches '{}' ({}{})", name, source.place,
                       name == source.domain ? "" : ", domain " + source.domain);
    }
    found.merge(matches);
  }
  for (const auto& [path, info] : found) {
    HEADRACE_ASSIGN_OR_RETURN(const std::string identity, identity_of(path, source.place));
    if (const auto [other, added] = claimed->emplace(identity, index); !added) {
      return invalid_argument("{} is named twice ({} and {}): its documents would count twice",
                              path, recipe.sources[other->second].place, source.place);
    }
    HEADRACE_ASSIGN_OR_RETURN(std::string format, format_of(source, path));
    files->push_back(
        {path, info.bytes, info.modified_ns, index, domain, std::move(format), info.version});
  }
  return {};
}

// Stops the reading once enough was seen.
class ProbeSink final : public read::RecordSink {
 public:
  Result<void> document(Document&) override {
    ++documents;
    return cancelled("seen enough");
  }
  Result<void> rejected(const RejectedRecord& record) override {
    if (record.kind == Rejection::kDrop && record.reason == "text_missing") {
      ++missing;
      const auto json = nlohmann::json::parse(record.bytes, nullptr, false);
      if (json.is_object()) {
        for (const auto& field : json.items()) fields.insert(field.key());
      }
    }
    if (++rejected_records >= kProbeRecords) return cancelled("seen enough");
    return {};
  }

  std::size_t documents = 0;
  std::size_t missing = 0;
  std::size_t rejected_records = 0;
  std::set<std::string> fields;
};

}  // namespace

Result<std::vector<InputFile>> expand_inputs(const Recipe::Data& recipe) {
  const std::vector<std::string> domains = recipe.domains();
  std::vector<InputFile> files;
  std::map<std::string, std::size_t> claimed;
  for (std::size_t i = 0; i < recipe.sources.size(); ++i) {
    const auto domain =
        std::find(domains.begin(), domains.end(), recipe.sources[i].domain) - domains.begin();
    HEADRACE_RETURN_IF_ERROR(
        expand_source(recipe, i, static_cast<std::uint32_t>(domain), &claimed, &files));
  }
  if (files.size() > DocumentId::kMaxFiles) {
    return invalid_argument("{} input files: document ids have room for {}", files.size(),
                            DocumentId::kMaxFiles);
  }
  return files;
}

Result<InputReaders> InputReaders::make(const Recipe::Data& recipe,
                                        const std::vector<InputFile>& files) {
  InputReaders all;
  std::map<std::pair<std::size_t, std::string>, std::size_t> made;
  for (const InputFile& file : files) {
    const auto [entry, added] =
        made.emplace(std::make_pair(file.source, file.format), all.readers_.size());
    if (added) {
      const SourceSpec& source = recipe.sources[file.source];
      const read::ReadOptions options = {.text_field = source.text,
                                         .keep = source.keep,
                                         .keep_all = source.keep_all,
                                         .documents = source.documents,
                                         .encoding = source.encoding,
                                         .confidence = recipe.confidence};
      HEADRACE_ASSIGN_OR_RETURN(
          auto reader, read::registry().find(file.format)->make(options, normalize::decoders()));
      all.readers_.push_back(std::move(reader));
    }
    all.of_file_.push_back(entry->second);
  }
  return all;
}

Result<std::vector<InputTask>> plan_tasks(const Recipe::Data& recipe,
                                          const std::vector<InputFile>& files,
                                          const InputReaders& readers, KnownSplits* known,
                                          const PlanOptions& options) {
  std::uint64_t total = 0;
  for (const InputFile& file : files) total += file.bytes;
  const std::uint64_t target =
      std::clamp(total / kSplitsPerRun, kSmallestSplitBytes, kLargestSplitBytes);

  std::vector<std::vector<read::Split>> splits(files.size());
  const KnownSplits before = std::exchange(*known, {});
  const auto key = [&](const InputFile& file) {
    // Others are cut without being read.
    const bool costs = file.bytes > target && !io::compression_extension(file.path).empty();
    return costs ? KnownSplits::key_of(recipe, file, target) : "";
  };
  const auto split = [&](std::size_t i) -> Result<void> {
    const std::string its_key = key(files[i]);
    if (auto found = before.find(its_key, files[i], i)) {
      splits[i] = *std::move(found);
      return {};
    }
    HEADRACE_ASSIGN_OR_RETURN(splits[i], readers.of(i).split(files[i].path, i, target));
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(parallel_for(files.size(), options.threads, options.stop, split));

  std::vector<InputTask> tasks;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (const std::string its_key = key(files[i]); !its_key.empty()) {
      known->keep(its_key, files[i], splits[i]);
    }
    for (read::Split& piece : splits[i]) {
      if (tasks.empty() || tasks.back().bytes + piece.bytes > target) tasks.emplace_back();
      tasks.back().bytes += piece.bytes;
      tasks.back().splits.push_back(std::move(piece));
    }
  }
  return tasks;
}

Result<void> probe_text_fields(const Recipe::Data& recipe, const std::vector<InputFile>& files,
                               const std::vector<InputTask>& tasks, const InputReaders& readers) {
  std::set<std::size_t> probed;
  for (const InputTask& task : tasks) {
    for (const read::Split& split : task.splits) {
      const InputFile& file = files[split.file];
      if (file.format == "text" || probed.contains(file.source)) continue;
      ProbeSink sink;
      const auto read = readers.of(split.file).read(split, sink, {});
      if (!read && read.error().code() != Code::kCancelled) return read.error();
      if (sink.documents + sink.rejected_records > 0) probed.insert(file.source);
      if (sink.documents == 0 && sink.missing > 0 && sink.missing == sink.rejected_records) {
        return invalid_argument(
            "{}: no field '{}' in its first {} records; they have {}: name the field of the text "
            "({})",
            file.path, excerpt(recipe.sources[file.source].text), sink.missing,
            excerpts(std::vector<std::string>(sink.fields.begin(), sink.fields.end())),
            recipe.sources[file.source].place);
      }
    }
  }
  return {};
}

}  // namespace headrace::curate
