// SPDX-License-Identifier: Apache-2.0
// Finds the validation documents of a corpus in its training documents: copies, disguised as
// leak.h says, halves, and sentences in another order. For whole documents; items of a benchmark
// are the work of leak.h.
//
//   SplitBuilder → SplitIndex (a file) → SplitScanner, one per thread → SplitHits
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "record/text_view.h"

namespace headrace::leak {

// Affects results; bound to the index file.
struct SplitSettings {
  std::uint32_t half_units = 16;  // length of the n-grams: 8 Han, 6 words
  std::uint32_t keep_one_in = 4;  // of their hashes
  double frequency_factor = 0.5;  // weight 1 / (1 + factor × other documents with the n-gram)

  Result<void> validate() const;
  bool operator==(const SplitSettings&) const = default;
};

// Affects results; not bound to the index.
struct SplitBounds {
  double leak_share = 0.25;  // of either document, by weight
  double leak_mass = 3;      // and so much weight
  double flag_share = 0.15;
  double flag_mass = 1.5;

  Result<void> validate() const;
};

struct SplitStats {
  std::uint64_t documents = 0;
  std::uint64_t without_fingerprints = 0;  // shorter than one n-gram: never found
  std::uint64_t fingerprints = 0;          // distinct
  std::uint64_t reference_documents = 0;
  bool operator==(const SplitStats&) const = default;
};

struct SplitHit {
  std::uint32_t document = 0;          // number in the index
  bool leak = false;                   // else to flag
  double share_validation = 0;         // matched share of the validation document
  double share_train = 0;              // and of the training document
  double mass = 0;                     // matched weight
  std::vector<TextRange> pieces = {};  // matched stretches of the training document, ascending
};

struct SplitData;

// Read-only; thread-safe. Movable.
class SplitIndex {
 public:
  // Errors as those of Index::open.
  static Result<SplitIndex> open(const std::string& path, const SplitSettings& settings);
  static Result<SplitIndex> parse(std::string_view bytes, const SplitSettings& settings,
                                  std::string_view name);
  SplitIndex(SplitIndex&&) noexcept;
  SplitIndex& operator=(SplitIndex&&) noexcept;
  ~SplitIndex();

  Result<void> save(const std::string& path) const;
  std::string serialize() const;

  std::size_t size() const;
  const std::string& id(std::uint32_t document) const;
  const SplitStats& stats() const;

 private:
  friend class SplitBuilder;
  friend class SplitScanner;
  explicit SplitIndex(std::unique_ptr<const SplitData> data);
  std::unique_ptr<const SplitData> data_;
};

// add() all validation documents, then add_reference() documents of the corpus (validation
// documents not among them), then finish(). Single-threaded.
class SplitBuilder {
 public:
  static Result<SplitBuilder> make(const SplitSettings& settings = {});
  SplitBuilder(SplitBuilder&&) noexcept;
  SplitBuilder& operator=(SplitBuilder&&) noexcept;
  ~SplitBuilder();

  void add(std::string id, std::string_view text);
  void add_reference(std::string_view text);
  Result<SplitIndex> finish();

 private:
  struct State;
  explicit SplitBuilder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// One per thread; single-threaded. The index must outlive it.
class SplitScanner {
 public:
  static Result<SplitScanner> make(const SplitIndex& index, const SplitBounds& bounds = {});
  SplitScanner(SplitScanner&&) noexcept;
  SplitScanner& operator=(SplitScanner&&) noexcept;
  ~SplitScanner();

  // By (mass, larger first; document).
  std::vector<SplitHit> scan(std::string_view text);

 private:
  struct State;
  explicit SplitScanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace headrace::leak
