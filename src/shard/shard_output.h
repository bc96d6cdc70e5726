// SPDX-License-Identifier: Apache-2.0
// The files of a shard on their way to their names: the main one written front to back, others
// beside it, the sidecar last.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"
#include "headrace/shard_set.h"

#include "io/file.h"
#include "io/random_file.h"
#include "shard/sidecar_index.h"

namespace headrace::shard {

std::string file_name(const std::string& path);

// The names of a shard that were given; destroyed before release(), it takes them back.
class CommittedNames {
 public:
  CommittedNames() = default;
  CommittedNames(const CommittedNames&) = delete;
  CommittedNames& operator=(const CommittedNames&) = delete;
  ~CommittedNames();
  void add(const std::string& path) { paths_.push_back(path); }
  void release() { paths_.clear(); }

 private:
  std::vector<std::string> paths_;
};

// A shard of one file that is written front to back. Single-threaded.
class ShardOutput {
 public:
  static Result<ShardOutput> create(const std::string& main_path);

  // The bytes of one sample, less than 4 GiB of them.
  Result<void> add_sample(std::string_view bytes);
  // Bytes that belong to no sample: headers, an end.
  Result<void> add_between(std::string_view bytes);
  std::uint64_t bytes() const { return index_.main_bytes(); }
  // `samples` and `tokens` are left to the caller.
  Result<ShardEntry> finish();

 private:
  ShardOutput(std::string path, io::AtomicFile file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  io::AtomicFile file_;
  SidecarBuilder index_;
};

// Writes the sidecar of a main file, gives it its name and adds it to the entry.
Result<void> commit_sidecar(const std::string& main_path, const SidecarBuilder& index,
                            ShardEntry* entry);

// The main file of a reader with the sidecar beside it, if there is one.
struct OpenShard {
  io::RandomFile main;
  std::optional<SidecarIndex> index;
};
// Refuses a sidecar of another file; a missing one where it is required.
Result<OpenShard> open_shard(const std::string& main_path, bool require_sidecar);

// Reads sample i of `index` from `main` and checks it.
Result<void> read_checked(const io::RandomFile& main, const SidecarIndex& index, std::uint64_t i,
                          std::string* bytes);

// Damage of one read: `what` after file, sample and offset.
Status sample_damage(const std::string& path, std::uint64_t i, std::uint64_t offset,
                     std::string_view what);

}  // namespace headrace::shard
