// SPDX-License-Identifier: Apache-2.0
// What measures of words and n-grams count, a second time, for their tests: maps of strings and
// sequences, nothing shared with the counters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/testing/slow_view.h"

namespace headrace::measure {

std::size_t length_of(const std::string& word);  // code points
bool has_letter(const std::string& word);        // a Han character is one

// The words of the text with ASCII letters in lower case.
std::vector<std::string> folded_words(const SlowView& view);

// Stop words of the built-in list that most words of the text stand in.
struct SlowStopWords {
  std::size_t distinct = 0;
  std::size_t tokens = 0;
};
SlowStopWords slow_stop_words(const SlowView& view);

// The most frequent n-gram, the first among equals: its length with separators times its count.
std::size_t slow_top_ngram(const SlowView& view, std::size_t n);

// Code points of the n-grams that a walk meets again, going on behind each.
std::size_t slow_duplicate_ngrams(const SlowView& view, std::size_t n);

// Long enough for the counters of long texts, with n-grams that occur often, in two scripts.
std::vector<std::string> long_texts();

}  // namespace headrace::measure
