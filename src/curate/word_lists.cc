// SPDX-License-Identifier: Apache-2.0
#include "curate/word_lists.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <unicode/uloc.h>

#include "base/error.h"
#include "base/log.h"
#include "base/suggest.h"
#include "curate/bounded_file.h"
#include "curate/ledger.h"
#include "io/uri.h"
#include "record/text_view.h"

namespace headrace::curate {
namespace {

// All words of Chinese, twice over.
constexpr std::uint64_t kLongestListBytes = 16 << 20;

const std::vector<std::string>& language_codes() {
  static const std::vector<std::string> codes = [] {
    std::vector<std::string> all;
    for (const char* const* code = uloc_getISOLanguages(); *code != nullptr; ++code)
      all.emplace_back(*code);
    return all;
  }();
  return codes;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  return text;
}

// "chinese" → "zh"; "" for what is no language's English name.
std::string code_of_name(const std::string& name) {
  for (const std::string& code : language_codes()) {
    UChar shown[128];
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t length = uloc_getDisplayLanguage(code.c_str(), "en", shown, 128, &error);
    if (U_FAILURE(error)) continue;
    // English names of languages are ASCII but for a few, which no one would type.
    if (lower(std::string(shown, shown + length)) == name) return code;
  }
  return "";
}

void add_lists(std::vector<measure::WordList> lists, Fingerprint* print) {
  std::sort(lists.begin(), lists.end(),
            [](const auto& a, const auto& b) { return a.language < b.language; });
  print->add(lists.size());
  for (const measure::WordList& list : lists) {
    print->add(list.language);
    for (const std::vector<std::string>* words : {&list.entries, &list.exceptions}) {
      print->add(words->size());
      for (const std::string& word : *words) print->add(word);
    }
  }
}

// Stop words are looked up word by word, and each Han character is a word: 我们 would never match.
// A list of nothing else would make a share of 0 of every text, and a bound on it drop them all.
Result<void> check_single_words(const measure::WordList& list, const std::string& path) {
  TextViewBuilder builder;
  const auto several = std::count_if(
      list.entries.begin(), list.entries.end(),
      [&](const std::string& entry) { return builder.build(entry).counts.words > 1; });
  if (several == 0) return {};
  if (static_cast<std::size_t>(several) == list.entries.size()) {
    return invalid_argument(
        "{}: none of its {} entries can match: stop words are single words, in Chinese single "
        "characters (的, 是)",
        path, several);
  }
  log_warning(
      "{}: {} of {} entries match nothing: stop words are single words, in Chinese single "
      "characters",
      path, several, list.entries.size());
  return {};
}

// A pipe or a device may never end.
Result<std::string> read_list(const std::string& path) {
  std::error_code gone;
  const std::string place = io::local_path(path);
  if (!io::is_remote(path) && std::filesystem::exists(place, gone) &&
      !std::filesystem::is_regular_file(place, gone)) {
    return unavailable("{} is no regular file", path);
  }
  return read_bounded(path, kLongestListBytes);
}

Result<void> check_not_empty(const measure::WordList& list, bool stop, const std::string& path) {
  if (!list.entries.empty()) return {};
  if (stop) {
    return invalid_argument(
        "{}: no word in it: the share of stop words would be 0 for every text in '{}'; leave the "
        "list out to have the built-in ones",
        path, list.language);
  }
  log_warning("{}: no word in it: nothing is flagged in '{}' any more", path, list.language);
  return {};
}

}  // namespace

Result<void> check_language_code(const std::string& code) {
  const std::vector<std::string>& codes = language_codes();
  const auto is_known = [&](const std::string& language) {
    return std::find(codes.begin(), codes.end(), language) != codes.end();
  };
  const std::string language = code.substr(0, code.find_first_of("-_"));
  if (is_known(language)) return {};
  std::string meant = code_of_name(lower(code));
  if (meant.empty() && is_known(lower(language))) meant = lower(language);
  if (meant.empty()) meant = nearest(code, {"zh", "en"});
  return invalid_argument("'{}' is no code of a language (ISO 639: zh, en, de){}", code,
                          meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant));
}

Result<measure::WordLists> read_word_lists(const std::vector<WordListSpec>& specs) {
  measure::WordLists lists = measure::WordLists::built_in();
  for (const WordListSpec& spec : specs) {
    const bool stop = spec.kind == measure::WordListKind::kStopWords;
    const auto text = read_list(spec.path);
    if (!text) {
      return text.error().with_context(
          fmt::format("measure.{}.{}", stop ? "stop_words" : "flagged_words", spec.language));
    }
    HEADRACE_ASSIGN_OR_RETURN(measure::WordList list,
                              measure::parse_word_list(*text, spec.kind, spec.language, spec.path));
    HEADRACE_RETURN_IF_ERROR(check_not_empty(list, stop, spec.path));
    if (stop) HEADRACE_RETURN_IF_ERROR(check_single_words(list, spec.path));
    measure::WordLists::replace(stop ? &lists.stop_words : &lists.flagged_words, std::move(list));
  }
  return lists;
}

std::string hash_of(const measure::WordLists& lists) {
  Fingerprint print;
  add_lists(lists.stop_words, &print);
  add_lists(lists.flagged_words, &print);
  return print.hex();
}

Result<Words> load_words(const std::vector<WordListSpec>& specs) {
  HEADRACE_ASSIGN_OR_RETURN(const measure::WordLists lists, read_word_lists(specs));
  return Words{specs.empty() ? measure::WordTables::built_in() : measure::WordTables::make(lists),
               hash_of(lists)};
}

}  // namespace headrace::curate
