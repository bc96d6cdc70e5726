// SPDX-License-Identifier: Apache-2.0
// For tests/interop/fasttext: documents on standard input, what a model says of them on standard
// output; or labelled documents, and a model trained on them.
//
//   headrace_score_records predict MODEL LABELS scalar|avx2|avx512 < documents > predictions
//   headrace_score_records train MODEL DIM EPOCHS RATE WORD_NGRAMS BUCKETS < labelled
//
// A document is its length in bytes (u32, little-endian) and the bytes; a labelled one its label
// so, then its text so. Predictions are their number (u32) and for each the label as a document and
// the score (f32).
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "records.h"
#include "score/fasttext_classifier.h"
#include "score/fasttext_train.h"

namespace {

using headrace::interop::fail;
using headrace::interop::read;
using headrace::score::FastTextClassifier;

template <class T>
void write(T value) {
  std::fwrite(&value, sizeof(value), 1, stdout);
}

int predict(const std::vector<std::string>& arguments) {
  const auto level = arguments[2] == "avx512" ? headrace::SimdLevel::kAvx512
                     : arguments[2] == "avx2" ? headrace::SimdLevel::kAvx2
                                              : headrace::SimdLevel::kScalar;
  const auto model = FastTextClassifier::open(arguments[0], level);
  if (!model) return fail(model.error().message());
  FastTextClassifier::Scratch scratch;
  std::vector<headrace::score::Prediction> best(std::stoul(arguments[1]));
  for (std::string text; read(&text);) {
    const std::size_t count = model->predict(text, &scratch, best);
    write(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& label = model->labels()[static_cast<std::size_t>(best[i].label)];
      write(static_cast<std::uint32_t>(label.size()));
      std::fwrite(label.data(), 1, label.size(), stdout);
      write(best[i].score);
    }
  }
  return 0;
}

int train(const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  for (std::string text; read(&text);) all.push_back(text);
  std::vector<headrace::score::LabelledText> texts;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) texts.push_back({all[i + 1], all[i]});
  auto model = headrace::score::train_fasttext(texts, {.dim = std::stoi(arguments[1]),
                                                       .epochs = std::stoi(arguments[2]),
                                                       .rate = std::stod(arguments[3]),
                                                       .word_ngrams = std::stoi(arguments[4]),
                                                       .buckets = std::stoi(arguments[5])});
  if (!model) return fail(model.error().message());
  const auto written = headrace::score::write_fasttext_model(&*model, arguments[0]);
  return written ? 0 : fail(written.error().message());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "predict") {
    return predict({arguments.begin() + 1, arguments.end()});
  }
  if (arguments.size() == 7 && arguments[0] == "train") {
    return train({arguments.begin() + 1, arguments.end()});
  }
  return fail("arguments: predict MODEL LABELS LEVEL | train MODEL DIM EPOCHS RATE NGRAMS BUCKETS");
}
