// SPDX-License-Identifier: Apache-2.0
// Hash views of Chinese and English prose, against ICU on the whole text in the same run.
// HEADRACE_BENCH_TEXT names a file of UTF-8 text; otherwise prose-like text is drawn from a seed.
#include <cstdlib>
#include <fstream>

#include <benchmark/benchmark.h>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>

#include "base/counter_rng.h"
#include "dedup/exact.h"

namespace headrace::dedup {
namespace {

constexpr std::size_t kBytes = std::size_t{8} << 20;
constexpr std::size_t kDocument = 3000;

// Clauses of some ten Han characters, full-width punctuation between, now and then a line end.
std::string chinese_text() {
  constexpr CounterRng rng(1, purpose("bench zh"));
  constexpr const char* kMarks[] = {"，", "，", "，", "。", "、", "：“", "”，", "！", "。\n　　"};
  std::string text;
  for (std::uint64_t i = 0; text.size() < kBytes; ++i) {
    const std::uint64_t draw = rng.at(i);
    const auto han = static_cast<unsigned>(0x4E00 + draw % 3500 * (draw % 5 + 1));
    text += static_cast<char>(0xE0 | han >> 12);
    text += static_cast<char>(0x80 | (han >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (han & 0x3F));
    if (draw >> 60 == 0) text += kMarks[(draw >> 32) % std::size(kMarks)];
    if (draw >> 60 == 1 && draw >> 58 == 4) text += "ABC 2024年";
  }
  return text;
}

std::string english_text() {
  constexpr CounterRng rng(1, purpose("bench en"));
  std::string text;
  for (std::uint64_t i = 0; text.size() < kBytes; ++i) {
    std::uint64_t draw = rng.at(i);
    const bool starts = draw >> 60 == 0;
    if (starts) text.replace(text.size() - (i > 0), i > 0, ". ");
    for (std::uint64_t n = 1 + draw % 9; n > 0; --n, draw /= 26) {
      text += static_cast<char>((starts && text.back() == ' ' ? 'A' : 'a') + draw % 26);
    }
    text += i % 14 == 13 ? '\n' : ' ';
  }
  return text;
}

const std::string& bench_text(bool chinese) {
  static const std::string zh = [] {
    const char* file = std::getenv("HEADRACE_BENCH_TEXT");
    if (file == nullptr) return chinese_text();
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  static const std::string en = english_text();
  return chinese ? zh : en;
}

// Calls `visit` with documents near kDocument bytes, cut between code points.
template <class Visit>
void for_each_document(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + kDocument, text.size());
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
    visit(text.substr(at, end - at));
    at = end;
  }
}

void BM_HashView(benchmark::State& state) {
  const std::string& text = bench_text(state.range(0) == 1);
  std::vector<std::string> steps = {"nfkc", "casefold", "whitespace"};
  if (state.range(1) == 1) steps.push_back("punctuation");
  auto view = *HashView::make(steps);
  Hash128 sum;
  for (auto _ : state) {
    sum = {};
    for_each_document(text, [&](std::string_view document) { sum.low ^= view.hash(document).low; });
  }
  if (sum.low == 0) state.SkipWithError("no hash");
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_HashView)->ArgNames({"zh", "punctuation"})->ArgsProduct({{1, 0}, {0, 1}});

// nfkc and casefold alone, by ICU's UTF-8 functions.
void BM_Icu(benchmark::State& state) {
  const std::string& text = bench_text(state.range(0) == 1);
  UErrorCode code = U_ZERO_ERROR;
  const auto* nfkc = icu::Normalizer2::getNFKCInstance(code);
  const auto piece = [](std::string_view bytes) {
    return icu::StringPiece(bytes.data(), static_cast<std::int32_t>(bytes.size()));
  };
  for (auto _ : state) {
    for_each_document(text, [&](std::string_view document) {
      std::string normalized;
      std::string folded;
      icu::StringByteSink<std::string> first(&normalized);
      icu::StringByteSink<std::string> second(&folded);
      nfkc->normalizeUTF8(0, piece(document), first, nullptr, code);
      icu::CaseMap::utf8Fold(0, piece(normalized), second, nullptr, code);
      benchmark::DoNotOptimize(hash128(folded));
    });
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_Icu)->ArgNames({"zh"})->Arg(1)->Arg(0);

void BM_FindExactDuplicates(benchmark::State& state) {
  constexpr CounterRng rng(1, purpose("bench exact"));
  std::vector<ExactEntry> entries(1'000'000);
  for (std::uint64_t i = 0; i < entries.size(); ++i) {
    entries[i] = {.view = {rng.at(rng.below(i, 900'000)), 0}, .id = i};
  }
  for (auto _ : state) {
    auto copy = entries;
    benchmark::DoNotOptimize(find_exact_duplicates(copy));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * entries.size()));
}
BENCHMARK(BM_FindExactDuplicates)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::dedup
