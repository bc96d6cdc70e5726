// SPDX-License-Identifier: Apache-2.0
// For tests/interop/kenlm: documents on standard input, what an n-gram model says of them on
// standard output; or documents, and a model trained on them.
//
//   headrace_ngram_records score MODEL < documents > scores
//   headrace_ngram_records speed MODEL han|blanks < documents     MB/s, and the sum of log10
//   headrace_ngram_records train MODEL ORDER han|blanks PRUNE... < documents
//
// A document is its length in bytes (u32, little-endian) and the bytes. Scores of a document are
// the number of its tokens (u32) and for each the log10 of its probability (f32).
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "records.h"
#include "score/letters.h"
#include "score/ngram_model.h"
#include "score/ngram_train.h"

namespace {

using headrace::interop::fail;
using headrace::interop::read;
using headrace::score::NgramModel;

int score(const std::string& path) {
  const auto model = NgramModel::open(path);
  if (!model) return fail(model.error().message());
  NgramModel::Scratch scratch;
  for (std::string text; read(&text);) {
    std::vector<float> each;
    model->score(text, {}, &scratch, &each);
    const auto count = static_cast<std::uint32_t>(each.size());
    std::fwrite(&count, sizeof(count), 1, stdout);
    std::fwrite(each.data(), sizeof(float), each.size(), stdout);
  }
  return 0;
}

// CPU time, the best of five passes.
int speed(const std::string& path, bool han) {
  const auto model = NgramModel::open(path);
  if (!model) return fail(model.error().message());
  std::vector<std::string> texts;
  double bytes = 0;
  for (std::string text; read(&text); texts.push_back(text)) {
    bytes += static_cast<double>(text.size());
  }
  NgramModel::Scratch scratch;
  double best = 0;
  double log10 = 0;
  std::string split;
  for (int pass = 0; pass < 5; ++pass) {
    const std::clock_t begin = std::clock();
    log10 = 0;
    for (const std::string& text : texts) {
      if (han) headrace::score::split_han(text, &split);
      log10 += model->score(han ? split : text, {}, &scratch).log10;
    }
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    best = std::max(best, bytes / 1e6 / took);
  }
  std::printf("%.6f %.6f\n", best, log10);
  return 0;
}

int train(const std::vector<std::string>& arguments) {
  headrace::score::NgramTraining options;
  options.order = std::stoi(arguments[1]);
  options.split_han = arguments[2] == "han";
  options.prune.clear();
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    options.prune.push_back(std::stoull(arguments[i]));
  }
  auto trainer = headrace::score::NgramTrainer::start(options);
  if (!trainer) return fail(trainer.error().message());
  for (std::string text; read(&text);) {
    if (const auto added = trainer->add(text); !added) return fail(added.error().message());
  }
  const auto report = trainer->finish(arguments[0]);
  return report ? 0 : fail(report.error().message());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 2 && arguments[0] == "score") return score(arguments[1]);
  if (arguments.size() == 3 && arguments[0] == "speed") {
    return speed(arguments[1], arguments[2] == "han");
  }
  if (arguments.size() >= 5 && arguments[0] == "train") {
    return train({arguments.begin() + 1, arguments.end()});
  }
  return fail("arguments: score MODEL | speed MODEL TOKENS | train MODEL ORDER TOKENS PRUNE...");
}
