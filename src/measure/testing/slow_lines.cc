// SPDX-License-Identifier: Apache-2.0
#include "measure/testing/slow_lines.h"

#include <algorithm>

#include "record/char_class.h"

namespace headrace::measure {

std::vector<SlowParagraph> slow_paragraphs(const SlowView& view) {
  std::vector<SlowParagraph> paragraphs;
  std::string whole;
  std::string lines;
  const auto finish = [&] {
    if (lines.empty()) return;
    const SlowView seen(whole);
    std::size_t begin = 0;
    std::size_t end = seen.code_points.size();
    while ((seen.classes[begin] & kSpace) != 0) ++begin;
    while ((seen.classes[end - 1] & kSpace) != 0) --end;
    paragraphs.push_back({lines, end - begin});
    lines.clear();
  };
  for (std::size_t begin = 0; begin <= view.text.size();) {
    const std::size_t end = std::min(view.text.find('\n', begin), view.text.size());
    const std::string line = view.text.substr(begin, end - begin);
    const std::vector<std::string> trimmed = SlowView(line).lines;
    if (trimmed.empty()) {
      finish();
    } else {
      whole = lines.empty() ? line : whole + "\n" + line;
      lines += trimmed[0] + "\n";
    }
    begin = end + 1;
  }
  finish();
  return paragraphs;
}

bool slow_end_marked(const std::string& line) {
  const SlowView seen(line);
  std::size_t at = seen.code_points.size() - 1;
  while (at > 0 && is_closer(seen.classes[at])) --at;
  return (seen.classes[at] & kEndMark) != 0;
}

SlowSentences slow_sentences(const std::string& line) {
  const std::size_t count = SlowView(line).sentence_ends.size();
  // A word in a next line joins the sentence that has no end; behind an ended one it is its own.
  const bool last_ended = slow_end_marked(line);
  const bool words_behind =
      !last_ended && count > 0 && SlowView(line + "\nx").sentence_ends.size() == count;
  return {count, words_behind ? std::size_t{1} : 0};
}

bool slow_c4_keeps(const std::string& line) {
  const SlowView seen(line);
  const std::size_t last = seen.code_points.size() - 1;
  const std::u32string quotes = U"\"'”’」』»›〞〟﹂﹄＂＇";
  if ((seen.classes[last] & kEndMark) == 0 &&
      quotes.find(static_cast<char32_t>(seen.code_points[last])) == quotes.npos) {
    return false;
  }
  if (line.ends_with("...") || line.ends_with("…")) return false;
  std::size_t words = 0;
  std::size_t run = 0;  // of neither white space nor Han
  bool endless = false;
  for (std::size_t i = 0; i <= last; ++i) {
    const bool space = (seen.classes[i] & kSpace) != 0;
    if (!space && (i == 0 || (seen.classes[i - 1] & kSpace) != 0)) ++words;
    run = space || (seen.classes[i] & kHan) != 0 ? 0 : run + 1;
    endless = endless || run > 1000;
  }
  if (endless || (words < 3 && seen.count(kHan) < 5)) return false;
  std::string lower = line;
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const char* phrase : {"javascript", "terms of use", "privacy policy", "cookie policy",
                             "uses cookies", "use of cookies", "use cookies", "使用cookie",
                             "使用 cookie", "隐私政策", "隐私条款", "使用条款", "服务条款"}) {
    if (lower.find(phrase) != lower.npos) return false;
  }
  return true;
}

}  // namespace headrace::measure
