// SPDX-License-Identifier: Apache-2.0
// Any text through the masks of each pattern family, at each instruction set: the starts of pieces
// and parts must be those of the scanner and of next_cut(). The first byte chooses the pattern;
// what is not UTF-8 is left out.
#include <algorithm>
#include <memory>
#include <simdjson.h>
#include <string>
#include <vector>

#include "check.h"
#include "tokenize/piece_finder.h"

namespace {

using headrace::fuzz::check;
namespace tokenize = headrace::tokenize;
using tokenize::Junctions;
using tokenize::PieceFinder;
using tokenize::Splitter;

struct Family {
  std::unique_ptr<Splitter> splitter;
  std::vector<std::unique_ptr<PieceFinder>> finders;
};

const Junctions& junctions() {
  static const Junctions* const kMade = [] {
    auto* made = new Junctions();
    for (const char* entry : {"中国", "天气", " 今", "的。", "国a", "\xB8\xAD", "，\xE4"}) {
      made->add(entry);
    }
    return made;
  }();
  return *kMade;
}

std::vector<Family> make_families() {
  std::vector<Family> families;
  const auto add = [&](std::unique_ptr<Splitter> splitter) {
    Family family{std::move(splitter), {}};
    for (int level = 0; level <= static_cast<int>(headrace::best_simd_level()); ++level) {
      family.finders.push_back(std::make_unique<PieceFinder>(
          *family.splitter, junctions(), true, static_cast<headrace::SimdLevel>(level)));
    }
    families.push_back(std::move(family));
  };
  add(tokenize::make_gpt2_splitter());
  add(tokenize::make_cl100k_splitter({.digits = 3}));
  add(tokenize::make_cl100k_splitter({.digits = 1, .marks_in_words = true}));
  add(tokenize::make_o200k_splitter({}));
  add(tokenize::make_o200k_splitter({.digits = 1, .contractions = false}));
  add(tokenize::make_deepseek_splitter());
  return families;
}

std::vector<std::uint32_t> expected_starts(const Splitter& splitter, std::string_view text) {
  std::vector<std::uint32_t> starts;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::uint32_t begin = 0, end = 0; begin < text.size(); begin = end) {
    check(splitter.split(text, begin, {&end, 1}) == 1 && end > begin, "a piece that has no end");
    starts.push_back(begin);
    for (const std::uint8_t* cut = bytes + begin;
         (cut = junctions().next_cut(cut, bytes + end)) < bytes + end;) {
      starts.push_back(static_cast<std::uint32_t>(cut - bytes) | tokenize::kPartBit);
    }
  }
  return starts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Family> families = make_families();
  if (size == 0) return 0;
  const Family& family = families[data[0] % families.size()];
  const std::string_view text = headrace::fuzz::as_text(data + 1, size - 1);
  if (!simdjson::validate_utf8(text.data(), text.size())) return 0;
  const std::vector<std::uint32_t> expected = expected_starts(*family.splitter, text);
  for (const auto& finder : family.finders) {
    std::vector<std::uint32_t> found;
    std::vector<std::uint32_t> some(PieceFinder::kLeastRoom);
    finder->start(text);
    while (const std::size_t count = finder->next(some)) {
      found.insert(found.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    }
    check(found == expected, "masks and scanner differ");
  }
  return 0;
}
