// SPDX-License-Identifier: Apache-2.0
// The output layer for all four losses.
//
// Hierarchical softmax: all inner nodes at once, then products down the Huffman tree. fastText adds
// log(f + 1e-5) along the way and takes e^ of the sum; a product of (f + 1e-5) is the same number
// without a logarithm. The tree is not in the file: it is made again from the counts of the labels,
// which stand in it in descending order, by the two-queue method.
// One-vs-all and negative sampling: fastText's sigmoid is a table of 512 steps, and so is ours.
#include <algorithm>
#include <cmath>
#include <limits>

#include "score/internal/fasttext_tables.h"

namespace headrace::score::internal {
namespace {

constexpr float kFloor = 1e-5f;  // fastText's std_log(x) is log(x + 1e-5)
constexpr int kSigmoidSteps = 512;
constexpr float kMostOfSigmoid = 8;

std::vector<float> make_sigmoid_table() {
  std::vector<float> table(kSigmoidSteps + 1);
  for (int i = 0; i <= kSigmoidSteps; ++i) {
    const float x = static_cast<float>(i * 2 * 8) / kSigmoidSteps - kMostOfSigmoid;
    table[static_cast<std::size_t>(i)] =
        static_cast<float>(1.0 / (1.0 + static_cast<double>(std::exp(-x))));
  }
  return table;
}

float look_up(const std::vector<float>& table, float x) {
  if (!(x >= -kMostOfSigmoid)) return 0;
  if (x > kMostOfSigmoid) return 1;
  return table[static_cast<std::size_t>((x + kMostOfSigmoid) * kSigmoidSteps / kMostOfSigmoid / 2)];
}

}  // namespace

std::optional<OutputLayer> OutputLayer::make(const FastTextModel& model) {
  OutputLayer made;
  made.loss_ = model.arguments.loss;
  made.labels_ = model.labels.size();
  made.dim_ = static_cast<std::size_t>(model.arguments.dim);
  made.blocks_ = (made.labels_ + 15) / 16;
  made.weights_ = BigTable<float>(made.blocks_ * made.dim_ * 16);
  std::vector<float> row(made.dim_);
  for (std::size_t i = 0; i < made.labels_; ++i) {
    model.output.row(static_cast<std::int64_t>(i), row.data());
    for (std::size_t d = 0; d < made.dim_; ++d) {
      if (!std::isfinite(row[d])) return std::nullopt;
      made.weights_[(i / 16 * made.dim_ + d) * 16 + i % 16] = row[d];
    }
  }
  if (made.loss_ == FastTextLoss::kHierarchicalSoftmax) {
    made.make_tree(model.label_counts);
  } else if (made.loss_ != FastTextLoss::kSoftmax) {
    made.sigmoid_table_ = make_sigmoid_table();
  }
  return made;
}

// Part of the format: which of two equal counts is taken first decides which branch is whose.
void OutputLayer::make_tree(const std::vector<std::int64_t>& counts) {
  const std::size_t n = counts.size();
  constexpr std::int64_t kNone = 1'000'000'000'000'000;
  std::vector<std::int64_t> weight(2 * n - 1, kNone);
  std::copy(counts.begin(), counts.end(), weight.begin());
  left_.resize(n - 1);
  right_.resize(n - 1);
  std::size_t leaves = n;  // labels not yet taken, the rarest last
  std::size_t node = n;
  const auto take = [&] {
    if (leaves > 0 && weight[leaves - 1] < weight[node]) return --leaves;
    return node++;
  };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::size_t first = take();
    const std::size_t second = take();
    left_[i] = static_cast<std::int32_t>(first);
    right_[i] = static_cast<std::int32_t>(second);
    weight[n + i] = weight[first] + weight[second];
  }
}

void OutputLayer::tree_scores(const float* right, float* out) const {
  out[2 * labels_ - 2] = 1;
  for (std::size_t i = labels_ - 1; i-- > 0;) {
    const float score = out[labels_ + i];
    out[static_cast<std::size_t>(left_[i])] = score * ((1 - right[i]) + kFloor);
    out[static_cast<std::size_t>(right_[i])] = score * (right[i] + kFloor);
  }
}

void OutputLayer::scores(const FastTextKernels& kernels, const float* hidden, float* out) const {
  if (loss_ == FastTextLoss::kHierarchicalSoftmax) {
    float* right = out + 2 * 16 * blocks_;
    kernels.multiply(weights_.data(), hidden, dim_, blocks_, right);
    kernels.sigmoid(right, 16 * blocks_);
    return tree_scores(right, out);
  }
  kernels.multiply(weights_.data(), hidden, dim_, blocks_, out);
  if (loss_ != FastTextLoss::kSoftmax) {
    for (std::size_t i = 0; i < labels_; ++i) out[i] = look_up(sigmoid_table_, out[i]) + kFloor;
    return;
  }
  float largest = out[0];
  for (std::size_t i = 1; i < labels_; ++i) largest = std::max(largest, out[i]);
  for (std::size_t i = 0; i < labels_; ++i) out[i] -= largest;
  kernels.exponential(out, labels_);
  float sum = 0;
  for (std::size_t i = 0; i < labels_; ++i) sum += out[i];
  for (std::size_t i = 0; i < labels_; ++i) out[i] = out[i] / sum + kFloor;
}

}  // namespace headrace::score::internal
