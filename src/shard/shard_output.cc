// SPDX-License-Identifier: Apache-2.0
#include "shard/shard_output.h"

#include <filesystem>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::shard {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

CommittedNames::~CommittedNames() {
  for (const std::string& path : paths_) (void)io::remove_all(path);
}

Result<ShardOutput> ShardOutput::create(const std::string& main_path) {
  HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(main_path));
  return ShardOutput(main_path, std::move(file));
}

Result<void> ShardOutput::add_sample(std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    return invalid_argument("{} bytes are more than a sample of a shard can have (4 GiB)",
                            bytes.size());
  }
  HEADRACE_RETURN_IF_ERROR(file_.write(bytes));
  index_.add_sample(bytes, {});
  return {};
}

Result<void> ShardOutput::add_between(std::string_view bytes) {
  HEADRACE_RETURN_IF_ERROR(file_.write(bytes));
  index_.add_bytes(bytes);
  return {};
}

Result<ShardEntry> ShardOutput::finish() {
  ShardEntry entry;
  entry.path = file_name(path_);
  entry.files.push_back({entry.path, file_.bytes_written(), to_hex(file_.digest())});
  CommittedNames names;
  HEADRACE_RETURN_IF_ERROR(file_.commit());
  names.add(path_);
  HEADRACE_RETURN_IF_ERROR(commit_sidecar(path_, index_, &entry));
  names.release();
  return entry;
}

Result<void> commit_sidecar(const std::string& main_path, const SidecarBuilder& index,
                            ShardEntry* entry) {
  const std::string path = sidecar_path(main_path);
  HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
  HEADRACE_RETURN_IF_ERROR(file.write(index.format()));
  entry->files.push_back({file_name(path), file.bytes_written(), to_hex(file.digest())});
  return file.commit();
}

Result<OpenShard> open_shard(const std::string& main_path, bool require_sidecar) {
  HEADRACE_ASSIGN_OR_RETURN(io::RandomFile main, io::RandomFile::open(main_path));
  OpenShard shard{std::move(main), std::nullopt};
  const std::string sidecar = sidecar_path(main_path);
  if (!require_sidecar && !io::exists(sidecar)) return shard;
  HEADRACE_ASSIGN_OR_RETURN(std::string bytes, io::read_file(sidecar));
  HEADRACE_ASSIGN_OR_RETURN(SidecarIndex index, SidecarIndex::parse(std::move(bytes), sidecar));
  if (index.main_bytes() != shard.main.bytes()) {
    return corrupt("{}: {} bytes, its index {} says {}", main_path, shard.main.bytes(), sidecar,
                   index.main_bytes());
  }
  shard.index = std::move(index);
  return shard;
}

Result<void> read_checked(const io::RandomFile& main, const SidecarIndex& index, std::uint64_t i,
                          std::string* bytes) {
  if (i >= index.samples()) {
    return invalid_argument("{}: sample {} of {} asked for", main.path(), i, index.samples());
  }
  const SampleRecord record = index.sample(i);
  bytes->resize(record.bytes);
  HEADRACE_RETURN_IF_ERROR(main.read(record.offset, *bytes));
  if (const std::uint32_t found = crc32c(*bytes); found != record.crc32c) {
    return corrupt("{}: sample {} at offset {} ({} bytes) has CRC32C {:08x}, its index says {:08x}",
                   main.path(), i, record.offset, record.bytes, found, record.crc32c)
        .with_reach(Reach::kRecord);
  }
  return {};
}

Status sample_damage(const std::string& path, std::uint64_t i, std::uint64_t offset,
                     std::string_view what) {
  return corrupt("{}: sample {} at offset {}: {}", path, i, offset, what)
      .with_reach(Reach::kRecord);
}

}  // namespace headrace::shard
