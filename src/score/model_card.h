// SPDX-License-Identifier: Apache-2.0
// The card of a model, beside it: quality.bin → quality.card.json. docs/formats/model_card.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headrace/result.h"
#include "headrace/score.h"

#include "base/options.h"

namespace headrace::score {

// The path of the model with its last extension replaced by .card.json.
std::string card_path(const std::string& model);

// The card of the model at `model`. not_found: there is none; the message says how to get one.
// corrupt: key and what was found; also for a threshold that no score of its kind can reach.
// unsupported: a newer version.
Result<ModelCard> read_card(const std::string& model);
// The same for its text; `name` is what messages call it.
Result<ModelCard> parse_card(std::string_view text, const std::string& name);

// One canonical form: the same card gives the same bytes.
std::string format_card(const ModelCard& card);
// Replaces the card of the model at once.
Result<void> write_card(const ModelCard& card, const std::string& model);

// What `best_f1` stands for in a recipe that scores by the model at `model`; `key` is where it
// stands there: "min", or "max" where low scores are better. An error when the card has no
// evaluation, or one of the other direction, or when it is the card of another kind or of other
// bytes than those at `model`; each says what to do.
Result<double> best_f1_threshold(const ModelCard& card, const std::string& model,
                                 std::string_view kind, std::string_view key);

// An option of the training as text ("split", "2"), where the card has one of that name.
std::optional<std::string> training_option(const ModelCard& card, const std::string& name);

// `given` completed for a scorer of `kind` by what the card says: `label` and `positive` by the
// positive one, and each option that the training had, too ("han"). What is given stays, but a
// `positive` of the card's labels becomes its place among them.
OptionValues options_with_card(std::string_view kind, const ModelCard& card, OptionValues given);

}  // namespace headrace::score
