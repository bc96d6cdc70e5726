// SPDX-License-Identifier: Apache-2.0
// TextView and the measures on it, from text in memory, on one core.
//
//   HEADRACE_DATA=... build/bench/text_view_bench
//
// English and Chinese documents of 1 to 5000 bytes, cut from real files when HEADRACE_DATA names
// them, drawn from a seed otherwise (words of a skewed vocabulary). Arguments: level (0 scalar, 1
// AVX2, 2 AVX-512) and language (0 English, 1 Chinese). MB/s are 10^6 bytes of UTF-8. Before any
// time is taken, the values of every level are compared with those of the scalar kernels.
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/counter_rng.h"
#include "measure/measure.h"
#include "record/testing/texts.h"
#include "record/text_view.h"

namespace headrace::measure {
namespace {

struct Corpus {
  std::vector<std::string> documents;
  std::size_t bytes = 0;
  std::vector<double> expected;  // values of the scalar kernels, document after document
};

std::string generated(bool chinese) {
  const CounterRng rng(1, purpose("text_view_bench"));
  std::string text;
  for (std::uint64_t i = 0; text.size() < 2'000'000; ++i) {
    // Rank by a power of a uniform number: few words often, most seldom.
    const auto rank = static_cast<std::uint64_t>(20000 * std::pow(rng.unit(2 * i), 4));
    const std::uint64_t word = mix64(rank);
    for (std::uint64_t k = 0; k < 1 + word % (chinese ? 3 : 9); ++k) {
      const std::uint64_t letter = mix64(word + k);
      if (chinese) {
        const std::uint64_t c = 0x4E00 + letter % 3000;
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 63));
        text += static_cast<char>(0x80 | (c & 63));
      } else {
        text += static_cast<char>('a' + letter % 26);
      }
    }
    const std::uint64_t mark = rng.below(2 * i + 1, chinese ? 20 : 12);
    if (mark == 0) {
      text += chinese ? "。" : ". ";
    } else if (mark == 1) {
      text += chinese ? "，" : ", ";
    } else if (!chinese) {
      text += ' ';
    }
    if (rng.below(2 * i + 1, 200) == 199) text += '\n';
  }
  return text;
}

void replace_all(std::string* text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) {
    text->replace(at, from.size(), to);
  }
}

std::string real(bool chinese) {
  std::string all;
  for (RealText& text : real_texts(2'000'000)) {
    const bool wanted =
        chinese
            ? text.name.starts_with("zh-novels") || text.name.starts_with("zh-reviews") ||
                  text.name.ends_with("chinese.utf8.txt")
            : text.name.starts_with("quality-labels-en") || text.name.ends_with("english.utf8.txt");
    if (!wanted) continue;
    replace_all(&text.text, "\\n", "\n");  // JSON lines are taken as text
    all += text.text;
  }
  return all;
}

const Corpus& corpus(bool chinese) {
  static const auto make = [](bool zh) {
    Corpus made;
    std::string text = real(zh);
    if (text.empty()) text = generated(zh);
    made.documents = random_pieces(text, 3, 5000);
    made.bytes = text.size();
    TextViewBuilder builder(SimdLevel::kScalar);
    MeasureSet set;
    made.expected.resize(set.size() * made.documents.size());
    for (std::size_t i = 0; i < made.documents.size(); ++i) {
      set.of(builder.build(made.documents[i]), {made.expected.data() + i * set.size(), set.size()});
    }
    return made;
  };
  static const Corpus english = make(false);
  static const Corpus han = make(true);
  return chinese ? han : english;
}

bool values_are_right(const Corpus& c, SimdLevel level) {
  TextViewBuilder builder(level);
  MeasureSet set;
  std::vector<double> values(set.size());
  for (std::size_t i = 0; i < c.documents.size(); ++i) {
    set.of(builder.build(c.documents[i]), values);
    if (std::memcmp(values.data(), c.expected.data() + i * set.size(),
                    set.size() * sizeof(double)) != 0) {
      return false;
    }
  }
  return true;
}

// Runs `look` on the view of each document.
template <class Look>
void run(benchmark::State& state, Look look) {
  const auto level = static_cast<SimdLevel>(state.range(0));
  const Corpus& c = corpus(state.range(1) != 0);
  if (level > best_simd_level()) {
    state.SkipWithError("this machine lacks the instructions");
    return;
  }
  if (!values_are_right(c, level)) {
    state.SkipWithError("values differ from those of the scalar kernels");
    return;
  }
  TextViewBuilder builder(level);
  for (auto _ : state) {
    for (const std::string& document : c.documents) look(builder.build(document));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * c.bytes));
  state.SetLabel(std::string(name_of(level)) + (state.range(1) != 0 ? " Chinese" : " English"));
}

void arguments(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{2, 1, 0}, {0, 1}})->Unit(benchmark::kMillisecond);
}

void text_view(benchmark::State& state) {
  run(state, [](const TextView& view) { benchmark::DoNotOptimize(view.counts.words); });
}
BENCHMARK(text_view)->Apply(arguments);

void text_view_and_all_measures(benchmark::State& state) {
  MeasureSet set;
  std::vector<double> values(set.size());
  run(state, [&](const TextView& view) {
    set.of(view, values);
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(text_view_and_all_measures)->Apply(arguments);

// The whole corpus as one text, of megabytes: tables that leave the near caches.
void one_long_text(benchmark::State& state) {
  const auto level = static_cast<SimdLevel>(state.range(0));
  const Corpus& c = corpus(state.range(1) != 0);
  if (level > best_simd_level()) {
    state.SkipWithError("this machine lacks the instructions");
    return;
  }
  std::string text;
  for (const std::string& document : c.documents) text += document;
  MeasureSet set;
  std::vector<double> expected(set.size());
  std::vector<double> values(set.size());
  set.of(TextViewBuilder(SimdLevel::kScalar).build(text), expected);
  TextViewBuilder builder(level);
  for (auto _ : state) {
    set.of(builder.build(text), values);
    benchmark::ClobberMemory();
  }
  if (std::memcmp(values.data(), expected.data(), values.size() * sizeof(double)) != 0) {
    state.SkipWithError("values differ from those of the scalar kernels");
    return;
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
  state.SetLabel(std::to_string(text.size() >> 20) + " MiB");
}
BENCHMARK(one_long_text)->Apply(arguments);

// One family of facts: what its measures cost together.
template <class Counter>
void facts(benchmark::State& state) {
  Counter counter;
  run(state, [&](const TextView& view) { benchmark::DoNotOptimize(counter.count(view)); });
}
BENCHMARK_TEMPLATE(facts, CodePointRunCounter)->Apply(arguments);
BENCHMARK_TEMPLATE(facts, CharacterCounter)->Apply(arguments);
BENCHMARK_TEMPLATE(facts, CompressionCounter)->Apply(arguments);
BENCHMARK_TEMPLATE(facts, LineCounter)->Apply(arguments);
BENCHMARK_TEMPLATE(facts, WordCounter)->Apply(arguments);

// The counter of paragraphs begins with the hashes of lines.
struct LineParagraphAndSentenceCounter {
  ParagraphFacts count(const TextView& view) {
    benchmark::DoNotOptimize(lines.count(view));
    benchmark::DoNotOptimize(count_sentences(view));
    return paragraphs.count(view, lines.hashes());
  }
  LineCounter lines;
  ParagraphCounter paragraphs;
};
BENCHMARK_TEMPLATE(facts, LineParagraphAndSentenceCounter)->Apply(arguments);

// The counter of n-grams begins with what that of words found: the difference is its own cost.
struct WordAndNgramCounter {
  WordNgrams count(const TextView& view) {
    benchmark::DoNotOptimize(words.count(view));
    return ngrams.count(view, words.repeated());
  }
  WordCounter words;
  WordNgramCounter ngrams;
};
BENCHMARK_TEMPLATE(facts, WordAndNgramCounter)->Apply(arguments);

// The phrases and lists that are built in, and kWords flagged phrases more.
template <int kWords>
void phrases(benchmark::State& state) {
  WordLists lists = WordLists::built_in();
  WordList own{"xx", {}, {}};
  const CounterRng rng(2, purpose("phrases"));
  for (std::uint64_t i = 0; i < kWords; ++i)
    own.entries.push_back(
        fmt::format("w{} x{}", rng.below(2 * i, 1000000), rng.below(2 * i + 1, 1000)));
  lists.flagged_words.push_back(own);
  const PhraseTable table(lists);
  run(state, [&](const TextView& view) { benchmark::DoNotOptimize(table.count(view)); });
}
BENCHMARK_TEMPLATE(phrases, 0)->Apply(arguments);
BENCHMARK_TEMPLATE(phrases, 50000)->Apply(arguments);

}  // namespace
}  // namespace headrace::measure
