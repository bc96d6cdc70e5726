// SPDX-License-Identifier: Apache-2.0
// What the start of a run has to know of its scores: every model opened, every threshold a number.
#include "base/error.h"
#include "curate/context.h"
#include "curate/score_source.h"
#include "curate/scoring.h"
#include "score/model_card.h"

namespace headrace::curate {
namespace {

Result<std::unique_ptr<ScoreSource>> open_source(const ScoreSpec& spec,
                                                 const std::optional<ModelCard>& card) {
  if (spec.kind == kExternalKind) return open_external_source(spec);
  if (spec.kind == kMindSporeKind) return open_mindspore_source(spec);
  return open_model_source(spec, card);
}

// The card is read once, for the options of the scorer and for the threshold. A worker needs none.
Result<std::optional<ModelCard>> find_card(const ScoreSpec& spec, bool needed) {
  const auto model = spec.options.find("model");
  if (model == spec.options.end()) return std::nullopt;
  HEADRACE_RETURN_IF_ERROR(check_model(model->second, spec.kind));
  if (needed) return score::read_card(model->second);
  if (spec.kind == kMindSporeKind) return std::nullopt;
  return card_of(model->second);
}

Result<void> prepare(Context& context, ScoreSpec& spec) {
  std::optional<double>* const bound = spec.bound_of_card();
  HEADRACE_ASSIGN_OR_RETURN(const auto card, find_card(spec, bound != nullptr));
  HEADRACE_ASSIGN_OR_RETURN(auto source, open_source(spec, card));
  context.score_sources.push_back(std::move(source));
  if (bound == nullptr) return {};
  const std::string_view key = spec.min_is_best_f1 ? "min" : "max";
  HEADRACE_ASSIGN_OR_RETURN(
      *bound, score::best_f1_threshold(*card, spec.options.at("model"), spec.kind, key));
  if (!spec.min || !spec.max || *spec.min <= *spec.max) return {};
  return invalid_argument("{}: best_f1 makes min {} and max {}: no score lies between", key,
                          *spec.min, *spec.max);
}

}  // namespace

Result<void> prepare_scores(Context& context) {
  context.score_sources.clear();
  for (ScoreSpec& spec : context.recipe.scores) {
    if (const auto ready = prepare(context, spec); !ready) {
      return ready.error().with_context(
          fmt::format("{}:{}: score '{}'", context.recipe.path, spec.line, spec.name));
    }
  }
  return {};
}

}  // namespace headrace::curate
