// SPDX-License-Identifier: Apache-2.0
// A small planted test on real questions: half of a benchmark is indexed and planted in disguise,
// the other half, in the same disguises, is what must not be found. The large one, in both
// languages and all disguises, is bench/leak/plant.py.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "leak/leak.h"

namespace headrace::leak {
namespace {

std::string full_width(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c > ' ' && c <= '~') {
      const auto wide = static_cast<std::uint32_t>(c) + 0xFEE0;
      out += static_cast<char>(0xE0 | wide >> 12);
      out += static_cast<char>(0x80 | (wide >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (wide & 0x3F));
    } else {
      out += c == ' ' ? std::string("\u3000") : std::string(1, c);
    }
  }
  return out;
}

// One word in `every` goes, is doubled by another, or replaced.
std::string edited(const std::string& text, std::uint64_t every, std::uint64_t seed) {
  const CounterRng random(seed, purpose("leak.test"));
  std::string out;
  std::uint64_t word = 0;
  bool is_skipped = false;
  for (const char c : text) {
    if (c == ' ') {
      is_skipped = false;
      if (random.below(++word, every) == 0) {
        const std::uint64_t kind = random.below(word + (1U << 20), 3);
        is_skipped = kind != 2;
        if (kind != 0) out += " perhaps";
      }
    }
    if (!is_skipped || c == ' ') out += c;
  }
  return out;
}

std::string disguised(const std::string& text, std::size_t kind, std::uint64_t seed) {
  std::string out;
  switch (kind) {
    case 0:
      return text;
    case 1:  // re-spaced, in capitals
      for (const char c : text) {
        out += c == ' ' ? std::string(seed % 2 == 0 ? " \n" : "\u00A0 ")
                        : std::string(1, c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
      }
      return out;
    case 2:
      return full_width(text);
    case 3:  // other punctuation
      for (const char c : text) {
        out += c == ',' || c == '.' || c == '?' ? std::string("；") : std::string(1, c);
      }
      return out;
    case 4:
      return edited(text, 20, seed);
    default:
      return edited(text, 10, seed);
  }
}

TEST(PlantedTest, FindsItsHalfOfABenchmarkAndNotTheOther) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const std::string path = std::string(data) + "/leak-benchmarks/gsm8k/test.jsonl";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto read = read_items(bytes, {.set = "gsm8k", .file = path});
  ASSERT_TRUE(read.has_value()) << read.error().message();
  ASSERT_EQ(read->size(), 1319u);
  IndexBuilder builder = *IndexBuilder::make();
  for (std::size_t i = 0; i < read->size(); i += 2) builder.add((*read)[i]);
  const Index index = *builder.finish();
  Scanner scanner = *Scanner::make(index);

  constexpr std::size_t kKinds = 6;
  std::size_t found[kKinds] = {};
  std::size_t planted[kKinds] = {};
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < read->size(); ++i) {
    const std::size_t kind = i / 2 % kKinds;
    const std::string text = "The post had been up for a week before anybody answered it. " +
                             disguised((*read)[i].question, kind, i) +
                             " Nobody knew who had written it, and the thread was closed.";
    const std::vector<Hit> hits = scanner.scan(text);
    if (i % 2 == 1) {
      wrong += !hits.empty();
      continue;
    }
    ++planted[kind];
    for (const Hit& hit : hits) {
      if (index.item(hit.item).id == (*read)[i].id) {
        ++found[kind];
        break;
      }
    }
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    EXPECT_GE(static_cast<double>(found[kind]), 0.95 * static_cast<double>(planted[kind])) << kind;
    EXPECT_GE(planted[kind], 100u);
  }
  EXPECT_LE(wrong, 3u);
}

}  // namespace
}  // namespace headrace::leak
