// SPDX-License-Identifier: Apache-2.0
#include "dedup/spill.h"

#include <cerrno>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

namespace headrace::dedup {

struct Spill::State {
  struct Extent {
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  struct Partition {
    std::vector<Extent> extents;
    std::uint64_t bytes = 0;
  };

  std::string folder;
  std::size_t block_bytes = 0;
  int file = -1;
  std::atomic<std::uint64_t> end{0};
  mutable std::mutex mutex;  // of the lists of extents
  std::vector<Partition> partitions;

  ~State() {
    if (file >= 0) ::close(file);
  }
};

Spill::Spill(std::unique_ptr<State> state) : state_(std::move(state)) {}
Spill::Spill(Spill&&) noexcept = default;
Spill& Spill::operator=(Spill&&) noexcept = default;
Spill::~Spill() = default;

Result<Spill> Spill::create(const std::string& folder, std::size_t partitions,
                            std::size_t block_bytes) {
  auto state = std::make_unique<State>();
  state->folder = folder;
  state->block_bytes = block_bytes;
  state->partitions.resize(partitions);
  std::string name = folder + "/spill.XXXXXX";
  state->file = ::mkostemp(name.data(), O_CLOEXEC);
  if (state->file < 0) return errno_status(errno, "making a file for a while in " + folder);
  if (::unlink(name.c_str()) != 0) return errno_status(errno, "taking the name of " + name);
  return Spill(std::move(state));
}

Result<void> Spill::append(std::size_t partition, std::string_view bytes) {
  const std::uint64_t offset = state_->end.fetch_add(bytes.size());
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = ::pwrite(state_->file, bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(offset + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0)
      return errno_status(
          errno, fmt::format("setting aside {} bytes in {}", bytes.size(), state_->folder));
    done += static_cast<std::size_t>(wrote);
  }
  const std::lock_guard lock(state_->mutex);
  State::Partition& to = state_->partitions[partition];
  to.extents.push_back({offset, bytes.size()});
  to.bytes += bytes.size();
  return {};
}

Spill::Writer::Writer(Spill& spill) : spill_(spill), buffers_(spill.partitions()) {}

Result<void> Spill::Writer::put(std::size_t partition, std::string_view bytes) {
  std::string& buffer = buffers_[partition];
  const std::size_t block = spill_.state_->block_bytes;
  if (buffer.size() + bytes.size() > block) {
    HEADRACE_RETURN_IF_ERROR(flush(partition));
    if (bytes.size() > block) return spill_.append(partition, bytes);
  }
  if (buffer.capacity() < block) buffer.reserve(block);
  buffer += bytes;
  return {};
}

Result<void> Spill::Writer::flush(std::size_t partition) {
  std::string& buffer = buffers_[partition];
  if (buffer.empty()) return {};
  HEADRACE_RETURN_IF_ERROR(spill_.append(partition, buffer));
  buffer.clear();
  return {};
}

Result<void> Spill::Writer::flush() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) HEADRACE_RETURN_IF_ERROR(flush(i));
  return {};
}

std::size_t Spill::partitions() const { return state_->partitions.size(); }

std::uint64_t Spill::bytes(std::size_t partition) const {
  const std::lock_guard lock(state_->mutex);
  return state_->partitions[partition].bytes;
}

std::uint64_t Spill::total_bytes() const {
  const std::lock_guard lock(state_->mutex);
  std::uint64_t total = 0;
  for (const State::Partition& partition : state_->partitions) total += partition.bytes;
  return total;
}

Result<void> Spill::read_at(std::uint64_t offset, std::span<char> buffer) const {
  for (std::size_t done = 0; done < buffer.size();) {
    const ssize_t got = ::pread(state_->file, buffer.data() + done, buffer.size() - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_status(errno, "reading what was set aside in " + state_->folder);
    if (got == 0) return corrupt("what was set aside in {} is gone", state_->folder);
    done += static_cast<std::size_t>(got);
  }
  return {};
}

Result<void> Spill::read_into(std::size_t partition, char* to) const {
  for (const State::Extent& extent : state_->partitions[partition].extents) {
    HEADRACE_RETURN_IF_ERROR(read_at(extent.offset, {to, extent.bytes}));
    to += extent.bytes;
  }
  return {};
}

Result<void> Spill::read(std::size_t partition, std::string* bytes) const {
  const std::size_t before = bytes->size();
  bytes->resize(before + this->bytes(partition));
  return read_into(partition, bytes->data() + before);
}

Result<void> Spill::for_each_extent(
    std::size_t partition,
    const std::function<Result<void>(std::uint64_t offset, std::string_view bytes)>& sink) const {
  std::string bytes;
  for (const State::Extent& extent : state_->partitions[partition].extents) {
    bytes.resize(extent.bytes);
    HEADRACE_RETURN_IF_ERROR(read_at(extent.offset, bytes));
    HEADRACE_RETURN_IF_ERROR(sink(extent.offset, bytes));
  }
  return {};
}

void Spill::release(std::size_t partition) {
  const std::lock_guard lock(state_->mutex);
  State::Partition& from = state_->partitions[partition];
#ifdef FALLOC_FL_PUNCH_HOLE
  for (const State::Extent& extent : from.extents) {
    // Only whole pages come back, and not on every file system: the rest when the file is closed.
    static_cast<void>(::fallocate(state_->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  static_cast<off_t>(extent.offset),
                                  static_cast<off_t>(extent.bytes)));
  }
#endif
  from = {};
}

}  // namespace headrace::dedup
