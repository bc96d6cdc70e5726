// SPDX-License-Identifier: Apache-2.0
// Any bytes as a recipe. Besides crashes it looks for a recipe that is taken although a part of it
// could not be used, and for refusals that do not say where.
#include <string>

#include "headrace/run.h"

#include "check.h"
#include "curate/recipe.h"
#include "judge/judge.h"
#include "normalize/normalize.h"

namespace {

using headrace::fuzz::check;

void check_taken(const headrace::Recipe::Data& recipe) {
  check(!recipe.sources.empty(), "a recipe without sources was taken");
  for (const auto& source : recipe.sources) {
    check(!source.domain.empty() && !source.paths.empty(), "a source without domain or paths");
    check(source.encoding == "auto" || headrace::normalize::decoders().declared(source.encoding),
          "an encoding that can not be decoded");
  }
  for (const auto& step : recipe.normalize) {
    check(headrace::normalize::make_step(step.name, step.options).has_value(),
          "a step that can not be made");
  }
  const auto passable = [](const std::vector<headrace::judge::Rule>& rules) {
    for (const auto& rule : rules)
      check(!rule.min || !rule.max || *rule.min <= *rule.max, "a rule that nothing can pass");
  };
  for (const std::string& domain : recipe.domains()) {
    const headrace::judge::RuleSet rules = recipe.rules_of(domain);
    passable(rules.rules);
    for (const auto& bucket : rules.buckets) passable(bucket.rules);
  }
  check(recipe.shard_bytes > 0 && recipe.shard_multiple_of > 0, "shards of nothing");
  check(recipe.confidence >= 0 && recipe.confidence <= 1, "a confidence that is no share");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto yaml = headrace::fuzz::as_text(data, size);
  const auto recipe = headrace::Recipe::parse(yaml, "fuzz");
  if (recipe) {
    check_taken(recipe->data());
    return 0;
  }
  check(recipe.error().code() == headrace::Code::kInvalidArgument, "not the writer's fault?");
  check(recipe.error().message().starts_with("fuzz:"), "a fault without the recipe's name");
  const auto again = headrace::Recipe::parse(yaml, "fuzz");
  check(!again && again.error().message() == recipe.error().message(), "not the same twice");
  return 0;
}
