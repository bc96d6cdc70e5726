// SPDX-License-Identifier: Apache-2.0
// For bench/peers/measures_bench.py: what the measures of documents cost, all together and by
// family.
//
//   measure_texts FILE ROUNDS
//
// FILE holds documents, each its length in bytes (u32, native byte order) and the bytes. Prints
// lines of a name and the CPU nanoseconds per byte of UTF-8, the best of the rounds,
// in which the families take turns: "all" is TextView and all measures from text in memory, "view"
// TextView alone; of the others that cost is taken off.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "measure/measure.h"

namespace headrace::measure {
namespace {

std::vector<std::string> documents_of(const char* path) {
  std::vector<std::string> documents;
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return documents;
  std::uint32_t size = 0;
  while (std::fread(&size, sizeof(size), 1, file) == 1) {
    documents.emplace_back(size, '\0');
    if (std::fread(documents.back().data(), 1, size, file) != size) documents.clear();
  }
  std::fclose(file);
  return documents;
}

double cpu_nanoseconds() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  const auto microseconds = [](const timeval& t) {
    return 1e6 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec);
  };
  return 1e3 * (microseconds(used.ru_utime) + microseconds(used.ru_stime));
}

struct Family {
  const char* name;
  std::function<void(const TextView&)> count;
  double best = 1e300;  // nanoseconds
};

std::vector<Family> families() {
  struct Counters {
    MeasureSet all;
    std::vector<double> values = std::vector<double>(all.size());
    CodePointRunCounter runs;
    WordCounter words;
    WordNgramCounter ngrams;
    LineCounter lines;
    ParagraphCounter paragraphs;
    CompressionCounter compression;
    CharacterCounter characters;
    std::shared_ptr<const WordTables> tables = WordTables::built_in();
  };
  const auto c = std::make_shared<Counters>();
  return {
      {"all", [c](const TextView& view) { c->all.of(view, c->values); }},
      {"view", [](const TextView&) {}},
      {"runs", [c](const TextView& view) { c->runs.count(view); }},
      {"words", [c](const TextView& view) { c->words.count(view, c->tables->stop_words()); }},
      {"words and n-grams",
       [c](const TextView& view) {
         c->words.count(view, c->tables->stop_words());
         c->ngrams.count(view, c->words.repeated());
       }},
      {"lines",
       [c](const TextView& view) {
         c->lines.count(view);
         c->paragraphs.count(view, c->lines.hashes());
         count_sentences(view);
       }},
      {"compression", [c](const TextView& view) { c->compression.count(view); }},
      {"characters", [c](const TextView& view) { c->characters.count(view); }},
      {"phrases", [c](const TextView& view) { c->tables->phrases().count(view); }},
  };
}

int run(const char* path, int rounds) {
  const std::vector<std::string> documents = documents_of(path);
  double bytes = 0;
  for (const std::string& document : documents) bytes += static_cast<double>(document.size());
  if (bytes == 0) {
    std::fprintf(stderr, "measure_texts: no documents in %s\n", path);
    return 1;
  }
  const SimdLevel level = std::min(SimdLevel::kAvx2, best_simd_level());
  TextViewBuilder builder(level);
  std::vector<Family> all = families();
  for (int round = 0; round < rounds; ++round) {
    for (Family& family : all) {
      const double start = cpu_nanoseconds();
      for (const std::string& document : documents) family.count(builder.build(document));
      family.best = std::min(family.best, cpu_nanoseconds() - start);
    }
  }
  const double view = all[1].best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("%s\t%.4f\n", all[i].name, (all[i].best - (i < 2 ? 0 : view)) / bytes);
  }
  return 0;
}

}  // namespace
}  // namespace headrace::measure

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: measure_texts FILE ROUNDS\n", stderr);
    return 2;
  }
  return headrace::measure::run(arguments[1], std::atoi(arguments[2]));
}
