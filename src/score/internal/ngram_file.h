// SPDX-License-Identifier: Apache-2.0
// A walk through a binary of KenLM, which ngram_binary.cc and ngram_trie.cc share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "score/internal/ngram_readers.h"
#include "score/ngram_model.h"

namespace headrace::score::internal {

// Where the counts of the orders stand, 8 bytes each; part of the format.
inline constexpr std::size_t kNgramCountsAt = 108;

class NgramFile {
 public:
  // `name` outlives it.
  NgramFile(std::string_view name, std::uint64_t bytes, ReadAt read)
      : name_(name), bytes_(bytes), read_(std::move(read)) {}

  std::string_view name() const { return name_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return bytes_ - offset_; }
  // Of what was taken.
  Hash128 digest() { return hasher_.digest(); }

  Status fault(std::uint64_t at, std::string_view what) const {
    return corrupt(
        "reading the model of KenLM {}: offset {}: {}; the file is damaged or cut, get it again",
        name_, at, what);
  }

  // Whether that much is left, before memory is made for it.
  Result<void> has(std::uint64_t size, std::string_view what) const {
    if (size <= left()) return {};
    return fault(offset_, fmt::format("{} of {} bytes, but {} are left", what, size, left()));
  }

  Result<void> take(void* out, std::uint64_t size, std::string_view what) {
    HEADRACE_RETURN_IF_ERROR(has(size, what));
    HEADRACE_RETURN_IF_ERROR(read_(offset_, {static_cast<char*>(out), size}));
    hasher_.update({static_cast<const char*>(out), size});
    offset_ += size;
    return {};
  }

 private:
  std::string_view name_;
  std::uint64_t bytes_;
  ReadAt read_;
  std::uint64_t offset_ = 0;
  Hasher hasher_;
};

// What follows the header of a trie, up to the words' texts.
Result<void> read_ngram_trie(NgramFile* file, const std::vector<std::uint64_t>& counts,
                             NgramModel* model);

}  // namespace headrace::score::internal
