// SPDX-License-Identifier: Apache-2.0
// Labelled data → texts and labels in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"
#include "headrace/score.h"

namespace headrace::curate {

struct LabelledRow {
  std::string text;  // empty where only ids are wanted
  std::string id;    // where texts come from a run, or only ids are wanted
  std::string label;
};

struct LabelledRows {
  std::vector<LabelledRow> rows;  // in the order of the files
  std::vector<std::string> files;
  LabelledCounts counts;
};

enum class Join { kTexts, kIds };  // what is wanted of a record beside its label

// invalid_argument: no record has the text, the id or the label field (the message names those that
// are there); no labelled document; no document of the run.
Result<LabelledRows> read_labelled(const LabelledData& data, Join join, std::size_t threads,
                                   std::stop_token stop);

// The label that counts as positive. `wanted` "" means "1" where the labels are 0 and 1. Errors
// name the labels that are there; both kinds are needed.
Result<std::string> choose_positive(const LabelledCounts& counts, const std::string& wanted);

// is_positive[i] of rows[i].
std::unique_ptr<bool[]> positives_of(const std::vector<LabelledRow>& rows,
                                     const std::string& positive);

}  // namespace headrace::curate
