// SPDX-License-Identifier: Apache-2.0
// WordPiece: a word → the longest pieces of the vocabulary, from the left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headrace::tokenize {

inline constexpr std::uint32_t kMostWordPieces = 1U << 24;

// Immutable: thread-safe.
class WordPiece {
 public:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Ids = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  WordPiece() = default;
  // `prefix` marks the pieces that continue a word. A word of more than `longest` characters is
  // unknown, and so is one of which a part is.
  WordPiece(Ids ids, std::uint32_t unknown, const std::string& prefix, std::size_t longest);

  // Appends the ids of a word (valid UTF-8).
  void encode(std::string_view word, std::vector<std::int64_t>* ids) const;
  const Ids& ids() const { return first_; }

 private:
  bool append_pieces(std::string_view word, std::vector<std::int64_t>* ids) const;

  Ids first_;  // the whole vocabulary
  Ids later_;  // what follows the prefix
  std::uint32_t unknown_ = 0;
  std::size_t longest_ = 0;        // characters of a word
  std::size_t longest_piece_ = 0;  // bytes of an entry
};

}  // namespace headrace::tokenize
