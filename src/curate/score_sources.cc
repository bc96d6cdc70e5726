// SPDX-License-Identifier: Apache-2.0
// What the start of a run has to know of its scores: every model opened, every threshold a number.
#include "base/error.h"
#include "curate/context.h"
#include "curate/score_source.h"
#include "score/model_card.h"

namespace headrace::curate {
namespace {

Result<std::unique_ptr<ScoreSource>> open_source(const ScoreSpec& spec) {
  if (spec.kind == kExternalKind) return open_external_source(spec);
  if (spec.kind == kMindSporeKind) return open_mindspore_source(spec);
  return open_model_source(spec);
}

Result<void> prepare(Context& context, ScoreSpec& spec) {
  HEADRACE_ASSIGN_OR_RETURN(auto source, open_source(spec));
  context.score_sources.push_back(std::move(source));
  if (!spec.min_is_best_f1) return {};
  HEADRACE_ASSIGN_OR_RETURN(spec.min,
                            score::best_f1_threshold(spec.options.at("model"), spec.kind));
  if (!spec.max || *spec.min <= *spec.max) return {};
  return invalid_argument("min: best_f1 is {}, above max {}", *spec.min, *spec.max);
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
