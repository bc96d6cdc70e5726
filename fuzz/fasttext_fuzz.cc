// SPDX-License-Identifier: Apache-2.0
// Any bytes as a fastText model. A model that is taken must score any text, with labels that it has
// and scores that are numbers, and the same with every instruction set. The model's own bytes are
// the text, besides some that hold what the format treats in a way of its own.
#include <cmath>
#include <string>
#include <vector>

#include "check.h"
#include "score/fasttext_classifier.h"

namespace {

using headrace::SimdLevel;
using headrace::fuzz::check;
using headrace::score::FastTextClassifier;
using headrace::score::Prediction;

const std::vector<std::string> kTexts = {
    "", "a the word", "</s> behind", "__label__x 北京 \x80\x80\x80\x80\x80 naïve",
    std::string(5000, 'x') + " \xF0\x9F\x98\x80 seventeen_bytes_x"};

std::vector<Prediction> predict(const FastTextClassifier& model, std::string_view text) {
  FastTextClassifier::Scratch scratch;
  std::vector<Prediction> best(3);
  best.resize(model.predict(text, &scratch, best));
  return best;
}

void check_text(const FastTextClassifier& scalar, const FastTextClassifier& best,
                std::string_view text) {
  const auto wanted = predict(scalar, text);
  const auto found = predict(best, text);
  check(found.size() == wanted.size(), "another number of labels");
  for (std::size_t i = 0; i < found.size(); ++i) {
    check(found[i].label == wanted[i].label && found[i].score == wanted[i].score,
          "another instruction set, another prediction");
    check(found[i].label >= 0 && static_cast<std::size_t>(found[i].label) < scalar.labels().size(),
          "a label that is none");
    check(std::isfinite(found[i].score), "a score that is no number");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  auto model = headrace::score::parse_fasttext_model(bytes, "fuzz");
  if (!model) {
    check(model.error().message().find("fuzz") != std::string::npos, "an error without the name");
    return 0;
  }
  // Tables of all buckets are made of a pruned model that may name a thousand million in 50 bytes.
  if (model->arguments.buckets > (1 << 20)) return 0;
  const auto scalar = FastTextClassifier::make(*model, "fuzz", SimdLevel::kScalar);
  const auto best = FastTextClassifier::make(std::move(*model), "fuzz");
  check(scalar.has_value() == best.has_value(), "taken with one instruction set only");
  if (!best) return 0;
  for (const std::string& text : kTexts) check_text(*scalar, *best, text);
  check_text(*scalar, *best, bytes);
  return 0;
}
