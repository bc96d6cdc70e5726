// SPDX-License-Identifier: Apache-2.0
// tar archives: members one after the other, read from a file or from memory, written as ustar with
// pax headers where ustar has no room for a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "io/random_file.h"

namespace headrace::shard {

inline constexpr std::uint64_t kTarBlock = 512;

// Header, data and padding of a regular file. Names of any length and in UTF-8.
void append_tar_member(std::string_view name, std::string_view data, std::string* out);
// The end of an archive of `bytes` bytes so far: two zero blocks, padded to 10,240 bytes.
std::string tar_end(std::uint64_t bytes);

struct TarMember {
  std::uint64_t offset = 0;  // of its first header, extensions included
  std::uint64_t data_offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t end = 0;  // behind the padding
  std::string name;
  bool regular = false;
};

// Walks over members: pax, GNU and ustar names in full.
class TarWalk {
 public:
  explicit TarWalk(const io::RandomFile& file) : file_(&file), end_(file.bytes()) {}
  explicit TarWalk(std::string_view memory) : memory_(memory), end_(memory.size()) {}

  // False at the end of the archive, or, where `open_end`, of the bytes. An archive that ends
  // before is Code::kCorrupt; so is what is no tar header. Offsets are in the Status.
  Result<bool> next(TarMember* member, bool open_end);
  std::uint64_t at() const { return at_; }

 private:
  Result<void> read(std::uint64_t offset, char* to, std::uint64_t bytes) const;
  Result<void> read_extension(char type, std::uint64_t bytes);

  const io::RandomFile* file_ = nullptr;
  std::string_view memory_;
  std::uint64_t end_;
  std::uint64_t at_ = 0;
  // From extension headers, for the next member.
  std::string long_name_;
  std::uint64_t long_size_ = 0;
  bool has_size_ = false;
};

}  // namespace headrace::shard
