// SPDX-License-Identifier: Apache-2.0
// Lines, paragraphs and stretches that occur again, and SimHash, of Chinese and English prose that
// is drawn from a seed; every result is compared with a plain one (maps of strings, all pairs)
// first.
#include <bit>
#include <map>
#include <set>
#include <unordered_map>

#include <benchmark/benchmark.h>

#include "base/counter_rng.h"
#include "dedup/anchors.h"
#include "dedup/pieces.h"
#include "dedup/shingles.h"
#include "dedup/simhash.h"

namespace headrace::dedup {
namespace {

constexpr std::size_t kBytes = std::size_t{16} << 20;
constexpr std::size_t kDocument = 3000;
constexpr std::uint32_t kWindow = 100;

std::string han(std::uint64_t draw) {
  const auto c = static_cast<unsigned>(0x4E00 + draw % 2500 * (draw >> 32) % 2500);
  return {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
          static_cast<char>(0x80 | (c & 0x3F))};
}

// About `bytes` of prose in lines of a few hundred bytes.
std::string prose(bool chinese, std::uint64_t seed, std::size_t bytes) {
  const CounterRng rng(seed, purpose("bench prose"));
  std::string text;
  for (std::uint64_t i = 0; text.size() < bytes; ++i) {
    std::uint64_t draw = rng.at(i);
    if (chinese) {
      text += han(draw);
      if (draw >> 60 == 1) text += "，";
      if (draw >> 57 == 5) text += "。\n";
      continue;
    }
    for (std::uint64_t n = 2 + draw % 8; n > 0; --n, draw /= 26)
      text += static_cast<char>('a' + draw % 26);
    text += i % 40 == 39 ? ".\n" : " ";
  }
  return text;
}

// Documents of which every third holds a stretch of an earlier one, and every fifth a line.
const std::vector<std::string>& documents(bool chinese) {
  static const auto make = [](bool zh) {
    std::vector<std::string> texts;
    const CounterRng rng(3, purpose("bench copies"));
    std::size_t bytes = 0;
    for (std::uint64_t i = 0; bytes < kBytes; ++i) {
      std::string text = prose(zh, 1000 + i, kDocument);
      if (i > 10 && i % 3 == 0) {
        const std::string& from = texts[rng.at(i) % texts.size()];
        std::size_t begin = rng.at(i + 1) % (from.size() / 2);
        std::size_t end = begin + 300 + rng.at(i + 2) % 900;
        while ((from[begin] & 0xC0) == 0x80) ++begin;
        while (end < from.size() && (from[end] & 0xC0) == 0x80) ++end;
        text += from.substr(begin, end - begin);
      }
      if (i > 10 && i % 5 == 0) {
        const std::string& from = texts[rng.at(i + 3) % texts.size()];
        text += "\n" + from.substr(0, from.find('\n') + 1);
      }
      bytes += text.size();
      texts.push_back(std::move(text));
    }
    return texts;
  };
  static const std::vector<std::string> zh = make(true);
  static const std::vector<std::string> en = make(false);
  return chinese ? zh : en;
}

std::int64_t bytes_of(std::span<const std::string> texts) {
  std::int64_t bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<std::int64_t>(text.size());
  return bytes;
}

std::vector<Repeat> repeated_pieces(std::span<const std::string> texts, PieceLevel level) {
  PieceHasher hasher(*HashView::make({"nfkc", "casefold", "whitespace"}), 30);
  std::vector<Occurrence> all;
  for (std::size_t i = 0; i < texts.size(); ++i) hasher.add(texts[i], i, level, &all);
  std::vector<Repeat> repeats;
  std::vector<Occurrence> rest;
  find_repeats(all, &repeats, &rest);
  return repeats;
}

// By a map of the views themselves.
std::size_t plain_repeated_pieces(std::span<const std::string> texts, PieceLevel level) {
  auto view = *HashView::make({"nfkc", "casefold", "whitespace"});
  std::unordered_map<std::string, int> seen;
  std::size_t repeats = 0;
  std::vector<Piece> pieces;
  for (const std::string& text : texts) {
    find_pieces(text, level, &pieces);
    for (const Piece& piece : pieces) {
      std::string one(
          view.view(std::string_view(text).substr(piece.begin, piece.end - piece.begin)));
      const auto points =
          std::count_if(one.begin(), one.end(), [](char c) { return (c & 0xC0) != 0x80; });
      if (points >= 30) repeats += seen[std::move(one)]++ > 0;
    }
  }
  return repeats;
}

void BM_Pieces(benchmark::State& state) {
  const auto& texts = documents(state.range(0) == 1);
  const auto level = state.range(1) == 1 ? PieceLevel::kLine : PieceLevel::kParagraph;
  if (repeated_pieces(texts, level).size() != plain_repeated_pieces(texts, level))
    return state.SkipWithError("not the repeats that a map of strings finds");
  for (auto _ : state) benchmark::DoNotOptimize(repeated_pieces(texts, level));
  state.SetBytesProcessed(state.iterations() * bytes_of(texts));
}
BENCHMARK(BM_Pieces)
    ->ArgNames({"zh", "line"})
    ->ArgsProduct({{1, 0}, {1, 0}})
    ->Unit(benchmark::kMillisecond);

// What the span pass does, in one part.
std::vector<Repeat> repeated_stretches(std::span<const std::string> texts) {
  AnchorFinder finder(kWindow);
  std::vector<AnchorContext> contexts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const TextRange segment : segments_of(texts[i], kWindow))
      finder.add(texts[i], segment, i, &contexts);
  }
  std::vector<Repeat> repeats;
  std::vector<AnchorContext> rest;
  find_repeats(contexts, &repeats, &rest);
  std::vector<OpenContext> open;
  open_contexts(rest, &open);
  std::vector<Occurrence> windows;
  for (const OpenContext& context : open)
    add_windows(texts[context.id], context, kWindow, &windows);
  std::vector<Occurrence> others;
  find_repeats(windows, &repeats, &others);
  return repeats;
}

std::size_t bytes_in(std::span<const std::string> texts, const std::vector<Repeat>& repeats) {
  std::vector<std::vector<bool>> gone;
  for (const std::string& text : texts) gone.emplace_back(text.size());
  for (const Repeat& repeat : repeats)
    std::fill(gone[repeat.id].begin() + repeat.begin, gone[repeat.id].begin() + repeat.end, true);
  std::size_t bytes = 0;
  for (const auto& one : gone)
    bytes += static_cast<std::size_t>(std::count(one.begin(), one.end(), true));
  return bytes;
}

// Every window as a string in a map.
std::vector<Repeat> plain_repeated_stretches(std::span<const std::string> texts) {
  std::unordered_map<std::string_view, Repeat> firsts;
  std::vector<Repeat> repeats;
  std::vector<Occurrence> windows;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    windows.clear();
    add_windows(texts[i], {i, 0, static_cast<std::uint32_t>(texts[i].size())}, kWindow, &windows);
    for (const Occurrence& window : windows) {
      const Repeat here = {.id = i, .begin = window.begin, .end = window.end};
      const auto [first, added] = firsts.try_emplace(
          std::string_view(texts[i]).substr(window.begin, window.end - window.begin), here);
      if (!added && (first->second.id != i || first->second.end <= window.begin))
        repeats.push_back(here);
    }
  }
  return repeats;
}

void BM_Stretches(benchmark::State& state) {
  const auto& texts = documents(state.range(0) == 1);
  const std::span<const std::string> some = std::span(texts).first(texts.size() / 8);
  const std::size_t wanted = bytes_in(some, plain_repeated_stretches(some));
  if (wanted == 0 || bytes_in(some, repeated_stretches(some)) != wanted)
    return state.SkipWithError("not the bytes that a map of all windows finds");
  for (auto _ : state) benchmark::DoNotOptimize(repeated_stretches(texts));
  state.SetBytesProcessed(state.iterations() * bytes_of(texts));
  state.counters["removed_share"] =
      static_cast<double>(bytes_in(texts, repeated_stretches(texts))) /
      static_cast<double>(bytes_of(texts));
}
BENCHMARK(BM_Stretches)->ArgNames({"zh"})->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond);

void BM_StretchesByAMapOfAllWindows(benchmark::State& state) {
  const auto& texts = documents(state.range(0) == 1);
  const std::span<const std::string> some = std::span(texts).first(texts.size() / 8);
  for (auto _ : state) benchmark::DoNotOptimize(plain_repeated_stretches(some));
  state.SetBytesProcessed(state.iterations() * bytes_of(some));
}
BENCHMARK(BM_StretchesByAMapOfAllWindows)
    ->ArgNames({"zh"})
    ->Arg(1)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond);

// Texts → 64 bits, the view and the shingles included.
void BM_Simhash(benchmark::State& state) {
  const auto& texts = documents(state.range(0) == 1);
  TextViewBuilder builder;
  Shingler shingler;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    for (const std::string& text : texts)
      sum ^= simhash(shingler.shingles(builder.build(text), kLongNgram));
  }
  if (sum == 0 && state.iterations() % 2 == 1) state.SkipWithError("no hash");
  state.SetBytesProcessed(state.iterations() * bytes_of(texts));
}
BENCHMARK(BM_Simhash)->ArgNames({"zh"})->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond);

// `count` hashes, of which every hundredth has a neighbour at a distance of up to the radius.
std::vector<std::uint64_t> hashes(std::size_t count, unsigned radius) {
  const CounterRng rng(9, purpose("bench hashes"));
  std::set<std::uint64_t> distinct;
  for (std::uint64_t i = 0; distinct.size() < count; ++i) {
    const std::uint64_t hash = rng.at(i);
    distinct.insert(hash);
    if (i % 100 != 0) continue;
    std::uint64_t near = hash;
    for (unsigned bit = 0; bit <= i % radius; ++bit)
      near ^= std::uint64_t{1} << rng.at(i + bit + 1) % 64;
    distinct.insert(near);
  }
  return {distinct.begin(), distinct.end()};
}

std::size_t near_pairs(const std::vector<std::uint64_t>& all, unsigned radius) {
  std::size_t pairs = 0;
  for_each_near_pair(all, radius, [&](std::uint32_t, std::uint32_t, unsigned) { ++pairs; });
  return pairs;
}

std::size_t plain_near_pairs(const std::vector<std::uint64_t>& all, unsigned radius) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j)
      pairs += static_cast<unsigned>(std::popcount(all[i] ^ all[j])) <= radius;
  }
  return pairs;
}

void BM_NearPairs(benchmark::State& state) {
  const auto radius = static_cast<unsigned>(state.range(1));
  const std::vector<std::uint64_t> few = hashes(20'000, radius);
  if (near_pairs(few, radius) != plain_near_pairs(few, radius))
    return state.SkipWithError("not the pairs that comparing all finds");
  const std::vector<std::uint64_t> all = hashes(static_cast<std::size_t>(state.range(0)), radius);
  for (auto _ : state) benchmark::DoNotOptimize(near_pairs(all, radius));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_NearPairs)
    ->ArgNames({"hashes", "radius"})
    ->ArgsProduct({{100'000, 1'000'000}, {3, 8}})
    ->Unit(benchmark::kMillisecond);

void BM_NearPairsComparingAll(benchmark::State& state) {
  const std::vector<std::uint64_t> all = hashes(20'000, 3);
  for (auto _ : state) benchmark::DoNotOptimize(plain_near_pairs(all, 3));
  state.SetItemsProcessed(state.iterations() * 20'000);
}
BENCHMARK(BM_NearPairsComparingAll)->Unit(benchmark::kMillisecond);

// How often the bits of a text and of a copy with some words changed lie within a radius.
void BM_RecallAtRadius(benchmark::State& state) {
  const auto radius = static_cast<int>(state.range(0));
  const auto share = static_cast<double>(state.range(1)) / 1000;
  const CounterRng rng(5, purpose("bench edits"));
  TextViewBuilder builder;
  Shingler shingler;
  const auto& texts = documents(false);
  std::size_t near = 0;
  std::size_t count = 0;
  for (auto _ : state) {
    near = count = 0;
    for (std::size_t i = 0; i < 1000; ++i, ++count) {
      std::string changed = texts[i];
      for (std::size_t at = 0; at < changed.size(); ++at) {
        if (changed[at] == ' ' && rng.at(i << 16 | at) < share * 0x1p64) changed.insert(at, "q");
      }
      const std::uint64_t before = simhash(shingler.shingles(builder.build(texts[i]), kLongNgram));
      const std::uint64_t after = simhash(shingler.shingles(builder.build(changed), kLongNgram));
      near += std::popcount(before ^ after) <= radius;
    }
  }
  state.counters["recall"] = static_cast<double>(near) / static_cast<double>(count);
}
BENCHMARK(BM_RecallAtRadius)
    ->ArgNames({"radius", "changed_words_permille"})
    ->ArgsProduct({{3, 8}, {2, 5, 10, 20}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::dedup
