// SPDX-License-Identifier: Apache-2.0
// Texts → a model file, by kind. One trainer per file, one line in trainers.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "base/options.h"
#include "base/registry.h"
#include "score/fasttext_train.h"

namespace headrace::score {

struct TrainerInfo {
  std::string name;     // the kind, as scorers call it: "fasttext"
  std::string summary;  // one sentence
  std::vector<OptionInfo> options;
  std::string extension;  // of its model files: ".bin"
  bool needs_labels = true;
  // The command that trains this kind, where it is no part of this program; `train` is then null.
  std::string elsewhere;
  // Writes the model to `path`, which it may replace at once. Options are complete and allowed.
  Result<void> (*train)(std::span<const LabelledText> texts, const OptionValues& options,
                        const std::string& path) = nullptr;
};

using Trainers = headrace::Registry<TrainerInfo>;

const Trainers& trainers();

// The trainer of a kind; unknown kinds are errors with a suggestion, and those trained elsewhere
// are errors that say where.
Result<const TrainerInfo*> find_trainer(std::string_view kind);

TrainerInfo fasttext_trainer();  // fasttext_trainer.cc

}  // namespace headrace::score
