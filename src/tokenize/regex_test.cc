// SPDX-License-Identifier: Apache-2.0
#include "tokenize/regex.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tokenize/splitter.h"
#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

// Matches and what is between them.
Texts pieces_of(const Regex& regex, std::string_view text) {
  Texts pieces;
  Regex::Scratch scratch;
  RegexMatch match;
  std::size_t done = 0;
  while (done < text.size() && regex.find(text, done, &scratch, &match)) {
    if (match.begin == match.end) break;
    if (done < match.begin) pieces.emplace_back(text.substr(done, match.begin - done));
    pieces.emplace_back(text.substr(match.begin, match.end - match.begin));
    done = match.end;
  }
  if (done < text.size()) pieces.emplace_back(text.substr(done));
  EXPECT_TRUE(scratch.empty());
  return pieces;
}

constexpr RegexDialect kOnig = RegexDialect::kOniguruma;
constexpr RegexDialect kFancy = RegexDialect::kFancyRegex;

TEST(RegexTest, Pieces) {
  const struct {
    const char* pattern;
    RegexDialect dialect;
    const char* text;
    Texts pieces;
  } cases[] = {
      {"a|ab", kOnig, "abab", {"a", "b", "a", "b"}},
      {"ab|a", kOnig, "abaab", {"ab", "a", "ab"}},
      {"(?:ab)+", kOnig, "ababa", {"abab", "a"}},
      {"(ab|c){2,3}", kOnig, "abcabcc", {"abcab", "cc"}},
      {"a+?", kOnig, "aaa", {"a", "a", "a"}},
      {"a{2,}?b", kOnig, "aaab", {"aaab"}},
      {"a*+a", kOnig, "aaa", {"aaa"}},
      {"a++b", kOnig, "aab", {"aab"}},
      {"(?>a|ab)c", kOnig, "abcac", {"abc", "ac"}},
      {"\\s+(?!\\S)|\\s+", kOnig, "a   b", {"a", "  ", " ", "b"}},
      {"\\s+(?!\\S)|\\s+", kOnig, "a   ", {"a", "   "}},
      {"a(?=b)", kOnig, "abac", {"a", "bac"}},
      {"(?i:'s|'LL)", kOnig, "it'Sx'ſ'll", {"it", "'S", "x", "'ſ", "'ll"}},
      {"(?i)k", kOnig, "K\u212Ak", {"K", "\u212A", "k"}},
      {"[^\\s\\p{L}]+", kOnig, "a-1 b", {"a", "-1", " b"}},
      {"[\\p{L}&&[^\\p{Han}]]+", kFancy, "ab中文é", {"ab", "中文", "é"}},
      {"[a-c&&b-d]", kOnig, "abcd", {"a", "b", "c", "d"}},
      {"[\\]\\-x]+", kOnig, "a]-xb", {"a", "]-x", "b"}},
      {"[a\\-z-]", kOnig, "-b", {"-", "b"}},
      {"\\x41\\u0042\\x{43}", kOnig, "xABC", {"x", "ABC"}},
      // In fancy-regex {n,m}+ keeps what it has, in Oniguruma it is a loop.
      {"\\p{N}{1,3}+", kFancy, "12345678", {"123", "456", "78"}},
      {"\\p{N}{1,3}+", kOnig, "12345678", {"12345678"}},
      // At lines in Oniguruma, at the text in fancy-regex.
      {"\\s+$", kFancy, "a \nb ", {"a \nb", " "}},
      {"a$", kOnig, "a\na", {"a", "\n", "a"}},
      {"^a", kOnig, "aa\naa", {"a", "a\n", "a", "a"}},
      {"^a", kFancy, "aa\naa", {"a", "a\naa"}},
      {"..", kOnig, "ab\nc", {"ab", "\nc"}},
      {"\\p{Nd}\\P{L}\\p{^L}", kOnig, "1--a", {"1--", "a"}},
      {"\\w+", kOnig, "a_1²x", {"a_1²x"}},
      {"[\\w]+", kOnig, "a_1²x", {"a_1", "²", "x"}},
      {"\\s+$", kOnig, "a\n\n", {"a", "\n\n"}},
      {"\\w+", kFancy, "a_1²x", {"a_1", "²", "x"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.pattern);
    const auto regex = Regex::parse(c.pattern, c.dialect);
    ASSERT_TRUE(regex.has_value()) << regex.error().message();
    EXPECT_EQ(pieces_of(*regex, c.text), c.pieces);
  }
}

TEST(RegexTest, WhatIsNotKnownIsNamed) {
  const struct {
    const char* pattern;
    const char* in_message;
  } cases[] = {
      {"(a", "a group without its ')'"},
      {"a)", "unmatched ')'"},
      {"[a", "a class without its ']'"},
      {"(?<=a)b", "a group of this kind"},
      {"\\bword", "this escape"},
      {"\\1", "this escape"},
      {"[[:alpha:]]", "this in a class"},
      {"\\p{Greek}", "\\p{Greek}"},
      {"*a", "a repeat of nothing"},
      {"(a*)*", "a loop over what may be nothing"},
      {"a{2", "'{'"},
      {"a{9999}", "more than a thousand"},
      {"(?x: a)", "a group of this kind"},
      {"\\", "'\\' at the end"},
      {"(?:(?:a{1000}){1000}){1000}", "too long"},
      {"\\x{110000}", "this number of a character"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.pattern);
    const auto regex = Regex::parse(c.pattern, kOnig);
    ASSERT_FALSE(regex.has_value());
    EXPECT_EQ(regex.error().code(), Code::kUnsupported);
    EXPECT_THAT(regex.error().message(), HasSubstr(c.in_message));
  }
}

TEST(RegexTest, MayMatchNothing) {
  EXPECT_TRUE(Regex::parse("a*", kOnig)->may_match_nothing());
  EXPECT_TRUE(Regex::parse("a|", kOnig)->may_match_nothing());
  EXPECT_TRUE(Regex::parse("(?=a)", kOnig)->may_match_nothing());
  EXPECT_FALSE(Regex::parse("a*b", kOnig)->may_match_nothing());
}

// A million characters are no deep recursion and no long list of places.
TEST(RegexTest, LongTexts) {
  const auto regex = Regex::parse("(?:ab)+|\\s+(?!\\S)|\\s+|[^\\s]+", kOnig);
  std::string text;
  for (int i = 0; i < 500000; ++i) text += "ab";
  EXPECT_EQ(pieces_of(*regex, text), Texts{text});
  const std::string blanks(1000000, ' ');
  EXPECT_EQ(pieces_of(*regex, blanks + "x"), (Texts{blanks.substr(1), " ", "x"}));
}

std::string random_text(std::mt19937_64* random) {
  static const Texts kParts = {"a",      "B",  "ǅ",      "ʰ",   "中", "\u0301", "1",  "٣",
                               "½",      ".",  "/",      "$",   " ",  "\n",     "\r", "\t",
                               "\u3000", "'",  "'s",     "'Re", "ſ",  "\u200b", "\0", "🙂",
                               "\u00a0", "々", "\u302a", "ll",  "'"};
  std::string text;
  for (std::size_t i = (*random)() % 14; i > 0; --i) text += kParts[(*random)() % kParts.size()];
  return text;
}

// The scanners that are written for known patterns, and this engine: each is the other's check.
TEST(RegexTest, EqualsTheScanners) {
  const char* patterns[] = {
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
  };
  std::mt19937_64 random(11);
  for (const char* pattern : patterns) {
    SCOPED_TRACE(pattern);
    const auto regex = Regex::parse(pattern, kOnig);
    ASSERT_TRUE(regex.has_value()) << regex.error().message();
    const auto splitter = splitter_for_pattern(pattern);
    ASSERT_TRUE(splitter.has_value());
    for (int round = 0; round < 20000; ++round) {
      const std::string text = random_text(&random);
      std::vector<std::uint32_t> ends(text.size());
      ends.resize((*splitter)->split(text, 0, ends));
      Texts expected;
      std::size_t begin = 0;
      for (const std::uint32_t end : ends) {
        expected.push_back(text.substr(begin, end - begin));
        begin = end;
      }
      ASSERT_EQ(pieces_of(*regex, text), expected) << text;
    }
  }
}

}  // namespace
}  // namespace headrace::tokenize
