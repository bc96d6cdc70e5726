// SPDX-License-Identifier: Apache-2.0
#include "measure/testing/slow_phrases.h"

#include <algorithm>

#include "measure/words/word_list.h"

namespace headrace::measure {
namespace {

bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Where the phrase that begins at byte `at` ends; 0 if it does not stand there.
std::size_t end_of(const std::string& text, std::size_t at, const std::string& phrase) {
  for (const char c : phrase) {
    if (c == ' ') {
      if (at >= text.size() || !blank(text[at])) return 0;
      while (at < text.size() && blank(text[at])) ++at;
    } else if (at >= text.size() || small(text[at++]) != c) {
      return 0;
    }
  }
  return at;
}

// Words from the one that begins at byte `at` to the one that ends with the phrase; 0 if it does
// not stand there.
std::size_t words_of(const SlowView& view, std::size_t word, const std::string& phrase) {
  const std::size_t end = end_of(view.text, view.word_begin[word], phrase);
  const auto found = std::find(view.word_end.begin() + static_cast<std::ptrdiff_t>(word),
                               view.word_end.end(), end);
  if (end == 0 || found == view.word_end.end()) return 0;
  return static_cast<std::size_t>(found - view.word_end.begin()) - word + 1;
}

}  // namespace

SlowPhrases slow_phrases(const SlowView& view, const std::vector<std::string>& phrases,
                         const std::vector<std::string>& exceptions) {
  const auto excepted = [&](std::size_t begin, std::size_t end) {
    for (std::size_t word = begin < 40 ? 0 : begin - 40; word <= begin; ++word) {
      for (const std::string& exception : exceptions) {
        const std::size_t words = words_of(view, word, exception);
        if (words > 0 && word + words >= end) return true;
      }
    }
    return false;
  };
  SlowPhrases found;
  for (std::size_t word = 0; word < view.words.size();) {
    std::size_t longest = 0;
    for (const std::string& phrase : phrases) {
      const std::size_t words = words_of(view, word, phrase);
      if (words > longest && !excepted(word, word + words)) longest = words;
    }
    found.count += longest > 0 ? 1 : 0;
    found.words += longest;
    word += longest > 0 ? longest : 1;
  }
  return found;
}

const FlaggedWords& built_in_flagged_words() {
  static const FlaggedWords all = [] {
    FlaggedWords made;
    for (const WordList& list : WordLists::built_in().flagged_words) {
      made.entries.insert(made.entries.end(), list.entries.begin(), list.entries.end());
      made.exceptions.insert(made.exceptions.end(), list.exceptions.begin(), list.exceptions.end());
    }
    return made;
  }();
  return all;
}

std::vector<std::string> flagged_word_pieces() {
  const FlaggedWords& words = built_in_flagged_words();
  std::vector<std::string> all = words.entries;
  all.insert(all.end(), words.exceptions.begin(), words.exceptions.end());
  for (const char* gap : {" ", "  ", "\n", "，", "s", "的", "-", "A", "面"}) {
    for (int i = 0; i < 20; ++i) all.emplace_back(gap);
  }
  return all;
}

}  // namespace headrace::measure
