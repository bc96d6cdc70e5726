// SPDX-License-Identifier: Apache-2.0
// Every phrase begins with a word, and the view has hashed all words. So each word is looked for in
// a table of bits, few of them set, as the first of a phrase: one load, without a branch, whatever
// the number of phrases. What gets through is looked for in another by the hash of the first two
// words (or the only one), then by the whole hash, and then compared word by word. Since each Han
// character is a word, the same looking finds whole words in English and substrings in Chinese.
// Cost on a busy machine: 0.35 ns a byte of English, 0.65 of Chinese; 1.0 and 1.7 with 50,000
// entries.
//
// Tried: Hyperscan 5.4 with the same 243 flagged entries, alone: 0.25 and 0.34 ns a byte. Why it is
// not used: docs/decisions/0030-phrases-by-the-hashes-of-words.md.
#include "measure/facts/phrases.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "measure/facts/flagged_finder.h"

namespace headrace::measure {
namespace {

enum Group : std::uint8_t { kLoremIpsum, kJavascript, kPolicy, kFlagged, kGroups };

constexpr std::pair<Group, const char*> kFixed[] = {
    {kLoremIpsum, "lorem ipsum"},
    {kJavascript, "javascript"},
    // C4 (arXiv 1910.10683) drops lines with these.
    {kPolicy, "terms of use"},
    {kPolicy, "privacy policy"},
    {kPolicy, "cookie policy"},
    {kPolicy, "uses cookies"},
    {kPolicy, "use of cookies"},
    {kPolicy, "use cookies"},
    // The same in Chinese.
    {kPolicy, "使用条款"},
    {kPolicy, "服务条款"},
    {kPolicy, "用户协议"},
    {kPolicy, "隐私政策"},
    {kPolicy, "隐私条款"},
    {kPolicy, "隐私声明"},
    {kPolicy, "隐私权政策"},
    {kPolicy, "免责声明"},
    {kPolicy, "版权声明"},
    {kPolicy, "版权所有"},
    {kPolicy, "使用cookie"},
    {kPolicy, "使用cookies"},
};

// A phrase as the view sees it. gaps[k] stands behind word k.
struct Phrase {
  std::vector<std::uint64_t> words;
  std::vector<std::string> gaps;
};

// Inside `phrase`, that begins `offset` words before it, a flagged phrase does not count.
struct Exception {
  std::uint32_t offset;
  std::uint32_t phrase;
};

struct Entry {
  std::uint64_t key;
  Group group;
  Phrase phrase;
  std::vector<Exception> exceptions;
};

std::uint64_t pair_key(std::uint64_t first, std::uint64_t second) {
  return std::rotl(first, 17) ^ second;
}

std::uint64_t key_of(const Phrase& phrase) {
  return phrase.words.size() == 1 ? phrase.words[0] : pair_key(phrase.words[0], phrase.words[1]);
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// One blank in a phrase stands for any number of ASCII blanks and line ends in a text.
bool gap_fits(std::string_view gap, std::string_view text) {
  if (gap != " ") return gap == text;
  return !text.empty() && std::all_of(text.begin(), text.end(), is_blank);
}

bool phrase_at(const TextView& view, std::size_t word, const Phrase& phrase) {
  const std::size_t count = phrase.words.size();
  if (word + count > view.word_hash.size()) return false;
  for (std::size_t k = 0; k < count; ++k) {
    if (view.word_hash[word + k] != phrase.words[k]) return false;
    if (k + 1 < count && !gap_fits(phrase.gaps[k], view.bytes({view.word_end[word + k],
                                                               view.word_begin[word + k + 1]}))) {
      return false;
    }
  }
  return true;
}

Phrase make_phrase(std::string_view text, TextViewBuilder* builder) {
  const TextView& view = builder->build(text);
  Phrase phrase;
  phrase.words.assign(view.word_hash.begin(), view.word_hash.end());
  for (std::size_t k = 0; k + 1 < phrase.words.size(); ++k)
    phrase.gaps.emplace_back(view.bytes({view.word_end[k], view.word_begin[k + 1]}));
  return phrase;
}

}  // namespace

struct PhraseTable::Tables {
  std::vector<Entry> entries;      // by key, the longest phrase first
  std::vector<Phrase> exceptions;  // of flagged phrases

  // A bit for the top bits of the first word of each entry, and one for those of its key; one in 64
  // at most is set.
  std::vector<std::uint8_t> first_words;
  std::vector<std::uint8_t> filter;
  int filter_shift = 0;
  // 1 + the first entry of a key, 0 for none; open addressing.
  std::vector<std::uint32_t> slots;
  int slot_shift = 0;

  static bool has(const std::vector<std::uint8_t>& bits, std::uint64_t place) {
    return (bits[place / 8] >> place % 8 & 1U) != 0;
  }
  static void set(std::vector<std::uint8_t>* bits, std::uint64_t place) {
    (*bits)[place / 8] = static_cast<std::uint8_t>((*bits)[place / 8] | 1U << place % 8);
  }

  static std::unique_ptr<Tables> make(const WordLists& lists);
  void index();
  const Entry* find(std::uint64_t key) const;
  void look(const TextView& view, std::size_t word, std::uint64_t key, std::size_t* next,
            PhraseFacts* facts, std::vector<TextRange>* flagged) const;
  PhraseFacts scan(const TextView& view, std::vector<TextRange>* flagged) const;
  bool excepted(const TextView& view, std::size_t word, const Entry& entry) const;
};

void PhraseTable::Tables::index() {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.key, b.phrase.words.size()) < std::pair(b.key, a.phrase.words.size());
  });
  const std::size_t places = std::clamp<std::size_t>(std::bit_ceil(64 * entries.size()),
                                                     std::size_t{1} << 15, std::size_t{1} << 22);
  filter.assign(places / 8, 0);
  first_words.assign(places / 8, 0);
  filter_shift = 64 - std::countr_zero(places);
  slots.assign(std::bit_ceil(4 * entries.size() + 1), 0);
  slot_shift = 64 - std::countr_zero(slots.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    set(&first_words, entry.phrase.words[0] >> filter_shift);
    set(&filter, entry.key >> filter_shift);
    if (i > 0 && entries[i - 1].key == entry.key) continue;
    std::size_t at = entry.key >> slot_shift;
    while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
    slots[at] = static_cast<std::uint32_t>(i + 1);
  }
}

const Entry* PhraseTable::Tables::find(std::uint64_t key) const {
  for (std::size_t at = key >> slot_shift; slots[at] != 0; at = (at + 1) & (slots.size() - 1)) {
    const Entry* const entry = &entries[slots[at] - 1];
    if (entry->key == key) return entry;
  }
  return nullptr;
}

bool PhraseTable::Tables::excepted(const TextView& view, std::size_t word,
                                   const Entry& entry) const {
  return std::any_of(entry.exceptions.begin(), entry.exceptions.end(), [&](const Exception& e) {
    return word >= e.offset && phrase_at(view, word - e.offset, exceptions[e.phrase]);
  });
}

// Counts the phrases with this key that begin at `word`; of each group the longest. next[group] is
// the word behind the last phrase of the group: they do not overlap.
void PhraseTable::Tables::look(const TextView& view, std::size_t word, std::uint64_t key,
                               std::size_t* next, PhraseFacts* facts,
                               std::vector<TextRange>* flagged) const {
  const Entry* const end = entries.data() + entries.size();
  for (const Entry* entry = find(key); entry != nullptr && entry != end && entry->key == key;
       ++entry) {
    if (word < next[entry->group] || !phrase_at(view, word, entry->phrase)) continue;
    if (excepted(view, word, *entry)) continue;
    const std::size_t words = entry->phrase.words.size();
    next[entry->group] = word + words;
    facts->lorem_ipsum += entry->group == kLoremIpsum;
    facts->javascript += entry->group == kJavascript;
    facts->policy += entry->group == kPolicy;
    facts->flagged += entry->group == kFlagged;
    if (entry->group != kFlagged) continue;
    facts->flagged_words += static_cast<std::uint32_t>(words);
    if (flagged != nullptr)
      flagged->push_back({view.word_begin[word], view.word_end[word + words - 1]});
  }
}

std::unique_ptr<PhraseTable::Tables> PhraseTable::Tables::make(const WordLists& lists) {
  auto tables = std::make_unique<Tables>();
  TextViewBuilder builder;
  const auto add = [&](Group group, std::string_view text) {
    Phrase phrase = make_phrase(text, &builder);
    const std::uint64_t key = key_of(phrase);
    tables->entries.push_back({key, group, std::move(phrase), {}});
  };
  for (const auto& [group, text] : kFixed) add(group, text);
  for (const WordList& list : lists.flagged_words) {
    const std::size_t first = tables->entries.size();
    for (const std::string& entry : list.entries) add(kFlagged, entry);
    for (const std::string& text : list.exceptions) {
      const auto number = static_cast<std::uint32_t>(tables->exceptions.size());
      tables->exceptions.push_back(make_phrase(text, &builder));
      const std::vector<std::uint64_t>& words = tables->exceptions.back().words;
      for (std::size_t i = first; i < tables->entries.size(); ++i) {
        Entry& entry = tables->entries[i];
        auto at = words.begin();
        while ((at = std::search(at, words.end(), entry.phrase.words.begin(),
                                 entry.phrase.words.end())) != words.end()) {
          entry.exceptions.push_back({static_cast<std::uint32_t>(at - words.begin()), number});
          ++at;
        }
      }
    }
  }
  tables->index();
  return tables;
}

PhraseTable::PhraseTable(const WordLists& lists) : tables_(Tables::make(lists)) {}
PhraseTable::~PhraseTable() = default;

FlaggedFinder::FlaggedFinder(const WordLists& lists) : tables_(PhraseTable::Tables::make(lists)) {}
FlaggedFinder::~FlaggedFinder() = default;

PhraseFacts PhraseTable::count(const TextView& view) const { return tables_->scan(view, nullptr); }

std::vector<TextRange> FlaggedFinder::find(const TextView& view) const {
  std::vector<TextRange> found;
  tables_->scan(view, &found);
  return found;
}

PhraseFacts PhraseTable::Tables::scan(const TextView& view, std::vector<TextRange>* flagged) const {
  PhraseFacts facts;
  const std::uint8_t* first_words_of = first_words.data();
  const int shift = filter_shift;
  const std::uint64_t* hashes = view.word_hash.data();
  const std::size_t words = view.word_hash.size();
  std::size_t next[kGroups] = {};
  for (std::size_t first = 0; first < words; first += 64) {
    const std::size_t end = std::min(first + 64, words);
    std::uint64_t maybe = 0;
    for (std::size_t i = first; i < end; ++i) {
      const std::uint64_t place = hashes[i] >> shift;
      maybe |= std::uint64_t{first_words_of[place / 8] >> place % 8 & 1U} << (i - first);
    }
    for (; maybe != 0; maybe &= maybe - 1) {
      const std::size_t word = first + static_cast<std::size_t>(std::countr_zero(maybe));
      if (word + 1 < words) {
        const std::uint64_t pair = pair_key(hashes[word], hashes[word + 1]);
        if (has(filter, pair >> shift)) look(view, word, pair, next, &facts, flagged);
      }
      if (has(filter, hashes[word] >> shift)) look(view, word, hashes[word], next, &facts, flagged);
    }
  }
  return facts;
}

}  // namespace headrace::measure
