// SPDX-License-Identifier: Apache-2.0
#include "curate/word_lists.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "curate/ledger.h"
#include "io/file.h"
#include "record/text_view.h"

namespace headrace::curate {
namespace {

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

}  // namespace

Result<measure::WordLists> read_word_lists(const std::vector<WordListSpec>& specs) {
  measure::WordLists lists = measure::WordLists::built_in();
  for (const WordListSpec& spec : specs) {
    const bool stop = spec.kind == measure::WordListKind::kStopWords;
    const auto text = io::read_file(spec.path);
    if (!text) {
      return text.error().with_context(
          fmt::format("measure.{}.{}", stop ? "stop_words" : "flagged_words", spec.language));
    }
    HEADRACE_ASSIGN_OR_RETURN(measure::WordList list,
                              measure::parse_word_list(*text, spec.kind, spec.language, spec.path));
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
