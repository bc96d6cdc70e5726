// SPDX-License-Identifier: Apache-2.0
#include "curate/document_rows.h"

#include <utility>

#include "base/error.h"

namespace headrace::curate {

namespace {

// So that texts without a letter fill a batch as well.
constexpr std::size_t kRowBytes = 256;

}  // namespace

void DocumentRow::take(Document& from, std::uint32_t domain_of_file) {
  document.id = from.id;
  document.line = from.line;
  document.markup = from.markup;
  std::swap(document.text, from.text);
  document.meta = from.meta;
  domain = domain_of_file;
}

void DocumentBatch::add(Document& from, std::uint32_t domain_of_file) {
  bytes += from.text.size() + from.meta.size() + kRowBytes;
  rows.emplace_back().take(from, domain_of_file);
}

Result<RowRecipe> RowRecipe::make(const Recipe::Data& recipe) {
  RowRecipe made;
  made.words = recipe.words.tables;
  for (const StepSpec& step : recipe.normalize) {
    HEADRACE_ASSIGN_OR_RETURN(auto one, normalize::make_step(step.name, step.options));
    made.steps.push_back(std::move(one));
  }
  if (recipe.dedup.needs_hashes()) {
    const std::vector<std::string> no_steps;
    HEADRACE_ASSIGN_OR_RETURN(auto view,
                              dedup::HashView::make(recipe.dedup.exact_view.value_or(no_steps)));
    made.hash_view.emplace(std::move(view));
  }
  if (recipe.dedup.near) made.signature = recipe.dedup.near->signature;
  return made;
}

void RowMaker::fill(DocumentRow& row) {
  std::string& text = row.document.text;
  row.changed.resize(recipe_.steps.size());
  for (std::size_t i = 0; i < recipe_.steps.size(); ++i)
    row.changed[i] = recipe_.steps[i]->apply(text, row.document.markup, scratch_) > 0 ? 1 : 0;
  const TextView& view = text_view_.build(text);
  row.code_points = view.counts.code_points;
  row.values.resize(measures_.size());
  measures_.of(view, row.values);
  if (!hash_view_) return;
  row.view = hash_view_->hash(text);
  row.content = hash64(text);
  if (signer_) sign(view, row);
}

void RowMaker::sign(const TextView& view, DocumentRow& row) {
  const std::span<const dedup::Signature> signatures = signer_->sign(view);
  row.signatures.assign(signatures.begin(), signatures.end());
  row.signature_values.clear();
  for (const dedup::Signature& signature : signatures) {
    row.signature_values.insert(row.signature_values.end(), signature.values.begin(),
                                signature.values.end());
  }
  std::span<const std::uint16_t> values = row.signature_values;
  for (dedup::Signature& signature : row.signatures) {
    signature.values = values.first(signature.values.size());
    values = values.subspan(signature.values.size());
  }
}

}  // namespace headrace::curate
