// SPDX-License-Identifier: Apache-2.0
// A text column → a Parquet file on tmpfs, against plain zstd level 1 on the same bytes in the same
// run: what the writer adds to the compressor. Text: HEADRACE_BENCH_TEXT names a file of UTF-8;
// otherwise words drawn from a seed.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>
#include <zstd.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/counter_rng.h"
#include "record/parquet_table.h"

namespace headrace {
namespace {

constexpr std::size_t kBytes = std::size_t{128} << 20;

// Words of one to four syllables, by rank as in a language: the r-th word about as often as 1/r.
std::string drawn_text(std::size_t bytes) {
  constexpr CounterRng rng(1, purpose("bench text"));
  constexpr std::uint64_t kWords = 40000;
  std::string text;
  for (std::uint64_t i = 0; text.size() < bytes; ++i) {
    const auto rank = static_cast<std::uint64_t>(std::pow(kWords, rng.unit(i)));
    std::uint64_t word = mix64(rank);
    for (int syllable = 0; syllable <= static_cast<int>(rank % 4); ++syllable, word >>= 8) {
      text += "bcdfghklmnprstvz"[word % 16];
      text += "aeiou"[(word >> 4) % 5];
    }
    text += i % 12 == 11 ? ". " : " ";
  }
  text.resize(bytes);
  return text;
}

const std::string& bench_text() {
  static const std::string text = [] {
    const char* file = std::getenv("HEADRACE_BENCH_TEXT");
    if (file == nullptr) return drawn_text(kBytes);
    std::ifstream in(file, std::ios::binary);
    const std::string once(std::istreambuf_iterator<char>(in), {});
    std::string many = once;
    while (!once.empty() && many.size() < kBytes) many += once;
    return many;
  }();
  return text;
}

void BM_PlainZstd(benchmark::State& state) {
  const std::string& text = bench_text();
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<char> out(ZSTD_compressBound(kPiece));
  std::size_t compressed = 0;
  for (auto _ : state) {
    compressed = 0;
    for (std::size_t at = 0; at < text.size(); at += kPiece) {
      const std::size_t n = std::min(kPiece, text.size() - at);
      compressed += ZSTD_compress(out.data(), out.size(), text.data() + at, n, 1);
    }
  }
  state.counters["compressed"] = static_cast<double>(compressed);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_PlainZstd)->Unit(benchmark::kMillisecond);

// Documents of `range(0)` bytes.
void BM_WriteText(benchmark::State& state) {
  const std::string& text = bench_text();
  const auto document = static_cast<std::size_t>(state.range(0));
  const std::string path = fmt::format("/dev/shm/parquet_table_bench_{}", ::getpid());
  for (auto _ : state) {
    auto writer =
        ParquetWriter::create(path, {{"id", ColumnType::kUint64}, {"text", ColumnType::kString}});
    for (std::size_t at = 0; at < text.size(); at += document) {
      (*writer)->append_uint64(0, at);
      (*writer)->append_string(1, std::string_view(text).substr(at, document));
      if (!(*writer)->end_row().has_value()) state.SkipWithError("end_row");
    }
    if (!(*writer)->close().has_value()) state.SkipWithError("close");
  }
  state.counters["compressed"] = static_cast<double>(std::filesystem::file_size(path));
  std::vector<std::string> back;
  if (!(*ParquetReader::open(path))->read_strings("text", 0, &back).has_value() ||
      back.at(1) != std::string_view(text).substr(document, document)) {
    state.SkipWithError("the file does not hold the text");
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_WriteText)->Arg(300)->Arg(3000)->Arg(100000)->Unit(benchmark::kMillisecond);

void BM_ReadText(benchmark::State& state) {
  const std::string& text = bench_text();
  const std::string path = fmt::format("/dev/shm/parquet_table_bench_{}", ::getpid());
  auto writer = ParquetWriter::create(path, {{"text", ColumnType::kString}});
  for (std::size_t at = 0; at < text.size(); at += 3000) {
    (*writer)->append_string(0, std::string_view(text).substr(at, 3000));
    static_cast<void>((*writer)->end_row());
  }
  static_cast<void>((*writer)->close());
  for (auto _ : state) {
    auto reader = ParquetReader::open(path);
    for (int group = 0; group < (*reader)->row_groups(); ++group) {
      std::vector<std::string> texts;
      if (!(*reader)->read_strings("text", group, &texts).has_value()) state.SkipWithError("read");
    }
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_ReadText)->Unit(benchmark::kMillisecond);

// A table of measures: 60 columns of doubles.
void BM_WriteMeasures(benchmark::State& state) {
  constexpr std::size_t kColumns = 60;
  constexpr std::uint64_t kRows = 200000;
  constexpr CounterRng rng(1, purpose("bench measures"));
  std::vector<ColumnInfo> columns;
  for (std::size_t i = 0; i < kColumns; ++i) {
    columns.push_back({fmt::format("m{}", i), ColumnType::kDouble, true});
  }
  const std::string path = fmt::format("/dev/shm/parquet_table_bench_{}", ::getpid());
  for (auto _ : state) {
    auto writer = ParquetWriter::create(path, columns);
    for (std::uint64_t row = 0; row < kRows; ++row) {
      for (std::size_t i = 0; i < kColumns; ++i) {
        (*writer)->append_double(i, static_cast<double>(rng.at(row * kColumns + i) >> 48) / 65536);
      }
      static_cast<void>((*writer)->end_row());
    }
    if (!(*writer)->close().has_value()) state.SkipWithError("close");
  }
  std::filesystem::remove(path);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kRows));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kRows * kColumns * 8));
}
BENCHMARK(BM_WriteMeasures)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace
