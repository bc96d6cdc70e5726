// SPDX-License-Identifier: Apache-2.0
// Proves a shard set whole. Two nets, because they answer different questions: the hash of a file
// says that it is the one the run wrote; the CRCs of blocks and samples say which sample is broken,
// so that one bad sector does not cost a 512 MiB shard.
//
// Shards are checked side by side; the report is in manifest order whatever the threads do.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>

#include "headrace/shard_set.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/thread_pool.h"
#include "io/file.h"
#include "shard/container.h"
#include "shard/manifest.h"
#include "shard/megatron_index.h"

namespace headrace {
namespace {

using shard::ContainerInfo;

class SetCheck {
 public:
  SetCheck(const Manifest& manifest, std::string folder, const ContainerInfo& container,
           Progress* progress)
      : manifest_(manifest),
        folder_(std::move(folder)),
        container_(container),
        progress_(progress) {}

  std::vector<Damage> check_shard(const ShardEntry& entry) const {
    std::vector<Damage> broken;
    bool all_there = true;
    for (const ShardEntry::File& file : entry.files) {
      all_there = check_file(entry, file, &broken) && all_there;
    }
    if (all_there) {
      const std::size_t before = broken.size();
      container_.verify(folder_, entry, &broken);
      if (broken.size() == before) check_lengths(entry, &broken);
    }
    return broken;
  }

  // Files beside the shards that look like parts of a shard and belong to none.
  std::vector<Damage> extra_files() const {
    std::set<std::string> known;
    std::set<std::string> folders;
    std::set<std::string> extensions;
    for (const ShardEntry& entry : manifest_.shards) {
      for (const ShardEntry::File& file : entry.files) {
        const std::filesystem::path path(file.path);
        known.insert(path.lexically_normal().string());
        folders.insert(path.parent_path().string());
        extensions.insert(path.extension().string());
      }
    }
    std::vector<std::string> extra;
    for (const std::string& folder : folders) {
      std::error_code error;
      const std::filesystem::path start = std::filesystem::path(folder_) / folder;
      for (std::filesystem::directory_iterator it(start, error), end; !error && it != end;
           it.increment(error)) {
        const std::filesystem::path relative =
            (std::filesystem::path(folder) / it->path().filename()).lexically_normal();
        const bool looks_ours = extensions.contains(relative.extension().string()) ||
                                io::is_temporary_name(relative.filename().string());
        if (looks_ours && !known.contains(relative.string())) extra.push_back(relative.string());
      }
    }
    std::sort(extra.begin(), extra.end());
    std::vector<Damage> broken;
    for (const std::string& path : extra) {
      broken.push_back(
          {path, -1,
           fmt::format("{}: the manifest does not know this file", io::join(folder_, path))});
    }
    return broken;
  }

 private:
  // False if the file cannot be read at all.
  bool check_file(const ShardEntry& entry, const ShardEntry::File& file,
                  std::vector<Damage>* broken) const {
    const std::string path = io::join(folder_, file.path);
    const Result<io::FileInfo> info = io::file_info(path);
    if (!info) {
      broken->push_back({entry.path, -1, info.error().message()});
      return false;
    }
    if (info->bytes != file.bytes) {
      broken->push_back(
          {entry.path, -1,
           fmt::format("{}: {} bytes, the manifest says {}", path, info->bytes, file.bytes)});
    }
    const Result<Hash128> hash = io::hash_file(path);
    if (!hash) {
      broken->push_back({entry.path, -1, hash.error().message()});
      return false;
    }
    if (const std::string hex = to_hex(*hash); hex != file.xxh3_128) {
      broken->push_back(
          {entry.path, -1,
           fmt::format("{}: XXH3-128 is {}, the manifest says {}", path, hex, file.xxh3_128)});
    }
    progress_->add(file.bytes);
    return true;
  }

  // What the manifest says about all shards together.
  void check_lengths(const ShardEntry& entry, std::vector<Damage>* broken) const {
    const Result<std::unique_ptr<shard::ShardReader>> reader = container_.open(folder_, entry);
    if (!reader) {
      broken->push_back({entry.path, -1, reader.error().message()});
      return;
    }
    const Result<std::uint32_t> width = shard::token_width(manifest_.token_type);
    if (!width || entry.tokens * *width != entry.files.front().bytes) {
      broken->push_back({entry.path, -1,
                         fmt::format("{}: {} bytes for {} tokens do not fit the manifest's token "
                                     "type '{}'",
                                     io::join(folder_, entry.path), entry.files.front().bytes,
                                     entry.tokens, manifest_.token_type)});
    }
    if (manifest_.sequence_length == 0) return;
    for (std::uint64_t i = 0; i < (*reader)->samples(); ++i) {
      const std::uint32_t tokens = (*reader)->sample_tokens(i);
      if (tokens == manifest_.sequence_length ||
          (manifest_.may_be_shorter() && tokens < manifest_.sequence_length)) {
        continue;
      }
      broken->push_back(
          {entry.path, static_cast<std::int64_t>(i),
           fmt::format("{}: sample {} has {} tokens, the manifest says {}{} for each",
                       io::join(folder_, entry.path), i, tokens,
                       manifest_.may_be_shorter() ? "at most " : "", manifest_.sequence_length)});
      return;  // the others would say the same
    }
  }

  const Manifest& manifest_;
  const std::string folder_;
  const ContainerInfo& container_;
  Progress* progress_;
};

void append(std::vector<Damage> more, std::vector<Damage>* broken) {
  broken->insert(broken->end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

}  // namespace

Result<VerifyReport> verify_shards(const std::string& path, const VerifyOptions& options) {
  VerifyReport report;
  const Result<Manifest> manifest = read_manifest(path);
  if (!manifest && manifest.error().code() == Code::kCorrupt) {
    // Nothing else can be trusted: which files there should be is what is damaged.
    report.broken.push_back({std::string(shard::kManifestName), -1, manifest.error().message()});
    return report;
  }
  if (!manifest) return manifest.error();
  const ContainerInfo* container = shard::registry().find(manifest->format);
  if (container == nullptr || container->open == nullptr) {
    return unsupported("{}: container format '{}' is not one this program reads",
                       shard::manifest_path(path), manifest->format);
  }

  for (const ShardEntry& entry : manifest->shards) {
    for (const ShardEntry::File& file : entry.files) report.bytes += file.bytes;
  }
  Progress progress("verify", report.bytes, kBytes,
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  const SetCheck check(*manifest, shard::manifest_folder(path), *container, &progress);
  std::vector<std::vector<Damage>> found(manifest->shards.size());
  HEADRACE_RETURN_IF_ERROR(parallel_for(found.size(), thread_count(options.threads), options.stop,
                                        [&](std::size_t i) -> Result<void> {
                                          found[i] = check.check_shard(manifest->shards[i]);
                                          return {};
                                        }));
  for (std::vector<Damage>& broken : found) append(std::move(broken), &report.broken);
  append(check.extra_files(), &report.broken);

  report.shards = manifest->shards.size();
  report.samples = manifest->samples;
  report.ok = report.broken.empty();
  return report;
}

}  // namespace headrace
