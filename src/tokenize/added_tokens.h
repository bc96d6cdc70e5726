// SPDX-License-Identifier: Apache-2.0
// Added tokens: texts that become one id wherever they stand, before anything else looks at them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headrace::tokenize {

struct AddedToken {
  std::string content;
  std::uint32_t id = 0;
  bool special = false;
  bool normalized = false;   // matched in the normalized text rather than in the raw one
  bool strip_left = false;   // takes the white space before it too
  bool strip_right = false;  // and behind it
};

// An occurrence: text[begin, end) becomes `id`.
struct AddedMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t id = 0;
};

// Finds a set of tokens in a text: leftmost first, longest at one place, not overlapping.
// Immutable after construction: thread-safe.
class AddedTokenMatcher {
 public:
  AddedTokenMatcher() = default;
  // `tokens[i].content` is what to look for.
  explicit AddedTokenMatcher(std::vector<AddedToken> tokens);

  bool empty() const { return tokens_.empty(); }

  // The first match at or after `from`, text before `free` being taken already. With `skip_special`
  // special tokens are found, hide what they cover, and are passed over: they stay text.
  // False: there is none.
  bool find(std::string_view text, std::size_t from, std::size_t free, bool skip_special,
            AddedMatch* match, std::size_t* next_from) const;

 private:
  const AddedToken* longest_at(std::string_view text, std::size_t at) const;

  std::vector<AddedToken> tokens_;
  std::array<bool, 256> first_bytes_{};
  int only_first_byte_ = -1;  // if all tokens start with the same byte
  // A trie: node * 256 + byte → node; node → token + 1.
  std::unordered_map<std::uint64_t, std::uint32_t> children_;
  std::vector<std::uint32_t> ends_ = {0};
};

}  // namespace headrace::tokenize
