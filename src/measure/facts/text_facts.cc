// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/text_facts.h"

namespace headrace::measure {

std::shared_ptr<const WordTables> WordTables::make(const WordLists& lists) {
  return std::shared_ptr<const WordTables>(new WordTables(lists));
}

std::shared_ptr<const WordTables> WordTables::built_in() {
  static const std::shared_ptr<const WordTables> tables = make(WordLists::built_in());
  return tables;
}

const TextFacts& TextFactsBuilder::build(const TextView& view) {
  facts_.view = view;
  facts_.characters = characters_.count(view);
  facts_.phrases = words_->phrases().count(view);
  facts_.compression = compression_.count(view);
  facts_.code_point_runs = code_point_runs_.count(view);
  facts_.lines = lines_.count(view);
  facts_.paragraphs = paragraphs_.count(view, lines_.hashes());
  facts_.sentences = count_sentences(view);
  facts_.words = word_counter_.count(view, words_->stop_words());
  facts_.word_ngrams = word_ngrams_.count(view, word_counter_.repeated());
  return facts_;
}

}  // namespace headrace::measure
