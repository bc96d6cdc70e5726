// SPDX-License-Identifier: Apache-2.0
// Phrases looked for the plain way, for tests: character by character, nothing shared with
// facts/phrases.cc.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/testing/slow_view.h"

namespace headrace::measure {

struct SlowPhrases {
  std::size_t count = 0;
  std::size_t words = 0;  // inside them
};

// From left to right, the longest that begins at a word, ends at a word, and is not inside an
// exception; they do not overlap. Phrases and exceptions in lower case.
SlowPhrases slow_phrases(const SlowView& view, const std::vector<std::string>& phrases,
                         const std::vector<std::string>& exceptions = {});

// The flagged words of all built-in lists.
struct FlaggedWords {
  std::vector<std::string> entries;
  std::vector<std::string> exceptions;
};
const FlaggedWords& built_in_flagged_words();

// What texts of them, and of what is nearly one, are drawn from.
std::vector<std::string> flagged_word_pieces();

}  // namespace headrace::measure
