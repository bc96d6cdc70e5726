// SPDX-License-Identifier: Apache-2.0
// What the start of a run has to know of its scores: every model opened, every threshold a number.
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "curate/context.h"
#include "curate/score_source.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

// "quality.bin" → "quality.card.json".
std::string card_path(const std::string& model) {
  return std::filesystem::path(model).replace_extension(".card.json").string();
}

Result<double> best_f1_threshold(const ScoreSpec& spec) {
  const std::string path = card_path(spec.options.at("model"));
  constexpr const char* kRemedy = "'headrace score eval' writes one; or set 'min' to a number";
  const auto text = io::read_file(path);
  if (!text)
    return text.error().with_context(
        fmt::format("min: best_f1 needs the card of the model ({})", kRemedy));
  try {
    const auto card = nlohmann::json::parse(*text);
    const auto evaluation = card.find("evaluation");
    if (evaluation == card.end() || evaluation->is_null()) {
      return invalid_argument("min: best_f1: {} has no evaluation: {}", path, kRemedy);
    }
    const double threshold = evaluation->at("best_f1").at("threshold");
    if (std::isfinite(threshold)) return threshold;
    return invalid_argument("min: best_f1: the threshold of {} is no number: {}", path, kRemedy);
  } catch (const nlohmann::json::exception& error) {
    return corrupt("min: best_f1: {} is no model card ({}): {}", path, error.what(), kRemedy);
  }
}

Result<std::unique_ptr<ScoreSource>> open_source(const ScoreSpec& spec) {
  if (spec.kind == kExternalKind) return open_external_source(spec);
  if (spec.kind == kMindSporeKind) return open_mindspore_source(spec);
  return open_model_source(spec);
}

Result<void> prepare(Context& context, ScoreSpec& spec) {
  HEADRACE_ASSIGN_OR_RETURN(auto source, open_source(spec));
  context.score_sources.push_back(std::move(source));
  if (!spec.min_is_best_f1) return {};
  HEADRACE_ASSIGN_OR_RETURN(spec.min, best_f1_threshold(spec));
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
