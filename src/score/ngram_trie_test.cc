// SPDX-License-Identifier: Apache-2.0
// Tries made here by the layout that ngram_trie.cc gives: KenLM's own are compared in
// tests/interop/kenlm. Here they are damaged.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "score/internal/ngram_tables.h"
#include "score/ngram_model.h"

namespace headrace::score {
namespace {

using Ngram = std::vector<std::string>;
struct Entry {
  Ngram words;
  float prob;
  float backoff;
};

// Each suffix and each context is there, as in a trie they must be.
const std::vector<std::vector<Entry>> kOrders = {
    {{{"<unk>"}, -2, 0},
     {{"<s>"}, -99, -0.5f},
     {{"</s>"}, -1, 0},
     {{"a"}, -0.5f, -0.25f},
     {{"b"}, -0.75f, -0.125f}},
    {{{"<s>", "a"}, -0.25f, -0.0625f},
     {{"a", "b"}, -0.5f, -0.03125f},
     {{"b", "a"}, -0.375f, -0.75f},
     {{"a", "</s>"}, -0.625f, 0},
     {{"b", "</s>"}, -0.125f, 0}},
    {{{"<s>", "a", "b"}, -0.0625f, 0},
     {{"b", "a", "b"}, -0.1875f, 0},
     {{"a", "b", "</s>"}, -0.03125f, 0}},
};
constexpr std::size_t kCountsAt = 108;
constexpr std::size_t kWordsAt = 136;
constexpr std::size_t kUnigramsAt = kWordsAt + 8 * 6;
constexpr std::size_t kBigramsAt = kUnigramsAt + 16 * 7;
constexpr std::size_t kWordBits = 3;                     // of 5 words
constexpr std::size_t kBigramBits = kWordBits + 63 + 2;  // of 3 trigrams

std::string arpa() {
  std::string text = "\\data\\\n";
  for (std::size_t n = 0; n < kOrders.size(); ++n)
    text += fmt::format("ngram {}={}\n", n + 1, kOrders[n].size());
  for (std::size_t n = 0; n < kOrders.size(); ++n) {
    text += fmt::format("\n\\{}-grams:\n", n + 1);
    for (const Entry& entry : kOrders[n]) {
      text += fmt::format("{}\t{}", entry.prob, fmt::join(entry.words, " "));
      text += n + 1 < kOrders.size() ? fmt::format("\t{}\n", entry.backoff) : "\n";
    }
  }
  return text + "\n\\end\\\n";
}

template <class Value>
void append(std::string* bytes, const Value& value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void set_bits(std::string* bytes, std::size_t at, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto bit = static_cast<char>(1 << (at + i) % 8);
    char& byte = (*bytes)[(at + i) / 8];
    byte = static_cast<char>((value >> i & 1) != 0 ? byte | bit : byte & ~bit);
  }
}

// Entries of an order in the order of the trie, by their words from the last to the first.
std::vector<Entry> sorted(std::vector<Entry> entries,
                          const std::map<std::string, std::uint32_t>& ids) {
  const auto key = [&](const Entry& entry) {
    std::vector<std::uint32_t> made;
    for (auto word = entry.words.rbegin(); word != entry.words.rend(); ++word)
      made.push_back(ids.at(*word));
    return made;
  };
  std::sort(entries.begin(), entries.end(),
            [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  return entries;
}

// next[i]: the first of `longer` that ends in entries[i].
std::vector<std::uint64_t> begins(const std::vector<Entry>& entries,
                                  const std::vector<Entry>& longer) {
  std::vector<std::uint64_t> next = {0};
  for (const Entry& entry : entries) {
    next.push_back(next.back() + static_cast<std::uint64_t>(std::count_if(
                                     longer.begin(), longer.end(), [&](const Entry& one) {
                                       return Ngram(one.words.begin() + 1, one.words.end()) ==
                                              entry.words;
                                     })));
  }
  return next;
}

std::string trie() {
  std::string bytes = "mmap lm http://kheafield.com/code format version 5\n";
  bytes.resize(56);
  for (const float number : {0.0f, 1.0f, -0.5f}) append(&bytes, number);
  for (const std::uint32_t number : {1u, ~0u, 0u}) append(&bytes, number);
  append(&bytes, std::uint64_t{1});
  append(&bytes, std::uint32_t{3});
  append(&bytes, 1.5f);
  for (const std::uint32_t number : {2u, 0u, 1u}) append(&bytes, number);
  for (const auto& entries : kOrders) append(&bytes, std::uint64_t{entries.size()});
  bytes.resize(kWordsAt);

  std::map<std::uint64_t, std::string> by_key;
  for (const Entry& entry : kOrders[0]) {
    if (entry.words[0] != "<unk>") by_key[internal::word_key(entry.words[0])] = entry.words[0];
  }
  append(&bytes, std::uint64_t{by_key.size()});
  std::map<std::string, std::uint32_t> ids = {{"<unk>", 0}};
  for (const auto& [key, word] : by_key) {
    append(&bytes, key);
    ids[word] = static_cast<std::uint32_t>(ids.size());
  }
  append(&bytes, std::uint64_t{0});

  const auto unigrams = sorted(kOrders[0], ids);
  const auto bigrams = sorted(kOrders[1], ids);
  const auto trigrams = sorted(kOrders[2], ids);
  const auto next = begins(unigrams, bigrams);
  for (std::size_t i = 0; i < unigrams.size(); ++i) {
    append(&bytes, unigrams[i].prob);
    append(&bytes, unigrams[i].backoff);
    append(&bytes, next[i]);
  }
  for (const std::uint64_t number :
       {std::uint64_t{0}, next.back(), std::uint64_t{0}, std::uint64_t{0}})
    append(&bytes, number);

  const auto put_array = [&](const std::vector<Entry>& entries, std::size_t entry_bits,
                             const std::vector<std::uint64_t>& longer) {
    std::string array((entry_bits * (entries.size() + 1) + 7) / 8 + 8, 0);
    for (std::size_t i = 0; i <= entries.size(); ++i) {
      const std::size_t at = i * entry_bits;
      if (!longer.empty()) set_bits(&array, at + kWordBits + 63, longer[i], 2);
      if (i == entries.size()) break;
      set_bits(&array, at, ids.at(entries[i].words[0]), kWordBits);
      set_bits(&array, at + kWordBits, std::bit_cast<std::uint32_t>(entries[i].prob), 31);
      if (!longer.empty())
        set_bits(&array, at + kWordBits + 31, std::bit_cast<std::uint32_t>(entries[i].backoff), 32);
    }
    bytes += array;
  };
  put_array(bigrams, kBigramBits, begins(bigrams, trigrams));
  put_array(trigrams, kWordBits + 31, {});
  return bytes;
}

std::vector<float> scores(const std::string& model_bytes) {
  const auto model = NgramModel::parse(model_bytes, "test");
  if (!model) {
    ADD_FAILURE() << model.error().message();
    return {};
  }
  NgramModel::Scratch scratch;
  std::vector<float> each;
  model->score("a b\nb a b a\na a b\nx b b\n\nb x a b", {}, &scratch, &each);
  return each;
}

TEST(NgramTrieTest, IsTheModelOfItsText) {
  EXPECT_EQ(scores(trie()).size(), 22u);
  EXPECT_EQ(scores(trie()), scores(arpa()));
}

TEST(NgramTrieTest, CutAnywhereItIsRefused) {
  const std::string whole = trie();
  for (std::size_t size = 33; size < whole.size(); ++size) {
    const auto model = NgramModel::parse(whole.substr(0, size), "cut");
    ASSERT_FALSE(model.has_value()) << size;
    if (size >= 56) {
      EXPECT_EQ(model.error().code(), Code::kCorrupt) << size;
    }
  }
}

TEST(NgramTrieTest, DamageIsRefused) {
  const std::string whole = trie();
  const auto expect = [](const std::string& bytes, std::string_view part) {
    const auto model = NgramModel::parse(bytes, "damaged");
    ASSERT_FALSE(model.has_value()) << part;
    EXPECT_EQ(model.error().code(), Code::kCorrupt);
    EXPECT_NE(model.error().message().find(part), std::string::npos) << model.error().message();
  };
  const auto with = [&](std::size_t at, auto value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &value, sizeof(value));
    return bytes;
  };
  expect(with(kCountsAt - 4, std::uint32_t{0}), "search version 0");
  expect(with(kCountsAt, std::uint64_t{0}), "0 1-grams in a file");
  expect(with(kCountsAt + 8, ~std::uint64_t{0}), "2-grams in a file");
  expect(with(kCountsAt, std::uint64_t{100}), "100 words in a file");
  expect(with(kWordsAt, std::uint64_t{9}), "9 words for 5 unigrams");
  std::uint64_t key;
  std::memcpy(&key, whole.data() + kWordsAt + 8, 8);
  expect(with(kWordsAt + 16, key), "a word's key that was there before");
  for (const char* mark : {"<s>", "</s>"}) {
    const std::uint64_t marked = internal::word_key(mark);
    std::string bytes(reinterpret_cast<const char*>(&marked), 8);
    const std::size_t at = whole.find(bytes, kWordsAt);
    ASSERT_LT(at, kUnigramsAt);
    expect(with(at, marked + 1), "no <s> or no </s>");
  }
  expect(with(kUnigramsAt + 16, std::nanf("")), "a value among the unigrams that is none");
  expect(with(kUnigramsAt + 36, HUGE_VALF), "a value among the unigrams that is none");
  expect(with(kUnigramsAt + 8, std::uint64_t{6}), "the 2-grams of a shorter one lie from 6 to");
  expect(with(kUnigramsAt + 16 * 5 + 8, std::uint64_t{6}), "to 6 of 5");
  expect(with(kUnigramsAt + 16 * 5 + 8, ~std::uint64_t{0}), "the 2-grams of a shorter one lie");
}

TEST(NgramTrieTest, DamagedEntriesAreRefused) {
  const std::string whole = trie();
  const auto refusal = [&](std::size_t entry, std::size_t from, std::uint64_t value,
                           std::size_t count) {
    std::string bytes = whole;
    set_bits(&bytes, 8 * kBigramsAt + entry * kBigramBits + from, value, count);
    const auto model = NgramModel::parse(bytes, "damaged");
    return model ? std::string("taken") : model.error().message();
  };
  const auto has = [](const std::string& message, std::string_view part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  for (std::size_t i = 0; i < kOrders[1].size(); ++i) {
    const std::string none = fmt::format("entry {} of the 2-grams is none", i);
    has(refusal(i, 0, 7, kWordBits), none);           // a word beyond the five
    has(refusal(i, kWordBits, kAll, 31), none);       // not a number
    has(refusal(i, kWordBits + 31, kAll, 32), none);  // nor is its backoff
  }
  // Of the 3-grams, the first begins with 3.
  has(refusal(0, kWordBits + 63, 3, 2), "the 3-grams of a shorter one lie from 3 to");
  // Two that end in one word, with one word before it.
  std::size_t twice = 0;
  for (std::size_t i = 0; i < kOrders[1].size(); ++i) {
    for (std::uint64_t word = 0; word < 5; ++word)
      twice += refusal(i, 0, word, kWordBits).find("is there twice") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(twice, 4u);  // each of "a </s>" and "b </s>", "<s> a" and "b a" as the other
}

}  // namespace
}  // namespace headrace::score
