// SPDX-License-Identifier: Apache-2.0
// Encoding with the Qwen3 tokenizer, one thread: English and Chinese, at each instruction set, with
// an encoder that is new (fresh) and one that has seen the text (warm). Also one megabyte of one
// letter.
//
// Needs HEADRACE_DATA. HEADRACE_BENCH_TEXT names a plain text file to time as well; its lines are
// the documents. Before any timing the ids are decoded again and must be the text, and their number
// must be that of tokenizers 0.22.2.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <zlib.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "headrace/tokenizer.h"

#include "record/simd_level.h"

namespace headrace {
namespace {

struct Text {
  std::vector<std::string> documents;
  std::size_t bytes = 0;
};

void add_lines(std::string_view all, Text* text) {
  while (!all.empty()) {
    const std::size_t end = std::min(all.find('\n'), all.size() - 1) + 1;
    text->documents.emplace_back(all.substr(0, end));
    text->bytes += end;
    all.remove_prefix(end);
  }
}

// gzip or plain.
std::string read_gzip(const std::string& path) {
  std::string all;
  if (gzFile file = gzopen(path.c_str(), "rb")) {
    char buffer[1 << 16];
    for (int n = 0; (n = gzread(file, buffer, sizeof(buffer))) > 0;) {
      all.append(buffer, static_cast<std::size_t>(n));
    }
    gzclose(file);
  }
  return all;
}

Text read_texts(std::initializer_list<const char*> names, const std::string& folder) {
  Text text;
  for (const char* name : names) add_lines(read_gzip(folder + name), &text);
  return text;
}

std::size_t encode_all(Encoder* encoder, const Text& text, std::vector<std::uint32_t>* ids) {
  std::size_t count = 0;
  for (const std::string& document : text.documents) {
    ids->clear();
    if (!encoder->encode(document, ids).has_value()) return 0;
    count += ids->size();
  }
  return count;
}

// What is wrong with the ids; empty: nothing.
std::string check(const Tokenizer& tokenizer, const Text& text, std::size_t expected) {
  Encoder encoder(tokenizer);
  std::size_t count = 0;
  for (const std::string& document : text.documents) {
    std::vector<std::uint32_t> ids;
    if (!encoder.encode(document, &ids).has_value()) return "not UTF-8";
    if (tokenizer.decode(ids).value() != document) return "decoded text differs: " + document;
    count += ids.size();
  }
  if (expected != 0 && count != expected) return fmt::format("{} ids, not {}", count, expected);
  return count == 0 ? "no text" : "";
}

void run(benchmark::State& state, const Tokenizer& tokenizer, const Text& text, SimdLevel level,
         bool warm) {
  Encoder encoder(tokenizer, {}, level);
  std::vector<std::uint32_t> ids;
  std::size_t count = encode_all(&encoder, text, &ids);
  for (auto _ : state) {
    if (!warm) {
      state.PauseTiming();
      encoder = Encoder(tokenizer, {}, level);
      state.ResumeTiming();
    }
    count = encode_all(&encoder, text, &ids);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.bytes));
  state.counters["bytes_per_id"] = static_cast<double>(text.bytes) / static_cast<double>(count);
}

void add(const std::string& name, const Tokenizer& tokenizer, const Text& text,
         std::size_t expected) {
  const std::string wrong = check(tokenizer, text, expected);
  for (int i = 0; i <= static_cast<int>(best_simd_level()); ++i) {
    const auto level = static_cast<SimdLevel>(i);
    for (const bool warm : {false, true}) {
      const std::string full =
          fmt::format("{}/{}/{}", name, name_of(level), warm ? "warm" : "fresh");
      benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        if (!wrong.empty()) return state.SkipWithError(wrong.c_str());
        run(state, tokenizer, text, level, warm);
      })->Unit(benchmark::kMillisecond);
    }
  }
}

int bench(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) {
    std::fprintf(stderr, "tokenize_bench: HEADRACE_DATA is not set\n");
    return 0;
  }
  const std::string folder = std::string(data) + "/";
  const auto tokenizer = Tokenizer::open(folder + "tokenizers/qwen3/tokenizer.json");
  if (!tokenizer.has_value()) {
    std::fprintf(stderr, "tokenize_bench: %s\n", tokenizer.error().message().c_str());
    return 1;
  }
  add("English", *tokenizer,
      read_texts({"dup-en-pairs/wiki-split/test.tsv.gz",
                  "dup-en-pairs/msr-paraphrase-corpus/msr_paraphrase_train.txt.gz"},
                 folder),
      732643);
  add("Chinese", *tokenizer,
      read_texts({"zh-novels/utf8/三国演义.txt.gz", "zh-novels/utf8/水浒传.txt.gz",
                  "zh-novels/utf8/红楼梦.txt.gz", "zh-novels/utf8/西游记.txt.gz"},
                 folder),
      2536605);
  add("OneLetter", *tokenizer, {.documents = {std::string(1000000, 'a')}, .bytes = 1000000},
      125000);
  if (const char* path = std::getenv("HEADRACE_BENCH_TEXT")) {
    Text text;
    add_lines(read_gzip(path), &text);
    add("File", *tokenizer, text, 0);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace headrace

int main(int argc, char** argv) { return headrace::bench(argc, argv); }
