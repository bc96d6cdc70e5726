// SPDX-License-Identifier: Apache-2.0
// Positioned reads of one file, local or remote. Where a memory map would end the process (a
// truncated file, a failing disk: SIGBUS), this returns a Status.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "headrace/result.h"

namespace headrace::io {

class ReadableFile;

// Movable; thread-safe, but for the one of open_in_order().
class RandomFile {
 public:
  static Result<RandomFile> open(const std::string& path);
  // For reads that mostly go forward, by one thread: of a remote file they are served from larger
  // requests.
  static Result<RandomFile> open_in_order(const std::string& path);

  std::uint64_t bytes() const;  // when opened
  const std::string& path() const;

  // Fills `buffer` from `offset`; a file that ends before is Code::kCorrupt.
  Result<void> read(std::uint64_t offset, std::span<char> buffer) const;

 private:
  explicit RandomFile(std::shared_ptr<ReadableFile> file) : file_(std::move(file)) {}

  std::shared_ptr<ReadableFile> file_;
};

}  // namespace headrace::io
