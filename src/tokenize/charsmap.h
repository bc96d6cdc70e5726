// SPDX-License-Identifier: Apache-2.0
// The rules of a SentencePiece normalizer in their compiled form: strings → strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::tokenize {

// Immutable: thread-safe.
class CharsMap {
 public:
  CharsMap() = default;
  // The bytes of `precompiled_charsmap`; empty: no rules.
  static Result<CharsMap> parse(std::string_view bytes);

  bool empty() const { return units_.empty(); }

  struct Rule {
    std::size_t length = 0;  // of what is replaced; 0: no rule
    std::string_view replacement;
  };
  // The rule for the longest or the shortest string at the front of `text` that has one.
  Rule longest(std::string_view text) const { return find(text, false); }
  Rule shortest(std::string_view text) const { return find(text, true); }

 private:
  Rule find(std::string_view text, bool first) const;

  std::vector<std::uint32_t> units_;  // a double array, as darts-clone lays it out
  std::string replacements_;          // each closed by a zero byte
};

}  // namespace headrace::tokenize
