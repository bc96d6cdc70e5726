// SPDX-License-Identifier: Apache-2.0
// Finds evaluation items inside training documents, whatever they were disguised as: re-spaced, in
// full width, in traditional characters, with other punctuation, options in another order, some
// words changed, only a part, or in the middle of a paragraph. Formulas, famous lines and the
// frames that many questions share are not found.
//
//   IndexBuilder → Index (a file) → Scanner, one per thread → Hits with their evidence
//
// What is found depends on the items, the reference documents and the settings; neither on the
// order in which they were added nor on threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "leak/item.h"
#include "record/text_view.h"

namespace headrace::leak {

// Parts of an item. No n-gram crosses them, so the order of options plays no part.
enum class Part : std::uint8_t { kQuestion, kOptions, kAnswer, kPassage };
inline constexpr std::size_t kParts = 4;

// Affects results; bound to the index file. Units: a Han character has 1, a word or number 1.5, a
// single letter or digit 0.5; here in halves. Sources of all values: docs/rooms/09-leak.md.
struct IndexSettings {
  std::uint32_t seed_half_units = 12;   // length of the n-grams that are searched: 6 Han, 4 words
  std::uint32_t check_half_units = 6;   // of those that verify: 3 Han, 2 words
  double item_frequency_factor = 0.12;  // weight 1 / (1 + factor × (items with the n-gram − 1))
  double least_weight = 0.03;           // of an n-gram
  double quoted_factor = 0.5;           // weight of question words inside “ ” 「 」 『 』 《 》
  double common_share = 0.004;          // seeds in more of the reference documents are left out
  std::uint32_t common_items = 60;      // and those in more items

  Result<void> validate() const;
  bool operator==(const IndexSettings&) const = default;
};

enum class View : std::uint8_t {
  kQuestion,         // "question"
  kEditedQuestion,   // "edited question": no stretch of it longer than a few words is missing
  kQuestionOptions,  // "question+options"
  kQuestionAnswer,   // "question+answer"
  kRun,              // "run": one long stretch without a gap, of words that tell
  kPassage,          // "passage"
};
inline constexpr std::size_t kViews = 6;
std::string_view name_of(View view);

// A view is found when its matched mass is at least `least_mass` and its ratio at least
// max(least_ratio, min(0.98, level − slope × ln(mass / 8))): short matches must be nearly whole.
struct ViewBound {
  double level;
  double slope;
  double least_ratio;
  double least_mass;
};

// Affects results; not bound to the index.
struct ScanSettings {
  std::array<ViewBound, kViews> bounds = {{{0.96, 0.12, 0.55, 6.7},
                                           {0.90, 0.30, 0.70, 5.8},
                                           {0.80, 0.0, 0.80, 8.5},
                                           {0.95, 0.0, 0.85, 7.5},
                                           {0.47, 0.18, 0.36, 9.5},
                                           {0.50, 0.0, 0.40, 25.0}}};
  // Weight of the longest missing stretch of an edited question; also of one to drop, where a tenth
  // of the question is allowed if that is more.
  double most_gap = 3.0;
  double least_density = 0.10;          // covered tokens / tokens of the island
  std::uint32_t gap_tokens = 14;        // what may stand between matched n-grams
  double drop_question = 0.8;           // drop if so much of the question is there,
  double drop_question_with = 0.3;      // or so much of it with
  double drop_options = 0.5;            // so much of the options
  double drop_answer = 0.6;             // or of the answer; flag otherwise
  std::uint32_t line_rest_tokens = 12;  // a remove span takes in a shorter rest of its line
  bool keep_all = false;                // report every island that was scored: for tuning

  Result<void> validate() const;
};

// What an index holds; always to be reported beside what was found.
struct IndexStats {
  std::uint64_t items = 0;
  std::uint64_t folded = 0;          // further items with the same words as one of `items`
  std::uint64_t without_seeds = 0;   // never found: nothing to search by
  std::uint64_t not_checkable = 0;   // too short, or all template: seldom found
  std::uint64_t cut = 0;             // longer than kMaxItemTokens
  std::uint64_t seeds = 0;           // distinct
  std::uint64_t seeds_left_out = 0;  // common ones
  std::uint64_t reference_documents = 0;
  bool operator==(const IndexStats&) const = default;
};

// What scanning looked at; add those of several scanners.
struct ScanStats {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;
  std::uint64_t probes = 0;         // n-grams looked up
  std::uint64_t bits_set = 0;       // that passed the filter
  std::uint64_t seed_hits = 0;      // item occurrences of seeds
  std::uint64_t groups = 0;         // of seed hits of one item, close together
  std::uint64_t verified = 0;       // of these
  std::uint64_t found = 0;          // hits
  std::uint64_t cut_documents = 0;  // with more seed hits than are kept (kMaxSeedHits)
  ScanStats& operator+=(const ScanStats& other);
  bool operator==(const ScanStats&) const = default;
};

enum class Verdict : std::uint8_t { kFlag, kDrop };
std::string_view name_of(Verdict verdict);

// A stretch of the item's text that stands in the document.
struct ItemPiece {
  Part part;
  std::uint32_t text;  // which of the part's texts: option number; 0 = answer, 1 = solution
  TextRange bytes;     // in it
};

// One item in one place of a document.
struct Hit {
  std::uint32_t item = 0;  // in the index
  Verdict verdict = Verdict::kFlag;
  View view = View::kQuestion;            // the one that clears its bound by most
  double ratio = 0;                       // matched share of that view's weight
  double mass = 0;                        // matched weight of the view
  double density = 0;                     // covered tokens / tokens of the span
  std::array<double, kParts> coverage{};  // matched share of each part; 0 for a part that is empty
  std::array<double, kParts> weight{};    // of each part in all
  double run = 0;                         // weight of the longest stretch without a gap
  double gap = 0;                         // of the longest stretch of the question not there
  std::uint32_t seeds = 0;                // seed hits of the group
  TextRange span{};                       // of the document: first to last matched byte
  TextRange remove{};  // what "remove span" takes: the span and the rest of its line
  std::vector<TextRange> pieces = {};       // matched stretches of the document, ascending
  std::vector<ItemPiece> item_pieces = {};  // matched stretches of the item
};

struct IndexData;

// Read-only; thread-safe. Movable.
class Index {
 public:
  // Reads a file that save() wrote. not_found; corrupt for one that is cut, altered or of another
  // kind; invalid_argument for one of other settings or another table of characters: build again.
  static Result<Index> open(const std::string& path, const IndexSettings& settings);
  // The same from bytes; `name` is for messages.
  static Result<Index> parse(std::string_view bytes, const IndexSettings& settings,
                             std::string_view name);
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;
  ~Index();

  // Writes the file whole or not at all. Equal items, references and settings give equal bytes.
  Result<void> save(const std::string& path) const;
  std::string serialize() const;

  std::size_t size() const;
  const Item& item(std::uint32_t item) const;
  const IndexSettings& settings() const;
  const IndexStats& stats() const;
  std::vector<std::uint32_t> without_seeds() const;
  std::vector<std::uint32_t> not_checkable() const;
  std::size_t memory_bytes() const;

 private:
  friend class IndexBuilder;
  friend class Scanner;
  explicit Index(std::unique_ptr<const IndexData> data);
  std::unique_ptr<const IndexData> data_;
};

// Counts in how many documents the items' n-grams stand. One per thread; counts of several add up.
class ReferenceCounter {
 public:
  ReferenceCounter(ReferenceCounter&&) noexcept;
  ReferenceCounter& operator=(ReferenceCounter&&) noexcept;
  ~ReferenceCounter();
  void add(std::string_view text);

 private:
  friend class IndexBuilder;
  struct State;
  explicit ReferenceCounter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// add() all items; then, if there are documents to tell common phrases by, counter() for each
// thread, and count() of each; then finish(). Reference documents are a sample of the corpus
// (10,000 or more), better without duplicates. Single-threaded.
class IndexBuilder {
 public:
  // Tokens of an item that are indexed; what follows is not looked for, and counted.
  static constexpr std::uint32_t kMaxItemTokens = 65535;

  static Result<IndexBuilder> make(const IndexSettings& settings = {});
  IndexBuilder(IndexBuilder&&) noexcept;
  IndexBuilder& operator=(IndexBuilder&&) noexcept;
  ~IndexBuilder();

  // Any bytes, any length. Not after counter().
  void add(Item item);
  // A counter for the items added so far, valid while the builder lives.
  ReferenceCounter counter();
  void count(const ReferenceCounter& counter);
  // invalid_argument without any item that can be searched. The builder is spent.
  Result<Index> finish();

 private:
  friend class ReferenceCounter;
  struct State;
  explicit IndexBuilder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Looks documents through for the items of an index, which must outlive it. One per thread;
// single-threaded. Memory: about 20 bytes a token of the longest document.
class Scanner {
 public:
  static constexpr std::size_t kMaxSeedHits = std::size_t{1} << 24;

  static Result<Scanner> make(const Index& index, const ScanSettings& settings = {});
  Scanner(Scanner&&) noexcept;
  Scanner& operator=(Scanner&&) noexcept;
  ~Scanner();

  // The hits of a document by (place, item). Any bytes; the offsets lie at starts of code points
  // if the text is UTF-8.
  std::vector<Hit> scan(std::string_view text);
  const ScanStats& stats() const;

 private:
  struct State;
  explicit Scanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The remove spans of the hits with verdict drop, ascending and joined where they meet.
std::vector<TextRange> remove_ranges(std::span<const Hit> hits);

}  // namespace headrace::leak
