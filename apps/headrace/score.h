// SPDX-License-Identifier: Apache-2.0
// What the commands of `headrace score` share. One .cc each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/score.h"

#include "command.h"

namespace headrace::app {

void add_score_train(CLI::App& score, Common* common, Action* action);
void add_score_eval(CLI::App& score, Common* common, Action* action);
void add_score_apply(CLI::App& score, Common* common, Action* action);

// An option that may stand several times and takes one value each, so that it never takes what
// stands behind it.
CLI::Option* one_a_time(CLI::Option* option);

// --data, --text, --label.
void add_labelled_data(CLI::App* command, LabelledData* data);
// --kind, and --option NAME=VALUE, as often as wanted.
void add_kind(CLI::App* command, std::string* kind, std::vector<std::string>* options);
// "han=split" → {"han": "split"}; an error for what has no '='.
Result<std::map<std::string, std::string>> parse_options(const std::vector<std::string>& options);

// "  fasttext       what it does" for each kind.
std::string kinds_text(const std::vector<ScoreKind>& kinds);

Json to_json(const ScoreEvaluation& evaluation);
Json to_json(const LabelledCounts& counts);
std::string to_text(const ScoreEvaluation& evaluation);
// What was left out, a line each; `of` stands behind each.
std::string to_text(const LabelledCounts& counts, std::string_view of = "");

}  // namespace headrace::app
