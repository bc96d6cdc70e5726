// SPDX-License-Identifier: Apache-2.0
// Added tokens by a trie that is entered at possible first bytes only.
//
// Nearly all tokens of real files start with '<', which memchr finds at memory speed; a walk in the
// trie costs at most the longest token. An Aho-Corasick automaton would only pay if walks were
// frequent.
//
// The rules are those of tokenizers' AddedVocabulary::find_matches: leftmost-longest over all
// tokens of the set, special or not; only then a special token may be passed over, so it hides
// what it covers; lstrip reaches back over white space but not into the match before, rstrip
// forward, though the search goes on from the end of the token itself.
#include "tokenize/added_tokens.h"

#include <algorithm>
#include <cstring>

#include "tokenize/unicode_classes.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

bool is_space_at(std::string_view text, std::size_t at, std::uint32_t* length) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
  const auto c = static_cast<CharClass>(char_classes()[utf8_decode(p, length)] & kClassMask);
  return contains(kSpaces, c);
}

std::size_t spaces_begin(std::string_view text, std::size_t end) {
  while (end > 0) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<std::uint8_t>(text[at]) & 0xC0) == 0x80) --at;
    std::uint32_t length = 0;
    if (!is_space_at(text, at, &length)) break;
    end = at;
  }
  return end;
}

std::size_t spaces_end(std::string_view text, std::size_t begin) {
  std::uint32_t length = 0;
  while (begin < text.size() && is_space_at(text, begin, &length)) begin += length;
  return begin;
}

}  // namespace

AddedTokenMatcher::AddedTokenMatcher(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    std::uint32_t node = 0;
    for (const char c : tokens_[i].content) {
      const std::uint64_t edge = std::uint64_t{node} << 8 | static_cast<std::uint8_t>(c);
      const auto [child, is_new] =
          children_.try_emplace(edge, static_cast<std::uint32_t>(ends_.size()));
      if (is_new) ends_.push_back(0);
      node = child->second;
    }
    ends_[node] = static_cast<std::uint32_t>(i) + 1;
    first_bytes_[static_cast<std::uint8_t>(tokens_[i].content[0])] = true;
  }
  if (std::ranges::count(first_bytes_, true) == 1) {
    only_first_byte_ =
        static_cast<int>(std::ranges::find(first_bytes_, true) - first_bytes_.begin());
  }
}

const AddedToken* AddedTokenMatcher::longest_at(std::string_view text, std::size_t at) const {
  const AddedToken* longest = nullptr;
  std::uint32_t node = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    const auto child =
        children_.find(std::uint64_t{node} << 8 | static_cast<std::uint8_t>(text[i]));
    if (child == children_.end()) break;
    node = child->second;
    if (ends_[node] != 0) longest = &tokens_[ends_[node] - 1];
  }
  return longest;
}

bool AddedTokenMatcher::find(std::string_view text, std::size_t from, std::size_t free,
                             bool skip_special, AddedMatch* match, std::size_t* next_from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (only_first_byte_ >= 0) {
      const void* hit = std::memchr(text.data() + at, only_first_byte_, text.size() - at);
      if (hit == nullptr) return false;
      at = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
    } else if (!first_bytes_[static_cast<std::uint8_t>(text[at])]) {
      continue;
    }
    const AddedToken* token = longest_at(text, at);
    if (token == nullptr) continue;
    const std::size_t end = at + token->content.size();
    if (skip_special && token->special) {
      at = end - 1;
      continue;
    }
    *next_from = end;
    match->id = token->id;
    match->begin = token->strip_left ? std::max(free, spaces_begin(text, at)) : at;
    match->end = token->strip_right ? spaces_end(text, end) : end;
    return true;
  }
  return false;
}

}  // namespace headrace::tokenize
