// SPDX-License-Identifier: Apache-2.0
#include "measure/testing/slow_words.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/counter_rng.h"
#include "measure/facts/word_ngrams.h"
#include "measure/words/word_list.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::string folded(std::string word) {
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return word;
}

// Words as numbers: comparing sequences of strings would take minutes.
std::vector<std::uint32_t> numbered_words(const SlowView& view) {
  std::map<std::string, std::uint32_t> number_of;
  std::vector<std::uint32_t> numbers;
  for (const std::string& word : folded_words(view)) {
    numbers.push_back(number_of.emplace(word, number_of.size()).first->second);
  }
  return numbers;
}

using Ngram = std::vector<std::uint32_t>;

Ngram ngram_at(const std::vector<std::uint32_t>& words, std::size_t i, std::size_t n) {
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(i);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

std::size_t length_of_words(const SlowView& view, std::size_t i, std::size_t n) {
  std::size_t length = 0;
  for (std::size_t k = i; k < i + n; ++k) length += length_of(view.words[k]);
  return length;
}

}  // namespace

std::size_t length_of(const std::string& word) { return SlowView(word).code_points.size(); }

bool has_letter(const std::string& word) {
  const SlowView view(word);
  return view.count(kLetter) + view.count(kHan) > 0;
}

std::vector<std::string> folded_words(const SlowView& view) {
  std::vector<std::string> words;
  for (const std::string& word : view.words) words.push_back(folded(word));
  return words;
}

SlowStopWords slow_stop_words(const SlowView& view) {
  static const WordLists lists = WordLists::built_in();
  const std::vector<std::string> words = folded_words(view);
  SlowStopWords best;
  for (const WordList& list : lists.stop_words) {
    const std::set<std::string> entries(list.entries.begin(), list.entries.end());
    std::set<std::string> distinct;
    SlowStopWords found;
    for (const std::string& word : words) {
      if (!entries.contains(word)) continue;
      ++found.tokens;
      distinct.insert(word);
    }
    found.distinct = distinct.size();
    if (found.tokens > best.tokens) best = found;
  }
  return best;
}

namespace {

// `of(begin, end)` summed over the pieces in which n-grams are measured.
template <class Of>
std::size_t sum_over_pieces(std::size_t words, Of of) {
  std::size_t sum = 0;
  for (std::size_t begin = 0; begin < words; begin += kNgramPieceWords)
    sum += of(begin, std::min<std::size_t>(words, begin + kNgramPieceWords));
  return sum;
}

}  // namespace

std::size_t slow_top_ngram(const SlowView& view, std::size_t n) {
  const std::vector<std::uint32_t> words = numbered_words(view);
  struct Seen {
    std::size_t first;
    std::size_t times;
  };
  return sum_over_pieces(words.size(), [&](std::size_t begin, std::size_t end) {
    std::map<Ngram, Seen> seen;
    for (std::size_t i = begin; i + n <= end; ++i) {
      ++seen.emplace(ngram_at(words, i, n), Seen{i, 0}).first->second.times;
    }
    Seen best = {0, 0};
    for (const auto& [ngram, s] : seen) {
      if (s.times > best.times || (s.times == best.times && s.first < best.first)) best = s;
    }
    return best.times == 0 ? 0 : (length_of_words(view, best.first, n) + n - 1) * best.times;
  });
}

std::size_t slow_duplicate_ngrams(const SlowView& view, std::size_t n) {
  const std::vector<std::uint32_t> words = numbered_words(view);
  return sum_over_pieces(words.size(), [&](std::size_t begin, std::size_t end) {
    std::set<Ngram> seen;
    std::size_t length = 0;
    for (std::size_t i = begin; i + n <= end;) {
      if (seen.insert(ngram_at(words, i, n)).second) {
        ++i;
      } else {
        length += length_of_words(view, i, n);
        i += n;
      }
    }
    return length;
  });
}

std::vector<std::string> long_texts() {
  std::vector<std::string> texts(2);
  const CounterRng rng(7, purpose("long_texts"));
  std::vector<std::uint64_t> passage;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    // Few words often, most seldom; now and then a passage from before.
    const double u = rng.unit(2 * i);
    auto rank = static_cast<std::uint64_t>(8000 * u * u * u);
    if (i % 1000 >= 960 && i > 2000) rank = passage[passage.size() - 997];
    passage.push_back(rank);
    texts[0] += "w" + std::to_string(rank) + (i % 17 == 0 ? ".\n" : " ");
    if (i >= 30000) continue;
    const std::uint64_t c = 0x4E00 + rank % 2000;
    texts[1] += static_cast<char>(0xE0 | c >> 12);
    texts[1] += static_cast<char>(0x80 | (c >> 6 & 63));
    texts[1] += static_cast<char>(0x80 | (c & 63));
    if (i % 23 == 0) texts[1] += "，";
  }
  return texts;
}

}  // namespace headrace::measure
