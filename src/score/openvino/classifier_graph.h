// SPDX-License-Identifier: Apache-2.0
// Is this graph a sequence classifier? What it says of itself, and what is wrong with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <openvino/core/model.hpp>

#include "headrace/result.h"

#include "score/inference.h"

namespace headrace::score {

inline constexpr char kIds[] = "input_ids";
inline constexpr char kMask[] = "attention_mask";
inline constexpr char kSegments[] = "token_type_ids";  // not needed
inline constexpr char kLogits[] = "logits";

// invalid_argument: by the name of the input or output, and what was found.
Result<ModelFacts> classifier_facts(const ov::Model& model);

// The output that holds the logits: that of the name, or the only one.
Result<ov::Output<const ov::Node>> logits_of(const ov::Model& model);

}  // namespace headrace::score
