// SPDX-License-Identifier: Apache-2.0
// What fastText's trainer does for `supervised`, with one thread and our own random numbers.
//
// Each text is one step. hidden = mean of the text's rows; with softmax p = softmax(W hidden), with
// one-vs-all p = sigmoid(W hidden); for each label W[l] moves by rate * (y - p[l]) along hidden,
// and the sum of these moves along W, divided by the number of rows, is added to each row. The rate
// falls linearly with the words seen. Input weights start uniform in +-1/dim, output weights at 0.
//
// Differences from libfasttext, on purpose: texts are shuffled in every epoch (its users are told
// to shuffle the file), ties in the order of the dictionary go to the first seen, and there are no
// threads that write into each other's rows: those would give another model each time.
//
// Cost: a text of r rows is 2 * r * dim multiply-adds; 50 to 100 rows a microsecond at dim 100
// while the rows are in the cache.
#include "score/fasttext_train.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>

#include "base/counter_rng.h"
#include "base/error.h"
#include "score/internal/fasttext_tables.h"

namespace headrace::score {
namespace {

using internal::FastTextKernels;

Result<void> check_options(const FastTextTraining& o) {
  const auto in_range = [](std::string_view name, std::int64_t value, std::int64_t least,
                           std::int64_t most) -> Result<void> {
    if (value >= least && value <= most) return {};
    return invalid_argument("training a fastText model: {} is {}, allowed is {} to {}", name, value,
                            least, most);
  };
  HEADRACE_RETURN_IF_ERROR(in_range("dim", o.dim, 1, 4096));
  HEADRACE_RETURN_IF_ERROR(in_range("epochs", o.epochs, 1, 10'000));
  HEADRACE_RETURN_IF_ERROR(in_range("word_ngrams", o.word_ngrams, 1, 16));
  HEADRACE_RETURN_IF_ERROR(in_range("min_count", o.min_count, 1, 1'000'000'000));
  HEADRACE_RETURN_IF_ERROR(in_range("max_gram", o.max_gram, 0, 32));
  HEADRACE_RETURN_IF_ERROR(in_range("min_gram", o.min_gram, 0, std::max(0, o.max_gram)));
  HEADRACE_RETURN_IF_ERROR(in_range("buckets", o.buckets, 1, 1'000'000'000));
  if (!(o.rate > 0) || !std::isfinite(o.rate)) {
    return invalid_argument("training a fastText model: rate is {}, it must be above 0", o.rate);
  }
  if (o.loss != FastTextLoss::kSoftmax && o.loss != FastTextLoss::kOneVsAll) {
    return unsupported("training a fastText model: only softmax and one-vs-all are trained");
  }
  return {};
}

// Counts in the order of first sight, then sorted: the most frequent first.
class Counter {
 public:
  void add(std::string_view text) {
    const auto [at, is_new] = index_.try_emplace(std::string(text), texts_.size());
    if (is_new) {
      texts_.emplace_back(text);
      counts_.push_back(0);
    }
    ++counts_[at->second];
  }

  void sorted(std::int64_t least, std::vector<std::string>* texts,
              std::vector<std::int64_t>* counts) const {
    std::vector<std::size_t> order(texts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : a < b;
    });
    for (const std::size_t i : order) {
      if (counts_[i] < least) break;
      texts->push_back(texts_[i]);
      counts->push_back(counts_[i]);
    }
  }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::string> texts_;
  std::vector<std::int64_t> counts_;
};

// The words of a text that take part, the end of the line included; and the label counts as one.
template <class Visit>
std::int64_t for_words(std::string_view text, Visit visit) {
  std::int64_t tokens = 2;
  internal::for_tokens(text, [&](std::string_view token) {
    if (token == kEndOfLine) return false;
    ++tokens;
    if (!token.starts_with(kLabelPrefix)) visit(token);
    return true;
  });
  visit(kEndOfLine);
  return tokens;
}

Result<void> make_dictionary(std::span<const LabelledText> texts, std::int64_t min_count,
                             FastTextModel* model) {
  Counter words;
  Counter labels;
  for (const LabelledText& text : texts) {
    bool one_token = false;
    internal::for_tokens(text.label, [&](std::string_view token) {
      one_token = token.size() == text.label.size();
      return false;
    });
    if (!one_token) {
      return invalid_argument(
          "training a fastText model: '{}' is no label: it is empty or holds "
          "white space",
          text.label);
    }
    labels.add(text.label);
    model->tokens += for_words(text.text, [&](std::string_view word) { words.add(word); });
  }
  words.sorted(min_count, &model->words, &model->word_counts);
  labels.sorted(1, &model->labels, &model->label_counts);
  // At once: a word that reads like a label must not be found as one.
  for (std::string& label : model->labels) label.insert(0, kLabelPrefix);
  if (model->labels.size() < 2) {
    return invalid_argument(
        "training a fastText model: {} texts with {} labels; at least two "
        "labels are needed",
        texts.size(), model->labels.size());
  }
  return {};
}

void make_weights(std::uint64_t seed, FastTextModel* model) {
  const auto dim = static_cast<std::size_t>(model->arguments.dim);
  const auto shape = [&](FastTextMatrix* matrix, std::size_t rows) {
    matrix->rows = static_cast<std::int64_t>(rows);
    matrix->columns = model->arguments.dim;
    matrix->dense.assign(rows * dim, 0);
  };
  shape(&model->output, model->labels.size());
  shape(&model->input, model->words.size() + static_cast<std::size_t>(model->arguments.buckets));
  const CounterRng rng(seed, purpose("fasttext_weights"));
  const double bound = 1.0 / static_cast<double>(dim);
  std::vector<float>& rows = model->input.dense;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<float>((2 * rng.unit(i) - 1) * bound);
  }
}

class Trainer {
 public:
  Trainer(FastTextModel* model, double rate)
      : model_(*model),
        index_(*model),
        finder_(*model),
        kernels_(internal::kernels_for(best_simd_level())),
        dim_(static_cast<std::size_t>(model->arguments.dim)),
        rate_(rate),
        hidden_(dim_),
        gradient_(dim_),
        output_(model->labels.size()) {}

  // False: stopped.
  bool run(std::span<const LabelledText> texts, std::uint64_t seed, const std::stop_token& stop) {
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < model_.labels.size(); ++i) {
      numbers[std::string_view(model_.labels[i]).substr(kLabelPrefix.size())] = i;
    }
    const std::int32_t epochs = model_.arguments.epoch;
    const double all = static_cast<double>(model_.tokens) * epochs;
    std::int64_t seen = 0;
    std::int64_t since_update = 0;
    float rate = static_cast<float>(rate_);
    std::vector<std::uint32_t> order(texts.size());
    for (std::int32_t epoch = 0; epoch < epochs; ++epoch) {
      shuffle(seed, epoch, &order);
      for (const std::uint32_t i : order) {
        if (stop.stop_requested()) return false;
        const LabelledText& text = texts[i];
        since_update += for_words(text.text, [](std::string_view) {});
        step(text.text, numbers.at(text.label), rate);
        if (since_update <= model_.arguments.rate_update_tokens) continue;
        seen += since_update;
        since_update = 0;
        rate = static_cast<float>(rate_ * std::max(0.0, 1 - static_cast<double>(seen) / all));
      }
    }
    return true;
  }

 private:
  static void shuffle(std::uint64_t seed, std::int32_t epoch, std::vector<std::uint32_t>* order) {
    const CounterRng rng(seed, purpose("fasttext_order"), static_cast<std::uint64_t>(epoch));
    std::iota(order->begin(), order->end(), 0U);
    std::sort(order->begin(), order->end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t x = rng.at(a);
      const std::uint64_t y = rng.at(b);
      return x != y ? x < y : a < b;
    });
  }

  void step(std::string_view text, std::size_t wanted, float rate) {
    finder_.find(text, index_, &hashes_, &rows_);
    if (rows_.empty()) return;
    float* input = model_.input.dense.data();
    std::fill(hidden_.begin(), hidden_.end(), 0.0f);
    std::fill(gradient_.begin(), gradient_.end(), 0.0f);
    kernels_.add_rows(input, dim_, rows_.data(), rows_.size(), hidden_.data());
    const auto share = static_cast<float>(1.0 / static_cast<double>(rows_.size()));
    for (float& value : hidden_) value *= share;
    find_output();
    for (std::size_t l = 0; l < output_.size(); ++l) {
      const float move = rate * ((l == wanted ? 1.0f : 0.0f) - output_[l]);
      float* weights = model_.output.dense.data() + l * dim_;
      add(move, weights, gradient_.data());
      add(move, hidden_.data(), weights);
    }
    for (float& value : gradient_) value *= share;
    for (const std::uint32_t row : rows_) add(1.0f, gradient_.data(), input + row * dim_);
  }

  void find_output() {
    const float* weights = model_.output.dense.data();
    for (std::size_t l = 0; l < output_.size(); ++l) {
      float sum = 0;
      for (std::size_t d = 0; d < dim_; ++d) sum += weights[l * dim_ + d] * hidden_[d];
      output_[l] = sum;
    }
    if (model_.arguments.loss == FastTextLoss::kOneVsAll) {
      return kernels_.sigmoid(output_.data(), output_.size());
    }
    const float largest = *std::max_element(output_.begin(), output_.end());
    for (float& value : output_) value -= largest;
    kernels_.exponential(output_.data(), output_.size());
    const float sum = std::accumulate(output_.begin(), output_.end(), 0.0f);
    for (float& value : output_) value /= sum;
  }

  void add(float factor, const float* from, float* to) const {
    for (std::size_t d = 0; d < dim_; ++d) to[d] += factor * from[d];
  }

  FastTextModel& model_;
  internal::WordIndexTable index_;
  internal::RowFinder finder_;
  const FastTextKernels& kernels_;
  std::size_t dim_;
  double rate_;
  std::vector<float> hidden_;
  std::vector<float> gradient_;
  std::vector<float> output_;
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

Result<FastTextModel> train_fasttext(std::span<const LabelledText> texts,
                                     const FastTextTraining& options, std::stop_token stop) {
  HEADRACE_RETURN_IF_ERROR(check_options(options));
  FastTextModel model;
  const bool has_ngrams = options.word_ngrams > 1 || options.max_gram > 0;
  model.arguments = {.dim = options.dim,
                     .epoch = options.epochs,
                     .min_count = options.min_count,
                     .word_ngrams = options.word_ngrams,
                     .loss = options.loss,
                     .buckets = has_ngrams ? options.buckets : 0,
                     .min_gram = options.min_gram,
                     .max_gram = options.max_gram};
  HEADRACE_RETURN_IF_ERROR(make_dictionary(texts, options.min_count, &model));
  make_weights(options.seed, &model);
  if (!Trainer(&model, options.rate).run(texts, options.seed, stop))
    return cancelled("stopped while training a fastText model");
  const auto finite = [](float weight) { return std::isfinite(weight); };
  if (!std::all_of(model.output.dense.begin(), model.output.dense.end(), finite)) {
    return invalid_argument(
        "training a fastText model diverged with rate {}; a lower rate is needed", options.rate);
  }
  return model;
}

}  // namespace headrace::score
