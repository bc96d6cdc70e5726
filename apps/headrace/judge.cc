// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string directory;
  std::string recipe;
};

int execute(const Arguments& arguments, const Common& common) {
  std::optional<Recipe> recipe;
  if (!arguments.recipe.empty()) {
    auto loaded = Recipe::load(arguments.recipe);
    if (!loaded) return fail(loaded.error());
    recipe = *std::move(loaded);
  }
  const auto result = judge_run(arguments.directory, recipe, common.threads, common.stop);
  if (!result) return fail(result.error());
  if (common.json) {
    print_json({{"documents", result->documents},
                {"before", result->before},
                {"after", result->after},
                {"newly_kept", result->newly_kept},
                {"newly_dropped", result->newly_dropped},
                {"dropped", result->dropped},
                {"seconds", result->seconds}});
    return kDone;
  }
  print_text(fmt::format("{} documents judged in {:.2f} s: {} kept before, {} now (+{} -{})\n",
                         with_commas(result->documents), result->seconds,
                         with_commas(result->before), with_commas(result->after),
                         with_commas(result->newly_kept), with_commas(result->newly_dropped)));
  for (const auto& [reason, count] : result->dropped)
    print_text(fmt::format("  {:<40} {:>14}\n", reason, with_commas(count)));
  if (result->newly_kept + result->newly_dropped > 0) {
    print_text(
        "shards, if there are any, are of the earlier verdicts: 'headrace run' with the new recipe "
        "makes new ones\n");
  }
  return kDone;
}

}  // namespace

void add_judge(CLI::App& app, Common* common, Action* action) {
  CLI::App* command =
      app.add_subcommand("judge", "move thresholds: judges the kept measures, reads no text");
  command->footer(
      "Copy the recipe, change bounds under 'judge', and judge the run by it. Shards that exist "
      "are of\n"
      "the earlier verdicts; 'headrace run' with the new recipe makes new ones.");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->directory, "run directory")->required()->type_name("");
  command
      ->add_option("--recipe", arguments->recipe,
                   "recipe with the new thresholds; default: the run's own")
      ->type_name("FILE");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
