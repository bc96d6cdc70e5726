// SPDX-License-Identifier: Apache-2.0
// A gzip file member by member, for formats that put a record into each: a member's place in the
// file is the record's address, and what follows a damaged member can still be read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "io/random_file.h"

namespace headrace::io {

// Says whether the first decompressed bytes of a member (up to kMemberFrontBytes) are what is
// looked for.
using AcceptMember = std::function<bool(std::string_view front)>;
inline constexpr std::size_t kMemberFrontBytes = 512;

// The first place in [from, limit) where a member begins that `accept` takes; nothing if there is
// none. Deflate data holds the magic number by chance every 16 MiB: what follows it is decompressed
// and shown to `accept`.
Result<std::optional<std::uint64_t>> find_gzip_member(const RandomFile& file, std::uint64_t from,
                                                      std::uint64_t limit,
                                                      const AcceptMember& accept);

// Single-threaded.
class GzipMembers {
 public:
  enum class State {
    kBetween,    // at the start of the range, or a member ended and its checksum is right
    kInside,     // a member goes on
    kEnd,        // the file ended between two members
    kGarbage,    // what follows is no member
    kTruncated,  // the file ended inside a member
    kCorrupt,    // a checksum or block is wrong
  };

  explicit GzipMembers(RandomFile file, std::uint64_t begin = 0);
  ~GzipMembers();
  GzipMembers(GzipMembers&&) noexcept;

  // Starts the member at position(): kInside, kEnd, kGarbage or kTruncated.
  Result<State> next();
  // Decompresses up to `size` bytes of the member; `got` may be less only when it does not go on.
  Result<State> read(char* buffer, std::size_t size, std::size_t* got);
  // Goes on at `offset`, where a member should begin.
  void seek(std::uint64_t offset);

  const RandomFile& file() const { return file_; }
  std::uint64_t member() const { return member_; }  // where the last started one begins
  std::uint64_t position() const;                   // in the file, of the next byte not consumed
  // One sentence on a state that is bad, with offsets; "" otherwise.
  const std::string& detail() const { return detail_; }

 private:
  struct Inflate;
  struct Step {
    std::size_t made = 0;
    bool ended = false;
    bool damaged = false;
  };

  Step step(std::span<char> output);
  std::string_view input() const { return {block_.get() + begin_, end_ - begin_}; }
  Result<void> refill(std::size_t bytes);

  RandomFile file_;
  std::unique_ptr<Inflate> inflate_;
  std::unique_ptr<char[]> block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t block_end_ = 0;  // of block_[end_] in the file
  std::uint64_t member_ = 0;
  std::string detail_;
};

}  // namespace headrace::io
