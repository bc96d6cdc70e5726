// SPDX-License-Identifier: Apache-2.0
// One document → its row in every part of the document pass. See document_pass.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"
#include "curate/recipe.h"
#include "dedup/exact.h"
#include "dedup/near.h"
#include "measure/measure.h"
#include "normalize/normalize.h"
#include "record/document.h"
#include "record/text_view.h"

namespace headrace::curate {

struct DocumentRow {
  Document document;  // its text as the steps left it
  std::uint32_t domain = 0;
  std::vector<std::uint8_t> changed;  // by each step
  std::vector<double> values;         // of each measure
  std::uint64_t code_points = 0;
  // Where the recipe asks for dedup.
  Hash128 view;
  std::uint64_t content = 0;
  // Where it asks for near duplicates. Their values stand in `signature_values`.
  std::vector<dedup::Signature> signatures;
  std::vector<std::uint16_t> signature_values;

  // Takes over a reader's document. The buffers of the texts are swapped, not copied.
  void take(Document& from, std::uint32_t domain_of_file);
};

// Consecutive rows that go from thread to thread together. Not filled again: each buffer that is
// kept would grow to the longest text it has held, and no count of bytes would show it.
struct DocumentBatch {
  std::vector<DocumentRow> rows;
  std::size_t bytes = 0;  // of text, meta and columns, about

  void add(Document& from, std::uint32_t domain_of_file);
};

// What all threads of a task share. Thread-safe.
struct RowRecipe {
  std::vector<std::unique_ptr<normalize::Step>> steps;
  std::shared_ptr<const measure::WordTables> words;
  std::optional<dedup::HashView> hash_view;
  std::optional<dedup::SignatureSettings> signature;

  static Result<RowRecipe> make(const Recipe::Data& recipe);
};

// Normalizes, measures and hashes, while the document is in the core's cache. One per thread;
// `recipe` outlives it.
class RowMaker {
 public:
  explicit RowMaker(const RowRecipe& recipe)
      : recipe_(recipe), measures_(recipe.words), hash_view_(recipe.hash_view) {
    if (recipe.signature) signer_.emplace(*recipe.signature);
  }

  void fill(DocumentRow& row);

 private:
  void sign(const TextView& view, DocumentRow& row);

  const RowRecipe& recipe_;
  std::string scratch_;
  TextViewBuilder text_view_;
  measure::MeasureSet measures_;
  std::optional<dedup::HashView> hash_view_;
  std::optional<dedup::Signer> signer_;
};

}  // namespace headrace::curate
