// SPDX-License-Identifier: Apache-2.0
// A hash of each prefix of what is left, longest first, as tokenizers does it. A word has at most
// `longest` (100) characters and an entry a few bytes, so a trie would gain little.
#include "tokenize/wordpiece.h"

#include <algorithm>

namespace headrace::tokenize {
namespace {

bool continues(char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80; }

}  // namespace

WordPiece::WordPiece(Ids ids, std::uint32_t unknown, const std::string& prefix, std::size_t longest)
    : first_(std::move(ids)), unknown_(unknown), longest_(longest) {
  for (const auto& [text, id] : first_) {
    longest_piece_ = std::max(longest_piece_, text.size());
    if (text.starts_with(prefix)) later_.emplace(text.substr(prefix.size()), id);
  }
}

void WordPiece::encode(std::string_view word, std::vector<std::int64_t>* ids) const {
  const std::size_t before = ids->size();
  const auto characters = static_cast<std::size_t>(std::ranges::count_if(
      word.substr(0, 4 * (longest_ + 1)), [](char byte) { return !continues(byte); }));
  if (characters <= longest_ && append_pieces(word, ids)) return;
  ids->resize(before);
  ids->push_back(unknown_);
}

bool WordPiece::append_pieces(std::string_view word, std::vector<std::int64_t>* ids) const {
  for (std::size_t begin = 0; begin < word.size();) {
    const Ids& entries = begin == 0 ? first_ : later_;
    std::size_t size = std::min(word.size() - begin, longest_piece_);
    for (;; --size) {
      while (size > 0 && begin + size < word.size() && continues(word[begin + size])) --size;
      if (size == 0) return false;
      const auto found = entries.find(word.substr(begin, size));
      if (found == entries.end()) continue;
      ids->push_back(found->second);
      break;
    }
    begin += size;
  }
  return true;
}

}  // namespace headrace::tokenize
