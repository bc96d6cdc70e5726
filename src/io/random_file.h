// SPDX-License-Identifier: Apache-2.0
// Positioned reads of one local file. Where a memory map would end the process (a truncated file, a
// failing disk: SIGBUS), this returns a Status.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "headrace/result.h"

#include "io/internal/descriptor.h"

namespace headrace::io {

// Movable; thread-safe.
class RandomFile {
 public:
  static Result<RandomFile> open(const std::string& path);

  std::uint64_t bytes() const { return bytes_; }  // when opened
  const std::string& path() const { return path_; }

  // Fills `buffer` from `offset`; a file that ends before is Code::kCorrupt.
  Result<void> read(std::uint64_t offset, std::span<char> buffer) const;

 private:
  RandomFile(std::string path, Descriptor file, std::uint64_t bytes)
      : path_(std::move(path)), file_(std::move(file)), bytes_(bytes) {}

  std::string path_;
  Descriptor file_;
  std::uint64_t bytes_;
};

}  // namespace headrace::io
