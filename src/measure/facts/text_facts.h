// SPDX-License-Identifier: Apache-2.0
// What several measures need, counted once per text. A measure of facts/x.h costs what a division
// costs; all the work is in the counters, and each of them looks at the text once for all its
// measures.
#pragma once

#include <memory>

#include "measure/facts/characters.h"
#include "measure/facts/code_point_runs.h"
#include "measure/facts/compression.h"
#include "measure/facts/lines.h"
#include "measure/facts/paragraphs.h"
#include "measure/facts/phrases.h"
#include "measure/facts/sentences.h"
#include "measure/facts/stop_words.h"
#include "measure/facts/word_ngrams.h"
#include "measure/facts/words.h"
#include "measure/words/word_list.h"
#include "record/text_view.h"

namespace headrace::measure {

// Points into the view's memory: valid as long as the view.
struct TextFacts {
  TextView view;
  CharacterFacts characters;
  PhraseFacts phrases;
  CompressionFacts compression;
  CodePointRuns code_point_runs;
  LineFacts lines;
  ParagraphFacts paragraphs;
  SentenceFacts sentences;
  WordFacts words;
  WordNgrams word_ngrams;
};

// The words that a run looks for, ready to be looked for: made once, used by all threads.
// Immutable.
class WordTables {
 public:
  static std::shared_ptr<const WordTables> make(const WordLists& lists);
  // Of the lists that are built in.
  static std::shared_ptr<const WordTables> built_in();

  const PhraseTable& phrases() const { return phrases_; }
  const StopWordTable& stop_words() const { return stop_words_; }

 private:
  explicit WordTables(const WordLists& lists) : phrases_(lists), stop_words_(lists.stop_words) {}

  PhraseTable phrases_;
  StopWordTable stop_words_;
};

// Keeps the counters' memory for the next text. One per thread.
class TextFactsBuilder {
 public:
  explicit TextFactsBuilder(std::shared_ptr<const WordTables> words = WordTables::built_in())
      : words_(std::move(words)) {}

  // The result is valid until the next call.
  const TextFacts& build(const TextView& view);

 private:
  std::shared_ptr<const WordTables> words_;
  CharacterCounter characters_;
  CompressionCounter compression_;
  CodePointRunCounter code_point_runs_;
  LineCounter lines_;
  ParagraphCounter paragraphs_;
  WordCounter word_counter_;
  WordNgramCounter word_ngrams_;
  TextFacts facts_;
};

}  // namespace headrace::measure
