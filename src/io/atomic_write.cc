// SPDX-License-Identifier: Apache-2.0
// Files that appear under their name complete or not at all.
//
// Write a temporary file in the same folder, fsync it, rename it over the final name, fsync the
// folder. Each step guards against one loss: without the first fsync a crash can leave the new name
// with old or no bytes; rename is the only replacement POSIX promises to be atomic; without the
// last fsync the name itself may be lost. A killed process leaves only a name that
// is_temporary_name() knows, never a half file under a final one.
//
// In S3 the same is an upload that is completed or forgotten (object_store.cc).
//
// The temporary name is reserved by O_EXCL, since two machines on one shared store may have the
// same process id.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/internal/descriptor.h"
#include "io/internal/file_system.h"
#include "io/uri.h"

namespace headrace::io {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr std::string_view kMark = ".tmp-";

// A new temporary file beside `path`; its name in `temporary`.
Result<Descriptor> create_temporary(const std::string& path, std::string* temporary) {
  static std::atomic<std::uint64_t> counter{0};
  for (;;) {
    *temporary = fmt::format("{}{}{}-{}", path, kMark, ::getpid(), counter.fetch_add(1));
    const int fd = ::open(temporary->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return Descriptor(fd);
    if (errno != EEXIST && errno != EINTR) return errno_status(errno, "creating " + *temporary);
  }
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<void> move_into_place(const std::string& temporary, const std::string& path) {
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    return errno_status(errno, fmt::format("renaming {} to {}", temporary, path));
  }
  const std::string folder = folder_of(path);
  HEADRACE_ASSIGN_OR_RETURN(const Descriptor handle, open_for_reading(folder));
  return sync_descriptor(handle.get(), folder);
}

}  // namespace

// A reservation that fails (no such folder, no permission) is told by whoever opens temporary().
AtomicPath::AtomicPath(std::string path) : path_(local_path(path)) {
  if (is_remote(path_)) return;
  const auto reserved = create_temporary(path_, &temporary_);
  static_cast<void>(reserved);
}

AtomicPath::~AtomicPath() {
  if (!done_ && !temporary_.empty()) ::unlink(temporary_.c_str());
}

AtomicPath::AtomicPath(AtomicPath&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      done_(std::exchange(other.done_, true)) {}

Result<void> AtomicPath::commit() {
  HEADRACE_RETURN_IF_ERROR(require_local(path_, "writing"));
  if (done_) return internal_error("{} was committed before", path_);
  {
    HEADRACE_ASSIGN_OR_RETURN(Descriptor file, open_for_reading(temporary_));
    HEADRACE_RETURN_IF_ERROR(sync_descriptor(file.get(), temporary_));
  }
  HEADRACE_RETURN_IF_ERROR(move_into_place(temporary_, path_));
  done_ = true;
  return {};
}

struct AtomicFile::State {
  std::string path;
  std::string temporary;
  Descriptor file;
  std::unique_ptr<RemoteWriter> remote;  // instead of `file`
  std::string buffer;
  Hasher hasher;
  std::uint64_t bytes = 0;
  bool done = false;

  ~State() {
    if (!done && !temporary.empty()) ::unlink(temporary.c_str());
  }

  Result<void> put(std::string_view part) {
    return remote != nullptr ? remote->write(part) : write_all(file.get(), path, part);
  }
};

AtomicFile::AtomicFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile::~AtomicFile() = default;

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = local_path(public_name(path));
  state->buffer.reserve(kBufferBytes);
  if (is_remote(path)) {
    HEADRACE_ASSIGN_OR_RETURN(const Uri uri, parse_uri(path));
    HEADRACE_ASSIGN_OR_RETURN(const std::shared_ptr<FileSystem> files, file_system_of(uri));
    HEADRACE_ASSIGN_OR_RETURN(state->remote, files->create(uri));
    return AtomicFile(std::move(state));
  }
  std::string temporary;
  HEADRACE_ASSIGN_OR_RETURN(state->file, create_temporary(state->path, &temporary));
  state->temporary = std::move(temporary);
  return AtomicFile(std::move(state));
}

Result<void> AtomicFile::write(std::string_view bytes) {
  State& state = *state_;
  if (state.done) return internal_error("{} was committed before", state.path);
  state.hasher.update(bytes);
  state.bytes += bytes.size();
  if (state.buffer.size() + bytes.size() < kBufferBytes) {
    state.buffer += bytes;
    return {};
  }
  HEADRACE_RETURN_IF_ERROR(state.put(state.buffer));
  state.buffer.clear();
  if (bytes.size() >= kBufferBytes) return state.put(bytes);
  state.buffer += bytes;
  return {};
}

std::uint64_t AtomicFile::bytes_written() const { return state_->bytes; }

Hash128 AtomicFile::digest() const { return state_->hasher.digest(); }

Result<void> AtomicFile::commit() {
  State& state = *state_;
  if (state.done) return internal_error("{} was committed before", state.path);
  HEADRACE_RETURN_IF_ERROR(state.put(state.buffer));
  state.buffer.clear();
  if (state.remote != nullptr) {
    HEADRACE_RETURN_IF_ERROR(state.remote->commit());
    state.done = true;
    return {};
  }
  HEADRACE_RETURN_IF_ERROR(sync_descriptor(state.file.get(), state.path));
  HEADRACE_RETURN_IF_ERROR(state.file.close(state.path));
  HEADRACE_RETURN_IF_ERROR(move_into_place(state.temporary, state.path));
  state.done = true;
  return {};
}

Result<void> write_file_atomic(const std::string& path, std::string_view bytes) {
  HEADRACE_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::create(path));
  HEADRACE_RETURN_IF_ERROR(file.write(bytes));
  return file.commit();
}

// <name>.tmp-<digits>-<digits>
bool is_temporary_name(std::string_view name) {
  const auto cut_digits = [&name] {
    const std::size_t before = name.size();
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
    return name.size() < before;
  };
  if (!cut_digits() || name.empty() || name.back() != '-') return false;
  name.remove_suffix(1);
  if (!cut_digits()) return false;
  return name.size() > kMark.size() && name.ends_with(kMark) &&
         name[name.size() - kMark.size() - 1] != '/';
}

}  // namespace headrace::io
