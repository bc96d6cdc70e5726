// SPDX-License-Identifier: Apache-2.0
// A file descriptor that closes itself, and the loops around read and write that every caller
// needs: short transfers, EINTR, messages that name the path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::io {

// Movable. close() is for writers, who must hear about a late ENOSPC or EIO; the destructor
// forgets it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return fd_; }
  int release();
  Result<void> close(const std::string& path);

 private:
  int fd_ = -1;
};

Result<Descriptor> open_for_reading(const std::string& path);

// Up to `size` bytes from `offset` on; fewer only at the end of the file.
Result<std::size_t> read_at(int fd, const std::string& path, std::uint64_t offset, char* buffer,
                            std::size_t size);
// All of `bytes`, or an error that names `path`.
Result<void> write_all(int fd, const std::string& path, std::string_view bytes);
Result<void> sync_descriptor(int fd, const std::string& path);

}  // namespace headrace::io
