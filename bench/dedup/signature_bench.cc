// SPDX-License-Identifier: Apache-2.0
// Signatures from text in memory, on one core, and how well they estimate.
//
//   HEADRACE_DATA=... build/bench/signature_bench
//
// English and Chinese documents of 1 to 5000 bytes, cut from real files. Arguments: instructions (0
// scalar, 1 AVX2, 2 AVX-512) and language (0 English, 1 Chinese). Before any time is taken, the
// signatures of these instructions are compared with those of the scalar ones; the estimates of
// pairs of known similarity (`error`: root mean square over that of independent minima,
// sqrt(s (1 - s) / permutations)) must not be worse than theory, by a tenth.
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <hwy/targets.h>

#include "base/counter_rng.h"
#include "dedup/near.h"
#include "record/testing/texts.h"

namespace headrace::dedup {
namespace {

const std::vector<std::string>& corpus(bool chinese) {
  static const auto make = [](bool zh) {
    std::vector<std::string> documents;
    for (RealText& text : real_texts(2'000'000)) {
      const bool wanted =
          zh ? text.name.starts_with("zh-novels") || text.name.starts_with("zh-reviews")
             : text.name.starts_with("quality-labels-en") || text.name.starts_with("en-books-news");
      if (!wanted) continue;
      for (std::string& piece : random_pieces(text.text, 3, 5000))
        documents.push_back(std::move(piece));
    }
    return documents;
  };
  static const std::vector<std::string> english = make(false);
  static const std::vector<std::string> zh = make(true);
  return chinese ? zh : english;
}

// The same instructions for the view and for the kernels on it.
class Instructions {
 public:
  explicit Instructions(SimdLevel level) : level_(level) {
    std::int64_t targets = HWY_SCALAR | HWY_EMU128;
    if (level >= SimdLevel::kAvx2) targets |= HWY_AVX2 | HWY_SSE4 | HWY_SSSE3;
    if (level >= SimdLevel::kAvx512) targets |= HWY_AVX3 | HWY_AVX3_DL;
    if (level < SimdLevel::kAvx512) hwy::DisableTargets(~targets);
  }
  ~Instructions() { hwy::DisableTargets(0); }
  Instructions(const Instructions&) = delete;
  Instructions& operator=(const Instructions&) = delete;
  SimdLevel level() const { return level_; }

 private:
  SimdLevel level_;
};

std::uint64_t digest(const std::vector<std::string>& documents, SimdLevel level,
                     const SignatureSettings& settings) {
  const Instructions instructions(level);
  TextViewBuilder builder(level);
  Signer signer(settings);
  std::uint64_t sum = 0;
  for (const std::string& document : documents) {
    for (const Signature& signature : signer.sign(builder.build(document))) {
      sum = mix64(sum + signature.set.high + signature.shingles);
      for (const std::uint16_t value : signature.values) sum = mix64(sum ^ value);
    }
  }
  return sum;
}

// Words of two sets of `size` of which `common` are in both, as a text each.
std::pair<std::string, std::string> pair_of_texts(std::uint64_t seed, std::uint64_t size,
                                                  std::uint64_t common) {
  const CounterRng rng(seed, purpose("signature_bench"));
  std::string a;
  std::string b;
  for (std::uint64_t i = 0; i < size; ++i) {
    a += fmt::format("{:x} ", rng.at(i));
    b += fmt::format("{:x} ", rng.at(i < common ? i : i + size));
  }
  return {a, b};
}

// Root mean square error of estimates at similarity 0.5 and 0.8, relative to theory.
double estimate_error(const SignatureSettings& settings, std::uint64_t size) {
  SignatureSettings single = settings;
  single.ngram = 1;
  TextViewBuilder builder;
  Signer signer(single);
  double sum = 0;
  constexpr std::uint64_t kPairs = 400;
  for (std::uint64_t i = 0; i < kPairs; ++i) {
    const std::uint64_t common = i % 2 == 0 ? size * 2 / 3 : size * 8 / 9;
    const double truth = static_cast<double>(common) / static_cast<double>(2 * size - common);
    const auto [a, b] = pair_of_texts(i, size, common);
    const auto signed_a = signer.sign(builder.build(a));
    const std::vector<std::uint16_t> values(signed_a[0].values.begin(), signed_a[0].values.end());
    const double estimate = estimated_similarity(values, signer.sign(builder.build(b))[0].values);
    sum += (estimate - truth) * (estimate - truth) * settings.permutations / (truth * (1 - truth));
  }
  return std::sqrt(sum / kPairs);
}

void sign(benchmark::State& state, const SignatureSettings& settings) {
  const auto level = static_cast<SimdLevel>(state.range(0));
  const std::vector<std::string>& documents = corpus(state.range(1) != 0);
  if (documents.empty()) return state.SkipWithError("HEADRACE_DATA names no texts");
  if (level > best_simd_level()) return state.SkipWithError("this machine lacks the instructions");
  if (digest(documents, level, settings) != digest(documents, SimdLevel::kScalar, settings))
    return state.SkipWithError("signatures differ from those of the scalar kernels");
  const double error = std::max(estimate_error(settings, 45), estimate_error(settings, 900));
  if (error > 1.1) return state.SkipWithError("estimates are worse than theory");
  const Instructions instructions(level);
  TextViewBuilder builder(level);
  Signer signer(settings);
  std::size_t bytes = 0;
  for (const std::string& document : documents) bytes += document.size();
  for (auto _ : state) {
    for (const std::string& document : documents)
      benchmark::DoNotOptimize(signer.sign(builder.build(document)).data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
  state.counters["error"] = error;
  state.SetLabel(std::string(name_of(level)) + (state.range(1) != 0 ? " Chinese" : " English"));
}

void arguments(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{2, 1, 0}, {0, 1}})->Unit(benchmark::kMillisecond);
}

void sketch(benchmark::State& state) { sign(state, {.method = SignatureMethod::kSketch}); }
BENCHMARK(sketch)->Apply(arguments);

void minhash(benchmark::State& state) { sign(state, {.method = SignatureMethod::kMinHash}); }
BENCHMARK(minhash)->Apply(arguments);

// A quarter of what a text costs is the view, which measures need as well.
void view_alone(benchmark::State& state) {
  const auto level = static_cast<SimdLevel>(state.range(0));
  const std::vector<std::string>& documents = corpus(state.range(1) != 0);
  if (documents.empty()) return state.SkipWithError("HEADRACE_DATA names no texts");
  TextViewBuilder builder(level);
  std::size_t bytes = 0;
  for (const std::string& document : documents) bytes += document.size();
  for (auto _ : state) {
    for (const std::string& document : documents)
      benchmark::DoNotOptimize(builder.build(document).counts.words);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}
BENCHMARK(view_alone)->Apply(arguments);

// Candidates compared by their true sets of 32-bit shingles: pairs of 1074 shingles together, as
// pairs of English and Chinese web pages have them on average.
void verify(benchmark::State& state) {
  constexpr std::size_t kSets = 2000;
  const CounterRng rng(7, purpose("verify"));
  std::vector<std::vector<std::uint32_t>> sets(kSets);
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> shingles;
  for (std::size_t i = 0; i < kSets; ++i) {
    // Consecutive sets share four of five.
    shingles.clear();
    const std::uint64_t size = 300 + rng.below(i / 2, 474);
    for (std::uint64_t k = 0; k < size; ++k)
      shingles.push_back(rng.at((i / 2 + (k % 9 == 0 ? i : 0) * 7919) << 20 | k));
    shingle_set(shingles, &sets[i]);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < kSets; i += 2) {
    std::vector<std::uint32_t> common;
    std::set_intersection(sets[i].begin(), sets[i].end(), sets[i + 1].begin(), sets[i + 1].end(),
                          std::back_inserter(common));
    expected.push_back(common.size());
    if (intersection_size(sets[i], sets[i + 1]) != common.size())
      return state.SkipWithError("sizes of intersections are wrong");
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i + 1 < kSets; i += 2) sum += intersection_size(sets[i], sets[i + 1]);
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kSets / 2));
}
BENCHMARK(verify)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace headrace::dedup
