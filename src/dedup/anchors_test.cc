// SPDX-License-Identifier: Apache-2.0
#include "dedup/anchors.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::dedup {
namespace {

using Texts = std::vector<std::string>;  // document i has the id 10 * i
using Marks = std::vector<std::vector<bool>>;

constexpr std::uint64_t kIds = 10;

std::vector<std::size_t> starts_of(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

// Every window against every earlier one, by a map of whole strings.
Marks oracle(const Texts& texts, std::size_t k) {
  struct First {
    std::size_t text;
    std::size_t end;
  };
  std::map<std::string, First> firsts;
  Marks marks;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    marks.emplace_back(texts[t].size());
    const std::vector<std::size_t> starts = starts_of(texts[t]);
    for (std::size_t i = 0; i + k < starts.size(); ++i) {
      const std::size_t begin = starts[i];
      const std::size_t end = starts[i + k];
      const auto [first, added] = firsts.try_emplace(texts[t].substr(begin, end - begin), t, end);
      if (added || (first->second.text == t && begin < first->second.end)) continue;
      for (std::size_t at = begin; at < end; ++at) marks.back()[at] = true;
    }
  }
  return marks;
}

const std::string& text_of(const Texts& texts, std::uint64_t id) { return texts[id / kIds]; }

void expect_same_bytes(const Texts& texts, const std::vector<Repeat>& repeats) {
  for (const Repeat& repeat : repeats) {
    const std::size_t size = repeat.end - repeat.begin;
    ASSERT_EQ(text_of(texts, repeat.id).substr(repeat.begin, size),
              text_of(texts, repeat.first_id).substr(repeat.first_begin, size));
    ASSERT_LT(std::pair(repeat.first_id, repeat.first_begin), std::pair(repeat.id, repeat.begin));
  }
}

// What the span pass does, with `batch` documents in each first round.
std::vector<Repeat> repeats_of(const Texts& texts, std::uint32_t k, std::size_t batch) {
  AnchorFinder finder(k);
  std::vector<Repeat> repeats;
  std::vector<AnchorContext> contexts;
  std::vector<AnchorContext> rest;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (const TextRange segment : segments_of(texts[t], k))
      finder.add(texts[t], segment, t * kIds, &contexts);
    if ((t + 1) % batch != 0 && t + 1 < texts.size()) continue;
    find_repeats(contexts, &repeats, &rest);
    contexts.clear();
  }
  std::vector<AnchorContext> last;
  find_repeats(rest, &repeats, &last);
  resolve_chains(&repeats);
  expect_same_bytes(texts, repeats);
  std::vector<OpenContext> open;
  open_contexts(last, &open);
  std::vector<Occurrence> windows;
  for (const OpenContext& context : open)
    add_windows(text_of(texts, context.id), context, k, &windows);
  std::vector<Repeat> of_windows;
  std::vector<Occurrence> others;
  find_repeats(windows, &of_windows, &others);
  expect_same_bytes(texts, of_windows);
  repeats.insert(repeats.end(), of_windows.begin(), of_windows.end());
  return repeats;
}

Marks marks_of(const Texts& texts, const std::vector<Repeat>& repeats) {
  Marks marks;
  for (const std::string& text : texts) marks.emplace_back(text.size());
  for (const Repeat& repeat : repeats) {
    for (std::uint32_t at = repeat.begin; at < repeat.end; ++at) marks[repeat.id / kIds][at] = true;
  }
  return marks;
}

struct Random {
  CounterRng rng{7, purpose("test")};
  std::uint64_t next = 0;
  std::size_t below(std::size_t n) { return rng.at(next++) % n; }

  std::string text(const std::vector<std::string>& letters, std::size_t code_points) {
    std::string made;
    for (std::size_t i = 0; i < code_points; ++i) made += letters[below(letters.size())];
    return made;
  }
};

const std::vector<std::vector<std::string>> kAlphabets = {
    {"a"},
    {"a", "b"},
    {"e", "\u0301", " ", "\n"},
    {"数", "据", "清", "洗", "的", "，", "流", "程", "与", "记", "录"},
    {"👍", "🏽", "\u200d", "🔬", "x", "中"},
    {"the ", "of ", "data ", "stream ", "water ", "line ", "a ", "b", "c"}};

TEST(AnchorsTest, RandomTextsAgreeWithEveryWindowCompared) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    const auto& letters = kAlphabets[random.below(kAlphabets.size())];
    const auto k = static_cast<std::uint32_t>(20 + random.below(30));
    std::vector<std::string> stretches;
    for (int i = 0; i < 4; ++i) stretches.push_back(random.text(letters, k - 5 + random.below(40)));
    Texts texts;
    for (std::size_t t = 0; t < 8; ++t) {
      std::string text;
      for (std::size_t i = random.below(5); i > 0; --i) {
        text += random.text(letters, random.below(30));
        text += stretches[random.below(stretches.size())];
      }
      texts.push_back(text + random.text(letters, random.below(60)));
    }
    const Marks wanted = oracle(texts, k);
    for (const std::size_t batch : {1U, 3U, 8U})
      ASSERT_EQ(marks_of(texts, repeats_of(texts, k, batch)), wanted) << "round " << round;
  }
}

TEST(AnchorsTest, StretchesOfTheLengthAreFoundAndShorterOnesAreNot) {
  Random random;
  const std::vector<std::string> letters = {"一", "二", "三", "四", "五",
                                            "六", "七", "b",  "c",  "d"};
  for (int round = 0; round < 200; ++round) {
    const std::string shared = random.text(letters, 100);
    const std::string shorter = shared.substr(0, starts_of(shared)[99]);
    const Texts found = {random.text(letters, random.below(200)) + "1" + shared + "2",
                         random.text(letters, random.below(200)) + "3" + shared + "4"};
    const std::vector<Repeat> repeats = repeats_of(found, 100, 1);
    ASSERT_FALSE(repeats.empty());
    EXPECT_EQ(marks_of(found, repeats), oracle(found, 100));
    const Texts missed = {"1" + shorter + "2" + random.text(letters, random.below(200)),
                          "3" + shorter + "4" + random.text(letters, random.below(200))};
    EXPECT_TRUE(repeats_of(missed, 100, 1).empty());
  }
}

TEST(AnchorsTest, OfEqualLettersTheFirstWindowStays) {
  const Texts texts = {std::string(1000, 'a'), std::string(150, 'a')};
  const Marks marks = marks_of(texts, repeats_of(texts, 100, 1));
  EXPECT_EQ(std::count(marks[0].begin(), marks[0].end(), true), 900);
  EXPECT_EQ(std::count(marks[1].begin(), marks[1].end(), true), 150);
}

TEST(AnchorsTest, LongTextsGoInSegmentsThatMissNoWindow) {
  Random random;
  const std::string shared = random.text({"数", "据", "清", "洗", "b"}, 300);
  std::string text;
  while (text.size() < (20U << 20)) text += random.text({"甲", "乙", "丙", "x", "y"}, 1 << 16);
  for (std::size_t at = (8U << 20) - 600; at < (8U << 20) + 600; at += 200) {
    std::string planted = text;
    std::size_t place = at;
    while ((static_cast<unsigned char>(planted[place]) & 0xC0) == 0x80) ++place;
    planted.insert(place, shared);
    const std::vector<TextRange> segments = segments_of(planted, 100);
    ASSERT_EQ(segments.size(), 2U);
    AnchorFinder finder(100);
    std::vector<AnchorContext> contexts;
    finder.add(shared, {0, static_cast<std::uint32_t>(shared.size())}, 0, &contexts);
    for (const TextRange segment : segments) {
      // Only what lies around the stretch: the rest is the same each time.
      if (segment.end < place || segment.begin > place + shared.size()) continue;
      finder.add(planted,
                 {std::max(segment.begin, static_cast<std::uint32_t>(place - 3000)),
                  std::min(segment.end, static_cast<std::uint32_t>(place + 4500))},
                 kIds, &contexts);
    }
    std::vector<Repeat> repeats;
    std::vector<AnchorContext> rest;
    find_repeats(contexts, &repeats, &rest);
    std::vector<OpenContext> open;
    open_contexts(rest, &open);
    std::vector<Occurrence> windows;
    const Texts texts = {shared, planted};
    for (const OpenContext& context : open)
      add_windows(text_of(texts, context.id), context, 100, &windows);
    std::vector<Occurrence> others;
    find_repeats(windows, &repeats, &others);
    const Marks marks = marks_of(texts, repeats);
    EXPECT_EQ(std::count(marks[1].begin(), marks[1].end(), true),
              static_cast<std::ptrdiff_t>(shared.size()));
  }
}

TEST(AnchorsTest, OwnRepeatsThatTouchBecomeOne) {
  std::vector<Repeat> repeats = {{.id = 1, .begin = 30, .end = 40, .first_id = 1, .first_begin = 2},
                                 {.id = 1, .begin = 20, .end = 30, .first_id = 1, .first_begin = 0},
                                 {.id = 1, .begin = 41, .end = 50, .first_id = 1, .first_begin = 0},
                                 {.id = 2, .begin = 0, .end = 9, .first_id = 1, .first_begin = 0},
                                 {.id = 2, .begin = 5, .end = 11, .first_id = 1, .first_begin = 5}};
  join_own_repeats(&repeats);
  ASSERT_EQ(repeats.size(), 4U);
  EXPECT_EQ(repeats[0].begin, 20U);
  EXPECT_EQ(repeats[0].end, 40U);
  EXPECT_EQ(repeats[0].first_begin, 0U);
}

TEST(WholeCharactersTest, BordersKeepWhatJoins) {
  const std::string accent = "xe\u0301y";  // x, e, acute, y
  EXPECT_EQ(whole_character_behind(accent, 2), 4U);
  EXPECT_EQ(whole_character_before(accent, 2), 1U);
  EXPECT_EQ(whole_character_behind(accent, 1), 1U);
  const std::string scientist = "a👩🏽\u200d🔬b";
  for (const std::uint32_t inside : {5U, 9U, 12U}) {
    EXPECT_EQ(whole_character_before(scientist, inside), 1U) << inside;
    EXPECT_EQ(whole_character_behind(scientist, inside), scientist.size() - 1) << inside;
  }
  EXPECT_EQ(whole_character_behind("a\r\nb", 2), 3U);
  EXPECT_EQ(whole_character_before("中文", 3), 3U);
  EXPECT_EQ(whole_character_before("中文", 6), 6U);
  EXPECT_EQ(whole_character_before("中文", 0), 0U);
}

}  // namespace
}  // namespace headrace::dedup
