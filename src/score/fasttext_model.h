// SPDX-License-Identifier: Apache-2.0
// A fastText model as its file holds it: .bin (dense) and .ftz (quantised, pruned), file versions
// 11 and 12. Reading checks every count against the bytes that are there, so that a damaged file
// is an error and never an allocation or a read out of bounds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"

namespace headrace::score {

// Numbers are part of the format.
enum class FastTextLoss : std::int32_t {
  kHierarchicalSoftmax = 1,
  kNegativeSampling = 2,
  kSoftmax = 3,
  kOneVsAll = 4,
};
inline constexpr std::int32_t kFastTextSupervised = 3;

// In the order of the file. Of what only training needs, nothing affects a prediction.
struct FastTextArguments {
  std::int32_t dim = 0;
  std::int32_t window = 5;
  std::int32_t epoch = 5;
  std::int32_t min_count = 1;
  std::int32_t negatives = 5;
  std::int32_t word_ngrams = 1;
  FastTextLoss loss = FastTextLoss::kSoftmax;
  std::int32_t kind = kFastTextSupervised;  // 1 continuous bag of words, 2 skip-gram, 3 supervised
  std::int32_t buckets = 0;
  std::int32_t min_gram = 0;  // characters of the n-grams inside words; max_gram 0: none
  std::int32_t max_gram = 0;
  std::int32_t rate_update_tokens = 100;
  double sampling = 1e-4;
};

// A matrix, dense or product-quantised. Part of the format: each sub-quantiser has 256 centroids,
// one after the other; those of the last are `last_part` long, those of the others `part`.
struct FastTextMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> dense;  // rows * columns; empty when quantised

  std::vector<std::uint8_t> codes;  // rows * parts; empty when dense
  std::vector<float> centroids;     // columns * 256
  std::int32_t parts = 0;
  std::int32_t part = 0;
  std::int32_t last_part = 0;
  std::vector<std::uint8_t> norm_codes;  // one per row when norms are kept apart
  std::vector<float> norms;              // 256

  // Writes the `columns` numbers of a row.
  void row(std::int64_t index, float* out) const;
};

struct FastTextModel {
  FastTextArguments arguments;
  std::int64_t tokens = 0;  // of the training text
  std::vector<std::string> words;
  std::vector<std::int64_t> word_counts;
  std::vector<std::string> labels;  // with their prefix __label__
  std::vector<std::int64_t> label_counts;
  // A pruned model keeps only the rows of these buckets: (bucket, row behind the words).
  bool pruned = false;
  std::vector<std::pair<std::int32_t, std::int32_t>> kept_buckets;
  FastTextMatrix input;  // rows: words, then buckets
  FastTextMatrix output;
  Hash128 fingerprint;  // of the bytes of the file
};

// not_found, corrupt (file, offset, what), unsupported (what is no model of these versions).
Result<FastTextModel> read_fasttext_model(const std::string& path);
// The same for bytes in memory; `name` is what messages call them.
Result<FastTextModel> parse_fasttext_model(std::string_view bytes, std::string_view name);

// Writes a dense model as version 12, for libfasttext and for us; replaces the file at once.
// `model.fingerprint` becomes that of the file.
Result<void> write_fasttext_model(FastTextModel* model, const std::string& path);

// The hash of the format: FNV-1a over bytes that are sign-extended first, as the first fastText did
// on its machines.
inline std::uint32_t fasttext_hash(std::string_view bytes) {
  std::uint32_t hash = 2166136261u;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<std::uint32_t>(static_cast<signed char>(byte))) * 16777619u;
  }
  return hash;
}

inline constexpr std::int32_t kFastTextMagic = 793712314;
inline constexpr std::int32_t kFastTextVersion = 12;
inline constexpr std::string_view kEndOfLine = "</s>";
inline constexpr std::string_view kLabelPrefix = "__label__";

}  // namespace headrace::score
