// SPDX-License-Identifier: Apache-2.0
#include "score/ngram_model.h"

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <zlib.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

using Ngram = std::vector<std::string>;
struct Entry {
  float prob;
  float backoff;
};
using Entries = std::map<Ngram, Entry>;

// Random n-grams over `words`, contexts of all there; suffixes may be missing.
Entries random_entries(int order, int words, int per_order, std::uint64_t seed) {
  const CounterRng rng(seed, purpose("ngram_model_test"));
  std::uint64_t drawn = 0;
  const auto number = [&](double most) { return static_cast<float>(-most * rng.unit(drawn++)); };
  Entries entries;
  std::vector<Ngram> contexts;
  for (int i = 0; i < words; ++i) contexts.push_back({fmt::format("词{}", i)});
  for (const char* word : {"<s>", "</s>", "<unk>"}) contexts.push_back({word});
  for (const Ngram& word : contexts) entries[word] = {number(5), number(1)};
  const std::vector<Ngram> all = contexts;
  for (int n = 2; n <= order; ++n) {
    std::vector<Ngram> longer;
    for (int i = 0; i < per_order; ++i) {
      Ngram ngram = contexts[rng.at(drawn++) % contexts.size()];
      const std::string& word = all[rng.at(drawn++) % all.size()][0];
      if (word == "<s>" || ngram.back() == "</s>") continue;
      ngram.push_back(word);
      if (entries.contains(ngram)) continue;
      entries[ngram] = {number(3), i % 3 == 0 ? 0 : number(0.8)};
      longer.push_back(ngram);
    }
    contexts = longer;
  }
  return entries;
}

std::string arpa(const Entries& entries, int order) {
  std::string text = "\\data\\\n";
  std::string sections;
  for (int n = 1; n <= order; ++n) {
    int count = 0;
    sections += fmt::format("\n\\{}-grams:\n", n);
    for (const auto& [ngram, entry] : entries) {
      if (ngram.size() != static_cast<std::size_t>(n)) continue;
      ++count;
      sections += fmt::format("{}\t{}", entry.prob, fmt::join(ngram, " "));
      if (n < order && entry.backoff != 0) sections += fmt::format("\t{}", entry.backoff);
      sections += "\n";
    }
    text += fmt::format("ngram {}={}\n", n, count);
  }
  return text + sections + "\n\\end\\\n";
}

// The definition: the longest n-gram that is there, and the backoffs of the contexts given up.
double slow_log10(const Entries& entries, Ngram context, const std::string& word, int order) {
  double backoffs = 0;
  if (context.size() >= static_cast<std::size_t>(order)) {
    context.erase(context.begin(), context.end() - (order - 1));
  }
  for (;; context.erase(context.begin())) {
    Ngram ngram = context;
    ngram.push_back(word);
    if (const auto found = entries.find(ngram); found != entries.end()) {
      return backoffs + static_cast<double>(found->second.prob);
    }
    if (const auto found = entries.find(context); found != entries.end()) {
      backoffs += static_cast<double>(found->second.backoff);
    }
  }
}

std::vector<double> slow_scores(const Entries& entries, const std::string& text, int order) {
  std::vector<double> scores;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Ngram context = {"<s>"};
    std::stringstream tokens(line);
    std::string token;
    const auto put = [&](const std::string& word) {
      const std::string& known = entries.contains({word}) ? word : std::string("<unk>");
      scores.push_back(slow_log10(entries, context, known, order));
      context.push_back(known);
    };
    while (tokens >> token) put(token);
    put("</s>");
  }
  return scores;
}

std::string random_text(const Entries& entries, int tokens, std::uint64_t seed) {
  const CounterRng rng(seed, purpose("ngram_model_test text"));
  std::uint64_t drawn = 0;
  std::vector<Ngram> all;
  for (const auto& [ngram, entry] : entries) all.push_back(ngram);
  std::string text;
  for (int i = 0; i < tokens; ++i) {
    for (const std::string& word : all[rng.at(drawn++) % all.size()]) {
      if (word == "<s>" || word == "</s>") continue;
      text += word + (i % 5 == 0 ? "\t " : " ");
    }
    if (rng.at(drawn++) % 20 == 0) text += "unknown\n";
    if (rng.at(drawn++) % 200 == 0) text += "\n";
  }
  return text + "end";
}

std::vector<float> scores(const NgramModel& model, const std::string& text,
                          NgramModel::Sentences sentences = {}) {
  NgramModel::Scratch scratch;
  std::vector<float> each;
  const auto sum = model.score(text, sentences, &scratch, &each);
  EXPECT_EQ(sum.tokens, each.size());
  double total = 0;
  for (const float score : each) total += static_cast<double>(score);
  EXPECT_EQ(total, sum.log10);
  return each;
}

NgramModel parse(const std::string& bytes) {
  auto model = NgramModel::parse(bytes, "test");
  EXPECT_TRUE(model.has_value()) << model.error().message();
  return std::move(*model);
}

TEST(NgramModelTest, ScoresAreThoseOfTheDefinition) {
  for (int order = 2; order <= kMaxNgramOrder; ++order) {
    const Entries entries = random_entries(order, 12, 300, static_cast<std::uint64_t>(order));
    const NgramModel model = parse(arpa(entries, order));
    EXPECT_EQ(model.order(), order);
    const std::string text = random_text(entries, 900, 7);
    const auto found = scores(model, text);
    const auto wanted = slow_scores(entries, text, order);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found[i], wanted[i], 1e-5) << order << ' ' << i;
    }
  }
}

TEST(NgramModelTest, SentencesAndEmptyLines) {
  const Entries entries = random_entries(3, 5, 40, 1);
  const NgramModel model = parse(arpa(entries, 3));
  const std::string line = "词1 词2 词3";
  EXPECT_EQ(scores(model, "").size(), 1u);  // </s>
  EXPECT_EQ(scores(model, line + "\n\n" + line).size(), 9u);
  EXPECT_EQ(scores(model, line + "\n\n" + line, {.empty_lines_count = false}).size(), 8u);
  EXPECT_EQ(scores(model, "\n" + line + "\n", {.empty_lines_count = false}), scores(model, line));
  EXPECT_EQ(scores(model, "\n\n", {.empty_lines_count = false}).size(), 0u);
  EXPECT_EQ(scores(model, line + "\n" + line, {.lines = false}), scores(model, line + " " + line));
}

TEST(NgramModelTest, BinaryIsTheSameModel) {
  for (const int order : {2, 3, 5}) {
    const Entries entries = random_entries(order, 30, 500, 3);
    const NgramModel model = parse(arpa(entries, order));
    const TestPath file;
    ASSERT_TRUE(model.write_binary(file.path()).has_value());
    const auto opened = NgramModel::open(file.path());
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    const std::string text = random_text(entries, 500, 9);
    EXPECT_EQ(scores(*opened, text), scores(model, text));
    EXPECT_EQ(opened->counts(), model.counts());
    const TestPath again;
    ASSERT_TRUE(opened->write_binary(again.path()).has_value());
    EXPECT_EQ(again.read(), file.read());
  }
}

TEST(NgramModelTest, OpensCompressedText) {
  const Entries entries = random_entries(3, 9, 60, 2);
  const std::string text = arpa(entries, 3);
  const TestPath file;
  gzFile gzip = gzopen(file.path().c_str(), "wb");
  gzwrite(gzip, text.data(), static_cast<unsigned>(text.size()));
  gzclose(gzip);
  const auto model = NgramModel::open(file.path());
  ASSERT_TRUE(model.has_value()) << model.error().message();
  EXPECT_EQ(model->fingerprint(), parse(text).fingerprint());
  const std::string bytes = file.read();
  std::ofstream(file.path(), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  const auto cut = NgramModel::open(file.path());
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error().code(), Code::kCorrupt);
  EXPECT_NE(cut.error().message().find(file.path()), std::string::npos);
}

constexpr std::string_view kSmall =
    "\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.5\n-1\t</s>\n"
    "-0.5\ta\t-0.25\n\n\\2-grams:\n-0.25\t<s> a\n-0.125\ta </s>\n\n\\end\\\n";

TEST(NgramModelTest, FormsOfArpa) {
  const auto wanted = scores(parse(std::string(kSmall)), "a b\na");
  EXPECT_EQ(wanted, (std::vector<float>{-0.25f, -1.25f, -1, -0.25f, -0.125f}));
  std::string crlf;
  std::string blanks;
  for (const char c : kSmall) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    blanks += c == '\t' ? ' ' : c;
  }
  EXPECT_EQ(scores(parse(crlf), "a b\na"), wanted);
  EXPECT_EQ(scores(parse(blanks), "a b\na"), wanted);
  std::string without(kSmall);
  without.replace(without.find("-1\t<unk>\n"), 9, "").replace(without.find("1=4"), 3, "1=3");
  EXPECT_EQ(scores(parse(without), "b")[0], -100.5f);
}

TEST(NgramModelTest, DamagedArpaIsRefused) {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  const Case cases[] = {
      {"\\data\\", "\\date\\", "is no n-gram model: it begins with something else"},
      {"1=4", "1=5", "4 1-grams, but \\data\\ says 5"},
      {"2=2", "2=1", "more than the 1 2-grams"},
      {"2=2", "2=18446744073709551615", "2 2-grams, but"},
      {"1=4", "1=18446744073709551615", "line 5: 18446744073709551615 words"},
      {"ngram 2", "ngram 3", "'ngram 2=COUNT' is wanted"},
      {"2=2", "2=x", "'ngram 2=COUNT' is wanted"},
      {"-0.5\ta", "nan\ta", "the log probability is 'nan'"},
      {"-0.5\ta", "inf\ta", "the log probability is 'inf'"},
      {"-0.5\ta", "0.5\ta", "line 9: the log probability 0.5 is above 0"},
      {"-0.25\n\n", "x\n\n", "the backoff is 'x'"},
      {"-0.25\n\n", "nan\n\n", "the backoff is 'nan'"},
      {"a </s>", "a b", "the word 'b' is not among the 1-grams"},
      {"a </s>", "<s> a", "line 13: it was there before"},
      {"a </s>", "a </s> a", "behind an n-gram of the highest order"},
      {"a </s>", "a", "1 words, but 2 are wanted"},
      {"-0.5\ta\t-0.25", "-0.5\t</s>\t-0.25", "the word '</s>' was there before"},
      {"-99\t<s>", "-99\ts", "not among the 1-grams"},
      {"\\2-grams:", "\\3-grams:", "\\2-grams: is wanted here"},
      {"\\end\\", "", "the file ends among the 2-grams"},
      {"\\end\\", "\\end\\\nmore", "text behind \\end\\"},
      {"ngram 2=2\n", "", "n-grams of two words at least"},
  };
  for (const Case& c : cases) {
    std::string text(kSmall);
    text.replace(text.find(c.from), std::string_view(c.from).size(), c.to);
    const auto model = NgramModel::parse(text, "the file");
    ASSERT_FALSE(model.has_value()) << c.message;
    EXPECT_EQ(model.error().code(), Code::kCorrupt);
    EXPECT_NE(model.error().message().find(c.message), std::string::npos)
        << model.error().message();
    EXPECT_NE(model.error().message().find("the file"), std::string::npos);
  }
  for (std::size_t size = 0; size + 1 < kSmall.size(); ++size) {
    const auto model = NgramModel::parse(kSmall.substr(0, size), "cut");
    EXPECT_EQ(model.has_value(), size + 1 == kSmall.size()) << size;
  }
}

TEST(NgramModelTest, MissingContextIsRefused) {
  const auto model = NgramModel::parse(
      "\\data\\\nngram 1=3\nngram 2=1\nngram 3=1\n\\1-grams:\n-1 <s> -1\n-1 </s>\n-1 a -1\n"
      "\\2-grams:\n-1 a a\n\\3-grams:\n-1 <s> a a\n\\end\\\n",
      "x");
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(model.error().message().find("its context"), std::string::npos);
}

std::string binary(const std::string& text) {
  const TestPath file;
  EXPECT_TRUE(parse(text).write_binary(file.path()).has_value());
  return file.read();
}

TEST(NgramModelTest, DamagedBinaryIsRefused) {
  const std::string whole = binary(arpa(random_entries(3, 5, 20, 1), 3));
  for (std::size_t size = 33; size < whole.size(); size += size < 200 ? 1 : 37) {
    const auto model = NgramModel::parse(whole.substr(0, size), "cut");
    ASSERT_FALSE(model.has_value()) << size;
  }
  const auto with = [&](std::size_t at, auto value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &value, sizeof(value));
    const auto model = NgramModel::parse(bytes, "damaged");
    return model ? std::string("taken") : model.error().message();
  };
  const auto expect = [](const std::string& message, std::string_view part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(with(50, '4'), "its version is not 5");
  expect(with(56, 1.0f), "the header's fixed numbers");
  expect(with(88, std::uint8_t{9}), "n-grams of 9 words");
  expect(with(92, std::nanf("")), "nan buckets per entry");
  expect(with(96, std::uint32_t{1}), "its kind is 1 (probing with rest costs)");
  expect(with(96, std::uint32_t{3}), "its kind is 3 (quantised trie)");
  expect(with(104, std::uint32_t{1}), "search version 1");
  expect(with(108, ~std::uint64_t{0}), "1-grams in a file of");
  expect(with(116, std::uint64_t{1} << 20), "2-grams in a file of");
  expect(with(116, std::uint64_t{100}), "the counts need");
  expect(with(136, std::uint32_t{7}), "version 7 of the words");
  const std::size_t words = 8 + 12;  // counts[0] = 8
  expect(with(144 + 8, std::uint32_t{999}), "a value among the words that is none");
  const std::size_t unigrams = 144 + 12 * 12;
  EXPECT_EQ(words, 20u);
  expect(with(unigrams + 4, std::nanf("")), "a value among the unigrams");
  std::string full = whole;
  for (std::size_t at = 144; at < unigrams; at += 12) {
    const std::uint64_t key = at;
    const std::uint32_t id = 1;
    std::memcpy(full.data() + at, &key, 8);
    std::memcpy(full.data() + at + 8, &id, 4);
  }
  const auto no_room = NgramModel::parse(full, "full");
  ASSERT_FALSE(no_room.has_value());
  expect(no_room.error().message(), "no room among the words");
}

}  // namespace
}  // namespace headrace::score
