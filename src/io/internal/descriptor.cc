// SPDX-License-Identifier: Apache-2.0
#include "io/internal/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"

namespace headrace::io {
namespace {

// Linux moves at most 0x7ffff000 bytes per call.
constexpr std::size_t kLargestTransfer = std::size_t{1} << 30;

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int Descriptor::release() { return std::exchange(fd_, -1); }

Result<void> Descriptor::close(const std::string& path) {
  const int fd = release();
  // After EINTR the descriptor is gone on Linux: a second close could hit someone else's.
  if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) {
    return errno_status(errno, "closing " + path);
  }
  return {};
}

Result<Descriptor> open_for_reading(const std::string& path) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return errno_status(errno, "opening " + path);
  return Descriptor(fd);
}

Result<std::size_t> read_at(int fd, const std::string& path, std::uint64_t offset, char* buffer,
                            std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd, buffer + done, std::min(size - done, kLargestTransfer),
                                static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno_status(errno, fmt::format("reading {} at offset {}", path, offset + done));
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<void> write_all(int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), std::min(bytes.size(), kLargestTransfer));
    if (put < 0) {
      if (errno == EINTR) continue;
      return errno_status(errno, "writing " + path);
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> sync_descriptor(int fd, const std::string& path) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    // Pipes and some network mounts have nothing to flush.
    if (errno == EINVAL || errno == EROFS) break;
    return errno_status(errno, "flushing " + path);
  }
  return {};
}

}  // namespace headrace::io
