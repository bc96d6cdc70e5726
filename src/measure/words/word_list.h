// SPDX-License-Identifier: Apache-2.0
// Lists of words that measures look for: stop words and flagged words, per language.
//
// A list is text, UTF-8, one word or phrase a line; white space around it does not count, and what
// follows a '#' at the start of a line or behind a blank is a comment. Lists that are built in have
// the same form (words/flagged_en.cc and its neighbours), so there is one parser and one meaning.
//
// Words are those of TextView: ASCII letters of any case are equal, a word of a script with blanks
// is matched as a whole, a phrase as its words one behind the other, and Han text, where each
// character is a word, wherever its characters stand together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::measure {

enum class WordListKind {
  kStopWords,
  // Takes no single Han character: 性 stands in a tenth of all Chinese documents, in 性质 and
  // 可能性 alike. A line "!phrase" is an exception: what it flags inside that phrase does not count
  // (包养, but not in 面包养殖).
  kFlaggedWords,
};

struct WordList {
  std::string language;                 // "en", "zh", or the name that a recipe gives it
  std::vector<std::string> entries;     // ASCII in lower case, distinct, in order of appearance
  std::vector<std::string> exceptions;  // likewise; flagged words only

  friend bool operator==(const WordList&, const WordList&) = default;
};

// What all measures of a run look for. An empty vector: none of them.
struct WordLists {
  std::vector<WordList> stop_words;
  std::vector<WordList> flagged_words;

  // The lists that are built in, with `own` in place of the built-in list of the same language.
  static WordLists built_in();
  static void replace(std::vector<WordList>* lists, WordList own);
};

// An error names `name` (a path) and the line.
Result<WordList> parse_word_list(std::string_view text, WordListKind kind, std::string language,
                                 std::string_view name);

}  // namespace headrace::measure
