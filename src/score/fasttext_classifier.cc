// SPDX-License-Identifier: Apache-2.0
// Which way a model takes, and the choice of kernels.
#include "score/fasttext_classifier.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "score/internal/fasttext_tables.h"

namespace headrace::score {

using internal::FastTextKernels;
using internal::FoldModel;
using internal::GramModel;
using internal::OutputLayer;
using internal::RowFinder;
using internal::WordIndexTable;

namespace {

constexpr std::int32_t kMostGram = 32;

// The best of `scores`, kept sorted: k is small.
std::size_t choose(const float* scores, std::size_t labels, float least,
                   std::span<Prediction> best) {
  std::size_t count = 0;
  float bar = std::nextafter(least, -1.0f);  // one comparison for nearly all labels
  for (std::size_t i = 0; i < labels; ++i) {
    const float score = scores[i];
    if (!(score > bar)) continue;
    std::size_t at = count < best.size() ? count++ : count - 1;
    for (; at > 0 && best[at - 1].score < score; --at) best[at] = best[at - 1];
    best[at] = {static_cast<std::int32_t>(i), score};
    if (count == best.size()) bar = best[count - 1].score;
  }
  return count;
}

}  // namespace

struct FastTextClassifier::Scratch::Memory {
  std::vector<unsigned char> text;
  internal::GramScratch grams;
  internal::FoldScratch fold;
  std::vector<std::uint32_t> hashes;
  std::vector<std::uint32_t> rows;
  std::vector<float> hidden;
  std::vector<float> scores;

  const unsigned char* padded(std::string_view from) {
    if (text.size() < from.size() + internal::kTextPadding) {
      text.resize(2 * from.size() + internal::kTextPadding);
    }
    if (!from.empty()) std::memcpy(text.data(), from.data(), from.size());
    std::memset(text.data() + from.size(), 0, internal::kTextPadding);
    return text.data();
  }
};

FastTextClassifier::Scratch::Scratch() : memory_(std::make_unique<Memory>()) {}
FastTextClassifier::Scratch::~Scratch() = default;
FastTextClassifier::Scratch::Scratch(Scratch&&) noexcept = default;
FastTextClassifier::Scratch& FastTextClassifier::Scratch::operator=(Scratch&&) noexcept = default;

struct FastTextClassifier::Parts {
  explicit Parts(const FastTextModel& model, SimdLevel level)
      : index(model), kernels(internal::kernels_for(level)), loss(model.arguments.loss) {}

  // From a text to the mean of its rows; false for a text without rows.
  bool find_hidden(std::string_view text, Scratch::Memory* memory) const;
  // From a text to the scores of all labels.
  bool find_scores(std::string_view text, Scratch::Memory* memory) const;
  bool fold(std::string_view text, Scratch::Memory* memory) const;

  WordIndexTable index;
  const FastTextKernels& kernels;
  FastTextLoss loss;
  std::size_t dim = 0;
  std::optional<GramModel> grams;
  std::optional<FoldModel> folded;
  std::optional<RowFinder> finder;
  std::vector<float> rows;
  std::optional<OutputLayer> output;
};

bool FastTextClassifier::Parts::find_hidden(std::string_view text, Scratch::Memory* memory) const {
  if (grams) {
    memory->hidden.resize(internal::kSmallRow);
    internal::GramSums sums = {};
    kernels.sum_grams(grams->tables(), memory->padded(text), text.size(), &memory->grams, &sums);
    return grams->hidden(sums, memory->hidden.data());
  }
  finder->find(text, index, &memory->hashes, &memory->rows);
  if (memory->rows.empty()) return false;
  memory->hidden.assign(dim, 0);
  kernels.add_rows(rows.data(), dim, memory->rows.data(), memory->rows.size(),
                   memory->hidden.data());
  const auto share = static_cast<float>(1.0 / static_cast<double>(memory->rows.size()));
  for (float& value : memory->hidden) value *= share;
  return true;
}

bool FastTextClassifier::Parts::fold(std::string_view text, Scratch::Memory* memory) const {
  internal::FoldSums sums = {};
  kernels.sum_folded(folded->tables(), memory->padded(text), text.size(), &memory->fold, &sums);
  float both[2];
  if (!folded->difference(sums, &both[1])) return false;
  both[0] = -both[1];
  kernels.sigmoid(both, 2);
  memory->scores.assign({both[0] + 1e-5f, both[1] + 1e-5f});
  return true;
}

bool FastTextClassifier::Parts::find_scores(std::string_view text, Scratch::Memory* memory) const {
  if (folded) return fold(text, memory);
  if (!find_hidden(text, memory)) return false;
  memory->scores.resize(output->room());
  output->scores(kernels, memory->hidden.data(), memory->scores.data());
  return true;
}

FastTextClassifier::FastTextClassifier() = default;
FastTextClassifier::~FastTextClassifier() = default;
FastTextClassifier::FastTextClassifier(FastTextClassifier&&) noexcept = default;
FastTextClassifier& FastTextClassifier::operator=(FastTextClassifier&&) noexcept = default;

Result<FastTextClassifier> FastTextClassifier::open(const std::string& path, SimdLevel level) {
  HEADRACE_ASSIGN_OR_RETURN(FastTextModel model, read_fasttext_model(path));
  return make(std::move(model), path, level);
}

Result<FastTextClassifier> FastTextClassifier::make(FastTextModel model, std::string_view name,
                                                    SimdLevel level) {
  if (model.arguments.kind != kFastTextSupervised) {
    return unsupported(
        "the fastText model {} gives word vectors and has no labels; a classifier is "
        "needed (fasttext supervised)",
        name);
  }
  // Longer ones would take time quadratic in the length of a word, or in their own.
  if (std::max(model.arguments.max_gram, model.arguments.word_ngrams) > kMostGram) {
    return unsupported(
        "the fastText model {} has n-grams of {} characters and {} words; at most {} "
        "are supported",
        name, model.arguments.max_gram, model.arguments.word_ngrams, kMostGram);
  }
  if (model.labels.empty()) return corrupt("the fastText model {} has no labels", name);
  auto parts = std::make_unique<Parts>(model, level);
  parts->dim = static_cast<std::size_t>(model.arguments.dim);
  parts->output = OutputLayer::make(model);
  bool finite = parts->output.has_value();
  if (GramModel::fits(model)) {
    parts->grams = GramModel::make(model, parts->index);
    finite = finite && parts->grams.has_value();
  } else if (FoldModel::fits(model)) {
    parts->folded = FoldModel::make(model, parts->index);
    finite = finite && parts->folded.has_value();
  } else {
    parts->finder.emplace(model);
    auto rows = internal::take_rows(&model.input);
    finite = finite && rows.has_value();
    if (finite) parts->rows = std::move(*rows);
  }
  if (!finite) {
    return corrupt(
        "the fastText model {} has weights that are no finite numbers; it is damaged, or "
        "its training diverged",
        name);
  }
  FastTextClassifier made;
  for (const std::string& label : model.labels) {
    const bool prefixed = label.starts_with(kLabelPrefix);
    made.labels_.push_back(prefixed ? label.substr(kLabelPrefix.size()) : label);
  }
  made.fingerprint_ = model.fingerprint;
  made.parts_ = std::move(parts);
  return made;
}

std::string_view FastTextClassifier::way() const {
  return parts_->grams ? "rows of 16" : parts_->folded ? "folded" : "full rows";
}

std::size_t FastTextClassifier::predict(std::string_view text, Scratch* scratch,
                                        std::span<Prediction> best) const {
  if (best.empty() || !parts_->find_scores(text, scratch->memory_.get())) return 0;
  const bool tree = parts_->loss == FastTextLoss::kHierarchicalSoftmax;
  return choose(scratch->memory_->scores.data(), labels_.size(), tree ? 1e-5f : 0.0f, best);
}

}  // namespace headrace::score
