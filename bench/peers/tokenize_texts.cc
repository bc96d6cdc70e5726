// SPDX-License-Identifier: Apache-2.0
// Our side of tokenizer_bench.py:
//
//   tokenize_texts TOKENIZER scalar|avx2|avx512 PASSES THREADS < documents > ids
//
// A document is its length in bytes (u32, little-endian) and the bytes; its ids are their number
// (u32) and the ids, of the first pass. Each thread has one encoder and takes document after
// document. Standard error: for each pass its seconds and CPU seconds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include "headrace/tokenizer.h"

#include "record/simd_level.h"

namespace {

using headrace::SimdLevel;

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::vector<std::string> read_documents() {
  std::vector<std::string> documents;
  std::uint32_t size = 0;
  while (std::fread(&size, sizeof(size), 1, stdin) == 1) {
    std::string document(size, '\0');
    if (std::fread(document.data(), 1, size, stdin) != size) break;
    documents.push_back(std::move(document));
  }
  return documents;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 1;
  const auto tokenizer = headrace::Tokenizer::open(argv[1]);
  if (!tokenizer) {
    std::fprintf(stderr, "%s\n", tokenizer.error().message().c_str());
    return 1;
  }
  SimdLevel level = SimdLevel::kScalar;
  for (const SimdLevel known : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (name_of(known) == argv[2]) level = known;
  }
  if (level > headrace::best_simd_level()) return 1;
  const int passes = std::stoi(argv[3]);
  const auto threads = static_cast<std::size_t>(std::stoi(argv[4]));
  const std::vector<std::string> documents = read_documents();
  std::vector<headrace::Encoder> encoders;
  for (std::size_t i = 0; i < threads; ++i) {
    encoders.emplace_back(*tokenizer, headrace::EncodeOptions{}, level);
  }
  std::vector<std::vector<std::uint32_t>> ids(documents.size());
  for (int pass = 0; pass < passes; ++pass) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> good = true;
    const auto work = [&](headrace::Encoder& encoder) {
      std::vector<std::uint32_t> found;
      for (std::size_t i = next++; i < documents.size(); i = next++) {
        found.clear();
        if (!encoder.encode(documents[i], &found)) good = false;
        if (pass == 0) ids[i] = found;
      }
    };
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, std::ref(encoders[i]));
      work(encoders[0]);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (!good) return 1;
    std::fprintf(stderr, "%.6f %.6f\n", taken.count(), cpu_seconds() - cpu);
  }
  for (const auto& of_document : ids) {
    const auto count = static_cast<std::uint32_t>(of_document.size());
    std::fwrite(&count, sizeof(count), 1, stdout);
    std::fwrite(of_document.data(), sizeof(of_document[0]), of_document.size(), stdout);
  }
  return 0;
}
