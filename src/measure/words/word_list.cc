// SPDX-License-Identifier: Apache-2.0
#include "measure/words/word_list.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "measure/words/built_in.h"
#include "record/text_view.h"

namespace headrace::measure {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) return line.substr(0, i);
  }
  return line;
}

// Runs of blanks become one, ASCII letters small.
std::string normal(std::string_view entry) {
  std::string made;
  for (const char c : entry) {
    if (is_blank(c)) {
      if (made.back() != ' ') made += ' ';
    } else {
      made += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
  }
  return made;
}

bool is_utf8(std::string_view line) {
  for (std::size_t i = 0; i < line.size();) {
    const auto lead = static_cast<unsigned char>(line[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > line.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(line[i + k]) & 0xC0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

// Nothing, or why an entry cannot be one.
std::string_view fault_of(const TextView& view, WordListKind kind) {
  if (view.counts.words == 0) return "holds neither a letter nor a digit nor a Han character";
  if (view.word_begin[0] != 0) return "begins with a mark: an entry begins with a word";
  if (view.word_end.back() != view.text.size())
    return "ends with a mark: an entry ends with a word";
  if (kind == WordListKind::kFlaggedWords && view.counts.code_points == 1 && view.counts.han == 1)
    return "is a single Han character, which stands in too many harmless words: use whole words";
  return {};
}

WordList parse_built_in(const char* text, WordListKind kind, const char* language) {
  Result<WordList> list = parse_word_list(text, kind, language, language);
  HEADRACE_DCHECK(list.has_value());
  return list.has_value() ? std::move(*list) : WordList{language, {}, {}};
}

}  // namespace

Result<WordList> parse_word_list(std::string_view text, WordListKind kind, std::string language,
                                 std::string_view name) {
  WordList list{std::move(language), {}, {}};
  std::unordered_set<std::string> seen;
  TextViewBuilder builder;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_utf8(whole)) {
      return invalid_argument("{}:{}: not UTF-8: save the list as UTF-8", name, line);
    }
    std::string_view entry = trimmed(without_comment(whole));
    if (entry.empty()) continue;
    const bool exception = kind == WordListKind::kFlaggedWords && entry.front() == '!';
    if (exception) entry = trimmed(entry.substr(1));
    std::string made = normal(entry);
    if (const std::string_view fault = fault_of(builder.build(made), kind); !fault.empty()) {
      return invalid_argument("{}:{}: '{}' {}", name, line, entry, fault);
    }
    if (!seen.insert((exception ? "!" : "") + made).second) continue;
    (exception ? list.exceptions : list.entries).push_back(std::move(made));
  }
  return list;
}

void WordLists::replace(std::vector<WordList>* lists, WordList own) {
  for (WordList& list : *lists) {
    if (list.language != own.language) continue;
    list = std::move(own);
    return;
  }
  lists->push_back(std::move(own));
}

WordLists WordLists::built_in() {
  WordLists lists;
  lists.stop_words = {parse_built_in(kStopWordsEn, WordListKind::kStopWords, "en"),
                      parse_built_in(kStopWordsZh, WordListKind::kStopWords, "zh"),
                      parse_built_in(kStopWordsDe, WordListKind::kStopWords, "de"),
                      parse_built_in(kStopWordsFr, WordListKind::kStopWords, "fr"),
                      parse_built_in(kStopWordsEs, WordListKind::kStopWords, "es"),
                      parse_built_in(kStopWordsIt, WordListKind::kStopWords, "it"),
                      parse_built_in(kStopWordsPt, WordListKind::kStopWords, "pt"),
                      parse_built_in(kStopWordsRu, WordListKind::kStopWords, "ru")};
  lists.flagged_words = {parse_built_in(kFlaggedWordsEn, WordListKind::kFlaggedWords, "en"),
                         parse_built_in(kFlaggedWordsZh, WordListKind::kFlaggedWords, "zh")};
  return lists;
}

}  // namespace headrace::measure
