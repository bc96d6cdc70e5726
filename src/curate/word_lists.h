// SPDX-License-Identifier: Apache-2.0
// The word lists of a recipe: which files it names, and what is in them.
#pragma once

#include <memory>
#include <string>

#include "headrace/result.h"

#include "measure/facts/text_facts.h"
#include "measure/words/word_list.h"

namespace headrace::curate {

struct WordListSpec {
  measure::WordListKind kind;
  std::string language;
  std::string path;

  friend bool operator==(const WordListSpec&, const WordListSpec&) = default;
};

// What the measures of a run look for. Until load_words() it is what is built in.
struct Words {
  std::shared_ptr<const measure::WordTables> tables = measure::WordTables::built_in();
  // Of all lists, built in and of one's own: part of the fingerprint of the document pass. Comments
  // and order of files do not count. Empty: not loaded.
  std::string hash;
};

// Whether lists of words may be given for a language: ISO 639 codes, with script or region behind
// them where need be (zh, pt-BR). A fault names the nearest code.
Result<void> check_language_code(const std::string& code);

// The lists that are built in, with those of the files in their place. An error names the file and,
// where one is at fault, the line.
Result<measure::WordLists> read_word_lists(const std::vector<WordListSpec>& specs);
std::string hash_of(const measure::WordLists& lists);

// The same, ready to be looked for.
Result<Words> load_words(const std::vector<WordListSpec>& specs);

}  // namespace headrace::curate
