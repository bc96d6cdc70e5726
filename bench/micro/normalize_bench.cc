// SPDX-License-Identifier: Apache-2.0
// Normalizing steps and decoders. Texts come from HEADRACE_DATA where it is set, else from a seed.
// Each run checks what the step changed before its time counts.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>

#include "base/counter_rng.h"
#include "normalize/internal/encodings.h"
#include "normalize/normalize.h"

namespace {

using headrace::normalize::decoders;
using headrace::normalize::make_step;

constexpr std::size_t kBytes = 8 << 20;

std::string file(const std::string& name) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) return {};
  std::ifstream in(std::string(data) + "/" + name, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string made(const std::vector<std::string>& words, const std::string& between) {
  const headrace::CounterRng rng(1, headrace::purpose("normalize_bench"));
  std::string text;
  for (std::uint64_t i = 0; text.size() < 1 << 20; ++i) {
    text += words[rng.below(i, words.size())];
    text += i % 40 == 39 ? "\n" : between;
  }
  return text;
}

std::string repeated(std::string text) {
  while (text.size() < kBytes) text += "\n" + std::string(text);
  return text;
}

const std::string& chinese() {
  static const std::string text = [] {
    std::string read = file("multi-wikipedia-mars/wikipedia_mars/chinese.utf8.txt");
    return repeated(
        read.empty() ? made({"火星", "是", "太阳系", "，", "第四", "颗", "行星", "。"}, "") : read);
  }();
  return text;
}

const std::string& english() {
  static const std::string text = [] {
    std::string read = file("multi-wikipedia-mars/wikipedia_mars/english.utf8.txt");
    return repeated(read.empty() ? made({"Mars", "is", "the", "fourth", "planet"}, " ") : read);
  }();
  return text;
}

// As the text comes, and as it is once the step has cleaned it.
void step(benchmark::State& state, const char* name, const std::string& (*input)(), bool clean) {
  const auto made_step = make_step(name, {}).value();
  std::string scratch;
  std::string text = input();
  if (clean) made_step->apply(text, scratch);
  const std::string before = text;
  std::size_t changes = 0;
  for (auto _ : state) {
    if (!clean) {
      state.PauseTiming();
      text = before;
      state.ResumeTiming();
    }
    changes = made_step->apply(text, scratch);
    benchmark::DoNotOptimize(text.data());
  }
  if (clean && (changes != 0 || text != before)) state.SkipWithError("clean text was changed");
  state.counters["changes_per_kB"] =
      static_cast<double>(changes) * 1000 / static_cast<double>(before.size());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(before.size()));
}

// Pages of news: scripts, navigation, an article of real text, teasers.
std::vector<std::string> pages_of(const std::string& text) {
  const auto repeat = [](std::string* page, int times, const char* what) {
    for (int i = 0; i < times; ++i) *page += what;
  };
  std::vector<std::string> pages;
  for (std::size_t at = 0; pages.size() < 20; at += 4000) {
    std::string page = "<!DOCTYPE html><html><head><title>A page</title><script>var data = [";
    repeat(&page, 400, "{\"id\": 17, \"a\": \"<b>\"},");
    page += "];</script></head><body class=\"home\"><nav><ul>";
    repeat(&page, 60, "<li class=\"item\"><a href=\"/section/x\">Section</a></li>\n");
    page += "</ul></nav><div class=\"article-body\">";
    std::istringstream lines(text.substr(text.find('\n', at), 4000));
    for (std::string line; std::getline(lines, line);) page += "<p>" + line + "</p>\n";
    page += "</div>";
    repeat(&page, 40, "<div class=\"t\"><h3><a href=\"/x\">A story of the day</a></h3></div>\n");
    pages.push_back(page + "</body></html>\n");
  }
  return pages;
}

void html(benchmark::State& state, const char* mode, const std::string& (*input)()) {
  const auto made_step = make_step("html_to_text", {{"when", "always"}, {"mode", mode}}).value();
  const std::vector<std::string> pages = pages_of(input());
  std::string scratch;
  std::string text;
  std::size_t before = 0;
  std::size_t after = 0;
  for (auto _ : state) {
    before = after = 0;
    for (const std::string& page : pages) {
      text = page;  // a copy of a few kilobytes: noise beside parsing them
      made_step->apply(text, scratch);
      before += page.size();
      after += text.size();
    }
  }
  if (after < before / 20 || after > before / 2) state.SkipWithError("not the text of the pages");
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(before));
}

void decode(benchmark::State& state, const char* encoding, const char* path) {
  const auto decoder = decoders().declared(encoding).value();
  const std::string bytes = path == nullptr ? chinese() : file(path);
  if (bytes.empty()) return state.SkipWithError("HEADRACE_DATA is not set");
  std::string text;
  for (auto _ : state) {
    if (!decoder->decode(bytes, &text).has_value()) return state.SkipWithError("not decoded");
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

// What GB18030 cost before it had a decoder of its own.
void decode_by_icu(benchmark::State& state, const char* encoding, const char* path) {
  namespace internal = headrace::normalize::internal;
  const auto decoder = internal::make_icu_decoder(*internal::resolve_encoding(encoding)).value();
  const std::string bytes = file(path);
  if (bytes.empty()) return state.SkipWithError("HEADRACE_DATA is not set");
  std::string text;
  std::string ours;
  if (!decoders().declared(encoding).value()->decode(bytes, &ours).has_value() ||
      !decoder->decode(bytes, &text).has_value() || text != ours) {
    return state.SkipWithError("not the same text");
  }
  for (auto _ : state) {
    (void)decoder->decode(bytes, &text);
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

void detect(benchmark::State& state, const char* expected, const char* path) {
  const std::string bytes = path == nullptr ? chinese().substr(0, 1 << 20) : file(path);
  if (bytes.empty()) return state.SkipWithError("HEADRACE_DATA is not set");
  const std::string_view head = std::string_view(bytes).substr(0, 1 << 20);
  for (auto _ : state) {
    const auto evidence = decoders().detect(head, {.whole = false});
    if (evidence.encoding != expected) return state.SkipWithError(evidence.encoding.c_str());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(head.size()));
}

// Documents of about a kilobyte, each detected by itself, as the lines of a file of news are.
void detect_items(benchmark::State& state, const char* expected, const char* path) {
  const std::string bytes = file(path);
  if (bytes.empty()) return state.SkipWithError("HEADRACE_DATA is not set");
  std::vector<std::string_view> items;
  for (std::size_t begin = 0; begin + 2000 < bytes.size();) {
    const std::size_t end = bytes.find('\n', begin + 900);
    if (end == std::string::npos) break;
    items.push_back(std::string_view(bytes).substr(begin, end - begin));
    begin = end + 1;
  }
  std::size_t wrong = 0;
  std::size_t total = 0;
  for (auto _ : state) {
    for (const std::string_view item : items) {
      wrong += decoders().detect(item, {.whole = true}).encoding != expected;
      total += item.size();
    }
  }
  if (wrong > 0) state.SkipWithError("an item is detected as something else");
  state.counters["bytes_per_item"] =
      static_cast<double>(bytes.size()) / static_cast<double>(items.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(total));
}

BENCHMARK_CAPTURE(step, control_chars_clean_zh, "control_chars", chinese, true);
BENCHMARK_CAPTURE(step, control_chars_clean_en, "control_chars", english, true);
BENCHMARK_CAPTURE(step, control_chars_as_is_zh, "control_chars", chinese, false);
BENCHMARK_CAPTURE(step, whitespace_clean_zh, "whitespace", chinese, true);
BENCHMARK_CAPTURE(step, whitespace_clean_en, "whitespace", english, true);
BENCHMARK_CAPTURE(step, whitespace_as_is_zh, "whitespace", chinese, false);
BENCHMARK_CAPTURE(step, whitespace_as_is_en, "whitespace", english, false);
BENCHMARK_CAPTURE(step, unicode_form_clean_zh, "unicode_form", chinese, true);
BENCHMARK_CAPTURE(step, unicode_form_clean_en, "unicode_form", english, true);
BENCHMARK_CAPTURE(html, main_en, "main", english);
BENCHMARK_CAPTURE(html, main_zh, "main", chinese);
BENCHMARK_CAPTURE(html, plain_en, "plain", english);
BENCHMARK_CAPTURE(step, mojibake_clean_zh, "mojibake", chinese, true);
BENCHMARK_CAPTURE(step, mojibake_clean_en, "mojibake", english, true);
BENCHMARK_CAPTURE(step, pii_clean_zh, "pii", chinese, true);
BENCHMARK_CAPTURE(step, pii_clean_en, "pii", english, true);
BENCHMARK_CAPTURE(decode, utf8, "utf-8", nullptr);
BENCHMARK_CAPTURE(decode, gb18030, "gb18030", "zh-novels/gb18030/红楼梦.txt");
BENCHMARK_CAPTURE(decode_by_icu, gb18030, "gb18030", "zh-novels/gb18030/红楼梦.txt");
BENCHMARK_CAPTURE(detect_items, gb18030, "gb18030", "zh-novels/gb18030/红楼梦.txt");
BENCHMARK_CAPTURE(detect, utf8, "utf-8", nullptr);
BENCHMARK_CAPTURE(detect, gb18030, "gb18030", "zh-novels/gb18030/红楼梦.txt");

}  // namespace
