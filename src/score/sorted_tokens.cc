// SPDX-License-Identifier: Apache-2.0
// By the last token with counts; then each run by as many tokens before it as fit in 64 bits (four
// of a vocabulary of 65,000), and runs that are still one by the next ones. Tokens before <s> are
// 0.
#include "score/internal/sorted_tokens.h"

#include <algorithm>
#include <bit>
#include <span>

namespace headrace::score::internal {
namespace {

struct Keyed {
  std::uint64_t key;
  std::uint32_t place;
  bool operator<(const Keyed& other) const {
    return key != other.key ? key < other.key : place < other.place;
  }
};

class Sorter {
 public:
  Sorter(const std::vector<std::uint32_t>& tokens, std::uint32_t words, int order)
      : tokens_(tokens), order_(order), bits_(std::bit_width(words)), step_(64 / bits_) {}

  // Sorts places whose n-grams share the last `done` tokens.
  void sort(std::span<std::uint32_t> places, int done) {
    if (places.size() < 2 || done >= order_) {
      std::sort(places.begin(), places.end());
      return;
    }
    std::vector<Keyed> keyed(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) keyed[i] = {key(places[i], done), places[i]};
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = keyed[i].place;
    if (done + step_ >= order_) return;
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= keyed.size(); ++i) {
      if (i == keyed.size() || keyed[i].key != keyed[i - 1].key) ends.push_back(i);
    }
    keyed = {};
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      sort(places.subspan(begin, end - begin), done + step_);
      begin = end;
    }
  }

 private:
  std::uint64_t key(std::uint32_t place, int done) const {
    std::uint64_t key = 0;
    bool inside = true;
    for (int k = 0; k < done + step_ && k < order_; ++k) {
      const std::uint32_t token = inside ? tokens_[place - static_cast<std::uint32_t>(k)] : 0;
      inside = inside && token != kSentenceBegin;
      if (k >= done) key = key << bits_ | token;
    }
    return key;
  }

  const std::vector<std::uint32_t>& tokens_;
  int order_;
  int bits_;
  int step_;
};

}  // namespace

SortedTokens sort_tokens(const std::vector<std::uint32_t>& tokens, std::uint32_t words, int order,
                         const std::stop_token& stop) {
  SortedTokens sorted;
  std::vector<std::size_t> begins(words + 1, 0);
  for (const std::uint32_t token : tokens) {
    if (token != kSentenceBegin) ++begins[token + 1];
  }
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  sorted.places.resize(begins.back());
  std::vector<std::size_t> next = begins;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != kSentenceBegin)
      sorted.places[next[tokens[i]]++] = static_cast<std::uint32_t>(i);
  }
  Sorter sorter(tokens, words, order);
  for (std::size_t word = 0; word < words; ++word) {
    if (stop.stop_requested()) return {};
    sorter.sort(std::span(sorted.places).subspan(begins[word], begins[word + 1] - begins[word]), 1);
  }
  sorted.shared.resize(sorted.places.size());
  sorted.length.resize(sorted.places.size());
  for (std::size_t i = 0; i < sorted.places.size(); ++i) {
    const std::uint32_t* here = tokens.data() + sorted.places[i];
    const std::uint32_t* before = i == 0 ? nullptr : tokens.data() + sorted.places[i - 1];
    std::uint8_t length = 0;
    std::uint8_t shared = 0;
    for (; length < order; --here) {
      if (before != nullptr && shared == length && *here == *before) {
        ++shared;
        before = *before == kSentenceBegin ? nullptr : before - 1;
      }
      ++length;
      if (*here == kSentenceBegin) break;
    }
    sorted.shared[i] = shared;
    sorted.length[i] = length;
  }
  return sorted;
}

}  // namespace headrace::score::internal
