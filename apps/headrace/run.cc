// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string recipe;
  std::string output;
  std::string sample;
  std::string executor = "local";
  bool dry_run = false;
};

// "1%" or "0.01".
std::optional<double> parse_share(std::string_view text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return percent ? value / 100 : value;
}

Json plan_json(const RunResult& result) {
  Json stages = Json::array();
  for (const PlanStage& stage : result.plan.stages) {
    stages.push_back(
        {{"stage", stage.name}, {"tasks", stage.tasks}, {"tasks_done", stage.tasks_done}});
  }
  return {{"input_files", result.plan.input_files},
          {"input_bytes", result.plan.input_bytes},
          {"stages", stages}};
}

void print_plan(const RunResult& result) {
  print_text(fmt::format("{} input files, {} bytes; output {}\n", result.plan.input_files,
                         with_commas(result.plan.input_bytes), result.run));
  for (const PlanStage& stage : result.plan.stages) {
    const std::string tasks =
        stage.tasks > 0 ? fmt::format("{:>6} tasks", stage.tasks) : "as many as the tokens fill";
    print_text(fmt::format(
        "  {:<10} {}{}\n", stage.name, tasks,
        stage.tasks_done > 0 ? fmt::format(", {} committed before", stage.tasks_done) : ""));
  }
  print_text("nothing was written (--dry-run)\n");
}

int execute(const Arguments& arguments, const Common& common) {
  RunOptions options;
  options.output = arguments.output;
  options.threads = common.threads;
  options.dry_run = arguments.dry_run;
  options.show_progress = !common.quiet;
  options.stop = common.stop;
  if (!arguments.sample.empty()) {
    options.sample = parse_share(arguments.sample);
    if (!options.sample)
      return fail(Status(
          Code::kInvalidArgument,
          fmt::format("--sample takes a share such as 1% or 0.01, not '{}'", arguments.sample)));
  }
  if (arguments.executor != "local") {
    return fail(Status(Code::kUnsupported,
                       fmt::format("--executor {} is not in this version ({}): use local",
                                   arguments.executor, version())));
  }
  const auto recipe = Recipe::load(arguments.recipe);
  if (!recipe) return fail(recipe.error());
  const auto result = run(*recipe, options);
  if (!result) return fail(result.error());

  if (common.json) {
    Json json = {{"run", result->run}, {"seconds", result->seconds}};
    if (arguments.dry_run) {
      json["plan"] = plan_json(*result);
    } else {
      json["books"] = to_json(result->books);
      json["shards"] = result->shards.empty() ? Json(nullptr) : Json(result->shards);
      json["report"] = result->report;
    }
    print_json(json);
  } else if (arguments.dry_run) {
    print_plan(*result);
  } else {
    if (!common.quiet) print_text("\n");  // the progress stands above
    print_text(to_text(result->books));
    print_text(fmt::format("\n  run     {}   ({:.1f} s)\n", result->run, result->seconds));
    if (!result->shards.empty()) print_text(fmt::format("  shards  {}\n", result->shards));
    print_text(fmt::format("  report  {}\n", result->report));
  }
  if (arguments.dry_run || result->books.balanced) return kDone;
  fmt::print(stderr, "headrace: the books of {} do not balance\n", result->run);
  return kBadAnswer;
}

}  // namespace

void add_run(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "run", "do what a recipe says: raw files to documents and, with 'tokenize', shards");
  command->footer(
      "Run it again to resume: what was committed is not done twice. A changed recipe repeats "
      "only\n"
      "what depends on the change.\n\n"
      "  headrace run recipe.yaml --dry-run                      what would be done\n"
      "  headrace run recipe.yaml --sample 1% --output runs/try  all of it, on a hundredth\n"
      "  headrace run recipe.yaml --output runs/first");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("RECIPE", arguments->recipe, "the recipe, a YAML file")
      ->required()
      ->type_name("");
  command
      ->add_option("--output", arguments->output, "run directory; default: the recipe's 'output'")
      ->type_name("DIR");
  command
      ->add_option("--sample", arguments->sample,
                   "only a share of the documents, e.g. 1%, chosen by the recipe's seed")
      ->type_name("SHARE");
  command->add_option("--executor", arguments->executor, "who runs the tasks: local (default)")
      ->type_name("NAME");
  command->add_flag("--dry-run", arguments->dry_run,
                    "check everything that can be checked, print the plan, write nothing");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
