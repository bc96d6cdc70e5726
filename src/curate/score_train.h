// SPDX-License-Identifier: Apache-2.0
// What the two ways of `headrace score train` share: from labelled texts in memory, and from texts
// that are passed over.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "headrace/score.h"

#include "base/options.h"
#include "score/trainer.h"

namespace headrace::curate {

// Of the model that was trained just now, without labels and evaluation. `about`: what `training`
// holds beside the options.
Result<ModelCard> card_of_training(const ScoreTrainOptions& options, const OptionValues& values,
                                   const std::string& model, const nlohmann::ordered_json& about);

// Kinds without labels.
Result<ScoreTrainResult> train_on_texts(const score::TrainerInfo& trainer,
                                        const ScoreTrainOptions& options,
                                        const OptionValues& values, const std::string& model);

}  // namespace headrace::curate
