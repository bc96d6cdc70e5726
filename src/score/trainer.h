// SPDX-License-Identifier: Apache-2.0
// Texts → a model file, by kind. One trainer per file, one line in trainers.cc.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/options.h"
#include "base/registry.h"
#include "score/fasttext_train.h"

namespace headrace::score {

// Gives each text to `take`, in the same order whenever it is called; ends at the first error.
using TakeText = std::function<Result<void>(std::string_view text)>;
using EachText = std::function<Result<void>(const TakeText& take)>;

struct TrainerInfo {
  std::string name;     // the kind, as scorers call it: "fasttext"
  std::string summary;  // one sentence
  std::vector<OptionInfo> options;
  std::string extension;  // of its model files: ".bin"
  // The command that trains this kind, where it is no part of this program; the functions are then
  // null.
  std::string elsewhere;

  // One of the two trains. Writes the model to `path`, which it may replace at once; `cancelled`,
  // and no file, when it is stopped. Options are complete and allowed.
  Result<void> (*train)(std::span<const LabelledText> texts, const OptionValues& options,
                        const std::string& path, std::stop_token stop) = nullptr;
  // Needs no labels; the texts are passed over once, and not held for it.
  Result<void> (*train_texts)(const EachText& texts, const OptionValues& options,
                              const std::string& path, std::stop_token stop) = nullptr;

  // Beside train_texts: what the model at `path` makes of texts that it has not seen, by name. The
  // scorer's options are `options` where it has them, else its defaults.
  Result<std::map<std::string, double>> (*measure_texts)(const EachText& texts,
                                                         const OptionValues& options,
                                                         const std::string& path) = nullptr;
};

using Trainers = headrace::Registry<TrainerInfo>;

const Trainers& trainers();

// The trainer of a kind; unknown kinds are errors with a suggestion, and those trained elsewhere
// are errors that say where.
Result<const TrainerInfo*> find_trainer(std::string_view kind);

TrainerInfo fasttext_trainer();    // fasttext_trainer.cc
TrainerInfo perplexity_trainer();  // perplexity_trainer.cc

}  // namespace headrace::score
