// SPDX-License-Identifier: Apache-2.0
// Each word is looked up once, in a table of first arrivals (facts/repeats.h); counts, lengths,
// stop words and entropy are then a matter of the distinct ones. What masks tell (words of digits,
// signs) needs no words at all.
//
// A long text has few distinct words for its length, and a table of its size would leave the
// caches: from 65535 words on, a table that numbers distinct words starts small and doubles.
//
// Tried: the numbering for texts of every length (a third slower: three dependent loads a word).
#include "measure/facts/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "measure/facts/repeats.h"
#include "measure/internal/word_kernels.h"

namespace headrace::measure {
namespace {

constexpr std::size_t kKeepBytes = std::size_t{16} << 20;
constexpr std::uint32_t kLongText = 1 << 18;  // words; its memory is kept for the next such
constexpr std::uint32_t kMany = 65535;        // words
constexpr std::uint32_t kFirstSlots = 4096;
constexpr std::size_t kTallied = 64;  // lengths and counts below it are tallied, the rest sorted

// c log2 c of small counts.
const std::array<double, kTallied>& count_times_log() {
  static const auto table = [] {
    std::array<double, kTallied> made = {};
    for (std::size_t c = 2; c < kTallied; ++c) {
      made[c] = static_cast<double>(c) * std::log2(static_cast<double>(c));
    }
    return made;
  }();
  return table;
}

// How many words there are of each length, or distinct words of each count. Two columns, taken in
// turn: most values are equal to the one before, and would wait for it.
struct Tally {
  std::array<std::array<std::uint32_t, kTallied>, 2> small = {};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> large;  // value, how many

  void clear() {
    small = {};
    large.clear();
  }
  void add(std::uint32_t value, std::uint32_t times, std::uint32_t turn) {
    if (value < kTallied) {
      small[turn % 2][value] += times;
    } else {
      large.emplace_back(value, times);
    }
  }
  std::uint32_t times(std::size_t value) const { return small[0][value] + small[1][value]; }
};

struct StopWords {
  std::uint32_t distinct = 0;
  std::uint32_t tokens = 0;
};

struct StopWordHit {
  std::uint32_t group;
  std::uint32_t times;
};

}  // namespace

// Memory only: nothing lasts between calls but what repeated() gives.
struct WordCounter::Scratch {
  RepeatFinder finder;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint32_t> count;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> number_of;  // or copies of each word
  std::vector<std::uint32_t> length;
  std::vector<std::uint64_t> repeated;
  std::vector<StopWordHit> hits;
  std::vector<StopWords> groups;
  std::vector<StopWords> languages;
  Tally lengths;
  Tally counts;
  std::size_t repeated_words = 0;  // entries of `repeated` in use

  std::size_t bytes() const {
    return finder.bytes() +
           8 * (keys.capacity() + repeated.capacity() + lengths.large.capacity() +
                counts.large.capacity()) +
           4 * (numbers.capacity() + count.capacity() + first.capacity() + number_of.capacity() +
                length.capacity());
  }
};

namespace {

using Scratch = WordCounter::Scratch;
using internal::WordKernels;
using internal::WordNumbering;

// Puts a word that is not there into the table.
void place(std::uint64_t hash, std::uint32_t number, WordNumbering* numbering) {
  const std::uint32_t mask = numbering->slots - 1;
  std::uint32_t at = static_cast<std::uint32_t>(hash >> internal::kWordSlotShift) & mask;
  while (numbering->keys[at] != 0) at = (at + 1) & mask;
  numbering->keys[at] = hash;
  numbering->numbers[at] = number;
}

// A table of `slots` entries with what `numbering` has found so far.
void make_table(std::uint32_t slots, const TextView& view, Scratch* scratch,
                WordNumbering* numbering) {
  scratch->keys.assign(slots, 0);
  if (scratch->numbers.size() < slots) scratch->numbers.resize(slots);
  const std::uint32_t most = slots / 2;
  if (scratch->count.size() < most + 1) {
    scratch->count.resize(most + 1);
    scratch->first.resize(most + 1);
    scratch->length.resize(most + 1);
  }
  numbering->keys = scratch->keys.data();
  numbering->numbers = scratch->numbers.data();
  numbering->slots = slots;
  numbering->most = most;
  numbering->count = scratch->count.data();
  numbering->first = scratch->first.data();
  for (std::uint32_t number = 0; number < numbering->distinct; ++number) {
    place(view.word_hash[numbering->first[number]], number, numbering);
  }
}

WordNumbering number_words(const TextView& view, const WordKernels& kernels, Scratch* scratch) {
  const std::uint32_t words = view.counts.words;
  if (scratch->number_of.size() < words) scratch->number_of.resize(words);
  WordNumbering numbering = {};
  numbering.number_of = scratch->number_of.data();
  std::uint32_t slots = kFirstSlots;
  make_table(slots, view, scratch, &numbering);
  std::uint32_t next = 0;
  while ((next = kernels.number(view.word_hash.data(), next, words, &numbering)) < words) {
    slots *= 2;
    make_table(slots, view, scratch, &numbering);
  }
  return numbering;
}

// The distinct words of a text, in the order of their first occurrence.
struct DistinctWords {
  std::uint32_t distinct;
  const std::uint32_t* first;  // word
  const std::uint32_t* count;
};

// Few words: a table of first arrivals, large enough at once.
DistinctWords look_up_few(const TextView& view, const WordKernels& kernels, Scratch* scratch) {
  const std::uint32_t words = view.counts.words;
  RepeatFinder& finder = scratch->finder;
  finder.find(HashedElements{view.word_hash.data()}, words);
  scratch->number_of.assign(words, 0);
  std::uint32_t* copies = scratch->number_of.data();
  for (const std::uint32_t first : finder.firsts()) ++copies[first];
  if (scratch->count.size() < words) {
    scratch->count.resize(words);
    scratch->first.resize(words);
    scratch->length.resize(words);
  }
  const std::uint32_t distinct =
      kernels.firsts(finder.repeats().data(), copies, words, scratch->first.data(),
                     scratch->count.data(), scratch->repeated.data());
  return {distinct, scratch->first.data(), scratch->count.data()};
}

// Many words: a table that grows with what is distinct among them.
DistinctWords look_up_many(const TextView& view, const WordKernels& kernels, Scratch* scratch) {
  const WordNumbering numbering = number_words(view, kernels, scratch);
  kernels.mark_repeated(numbering.number_of, numbering.count, view.counts.words,
                        scratch->repeated.data());
  return {numbering.distinct, numbering.first, numbering.count};
}

// Sum of the two middle values of what is tallied.
std::uint64_t twice_median(std::uint64_t words, Tally* lengths) {
  std::sort(lengths->large.begin(), lengths->large.end());
  const auto at = [&](std::uint64_t rank) -> std::uint64_t {
    for (std::size_t value = 0; value < kTallied; ++value) {
      if (rank < lengths->times(value)) return value;
      rank -= lengths->times(value);
    }
    for (const auto& [value, times] : lengths->large) {
      if (rank < times) return value;
      rank -= times;
    }
    return 0;
  };
  return at((words - 1) / 2) + at(words / 2);
}

// log2 n - (sum of c log2 c) / n, summed in the order of the counts so that it is one number on
// every machine and at every SIMD level.
double entropy(std::uint64_t words, Tally* counts) {
  const std::array<double, kTallied>& terms = count_times_log();
  double sum = 0;
  for (std::size_t c = 2; c < kTallied; ++c) sum += counts->times(c) * terms[c];
  std::sort(counts->large.begin(), counts->large.end());
  for (std::size_t i = 0; i < counts->large.size();) {
    const auto c = static_cast<double>(counts->large[i].first);
    std::uint32_t equal = 0;
    for (const std::uint32_t count = counts->large[i].first;
         i < counts->large.size() && counts->large[i].first == count; ++i) {
      ++equal;
    }
    sum += equal * (c * std::log2(c));
  }
  const auto n = static_cast<double>(words);
  return std::max(0.0, std::log2(n) - sum / n);
}

// The language whose stop words are most of the text.
void find_stop_words(const TextView& view, const StopWordTable& table, const DistinctWords& found,
                     Scratch* scratch, WordFacts* facts) {
  scratch->groups.assign(table.groups(), {});
  if (scratch->hits.size() < found.distinct) scratch->hits.resize(found.distinct);
  // Hits first, without a branch; what is done with them would be one too many for every word.
  std::uint32_t hits = 0;
  for (std::uint32_t number = 0; number < found.distinct; ++number) {
    const std::uint32_t group = table.group_of(view.word_hash[found.first[number]]);
    scratch->hits[hits] = {group, found.count[number]};
    hits += group != 0 ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < hits; ++i) {
    StopWords& group = scratch->groups[scratch->hits[i].group];
    ++group.distinct;
    group.tokens += scratch->hits[i].times;
  }
  scratch->languages.assign(table.languages(), {});
  for (std::size_t group = 1; group < table.groups(); ++group) {
    if (scratch->groups[group].distinct == 0) continue;
    for (const std::uint16_t language : table.languages_of(group)) {
      scratch->languages[language].distinct += scratch->groups[group].distinct;
      scratch->languages[language].tokens += scratch->groups[group].tokens;
    }
  }
  for (const StopWords& language : scratch->languages) {
    if (language.tokens <= facts->stop_word_tokens) continue;
    facts->stop_word_tokens = language.tokens;
    facts->stop_words = language.distinct;
  }
}

}  // namespace

WordCounter::WordCounter() : scratch_(std::make_unique<Scratch>()) {}
WordCounter::~WordCounter() = default;

WordFacts WordCounter::count(const TextView& view, const StopWordTable& stop_words) {
  if (view.counts.words < kLongText && scratch_->bytes() > kKeepBytes) *scratch_ = Scratch();
  const WordKernels& kernels = internal::word_kernels(view.simd);
  Scratch* const scratch = scratch_.get();
  const std::uint32_t words = view.counts.words;
  WordFacts facts;
  scratch->repeated_words = words / 64 + 1;
  if (scratch->repeated.size() <= scratch->repeated_words) {
    scratch->repeated.resize(scratch->repeated_words + 1);
  }
  scratch->repeated[0] = 0;
  if (words == 0) return facts;

  internal::BlockSums sums;
  kernels.look(reinterpret_cast<const unsigned char*>(view.text.data()), view.blocks.data(),
               view.blocks.size(), &sums);
  facts.alphabetic = words - sums.digit_words;
  facts.hash_signs = sums.hash_signs;
  facts.ellipses = sums.ellipses;

  const DistinctWords found =
      words < kMany ? look_up_few(view, kernels, scratch) : look_up_many(view, kernels, scratch);
  facts.distinct = found.distinct;
  kernels.lengths(view.blocks.data(), view.word_begin.data(), view.word_end.data(), found.first,
                  found.distinct, scratch->length.data());
  scratch->lengths.clear();
  scratch->counts.clear();
  for (std::uint32_t number = 0; number < found.distinct; ++number) {
    facts.max_length = std::max(facts.max_length, scratch->length[number]);
    scratch->lengths.add(scratch->length[number], found.count[number], number);
    scratch->counts.add(found.count[number], 1, number);
  }
  facts.twice_median_length = twice_median(words, &scratch->lengths);
  facts.entropy = entropy(words, &scratch->counts);
  find_stop_words(view, stop_words, found, scratch, &facts);
  return facts;
}

std::span<const std::uint64_t> WordCounter::repeated() const {
  return {scratch_->repeated.data(), scratch_->repeated_words};
}

}  // namespace headrace::measure
