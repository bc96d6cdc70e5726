// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string recipe;
  std::string output;
  std::string sample;
  std::string executor = "local";
  bool replace = false;
  bool dry_run = false;
};

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
  std::size_t width = 0;
  for (const PlanStage& stage : result.plan.stages) width = std::max(width, stage.name.size());
  for (const PlanStage& stage : result.plan.stages) {
    const std::string tasks =
        stage.tasks > 0 ? fmt::format("{:>6} tasks", stage.tasks) : "as many as the tokens fill";
    print_text(fmt::format(
        "  {:<{}} {}{}\n", stage.name, width, tasks,
        stage.tasks_done > 0 ? fmt::format(", {} committed before", stage.tasks_done) : ""));
  }
  print_text("nothing was written (--dry-run)\n");
}

Json to_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Json to_json(const Projection& projection) {
  Json reasons = Json::array();
  for (const ReasonProjection& reason : projection.reasons) {
    reasons.push_back({{"stage", reason.stage},
                       {"reason", reason.reason},
                       {"sampled", reason.sampled},
                       {"share", reason.share ? to_json(*reason.share) : Json(nullptr)}});
  }
  return {{"records", projection.records},
          {"sampled", projection.sampled},
          {"confidence", 0.95},
          {"reasons", reasons},
          {"kept_documents", to_json(projection.kept_documents)},
          {"kept_bytes", to_json(projection.kept_bytes)},
          {"tokens", projection.tokens ? to_json(*projection.tokens) : Json(nullptr)},
          {"seconds", projection.seconds ? to_json(*projection.seconds) : Json(nullptr)},
          {"disk_bytes", to_json(projection.disk_bytes)}};
}

void print_estimate(const char* name, const Estimate& estimate) {
  const auto count = [](double value) { return with_commas(static_cast<std::uint64_t>(value)); };
  print_text(fmt::format("  {:<40} {:>20}   {} to {}\n", name, count(estimate.value),
                         count(estimate.low), count(estimate.high)));
}

void print_projection(const Projection& projection) {
  print_text(fmt::format("\n  the full run of {} records, by a sample of {}; 95 % intervals\n\n",
                         with_commas(projection.records), with_commas(projection.sampled)));
  for (const ReasonProjection& reason : projection.reasons) {
    if (!reason.share) {
      print_text(
          fmt::format("  {:<40} {:>20}   a sample does not see the pairs: more in the full run\n",
                      reason.reason, "?"));
      continue;
    }
    print_text(fmt::format("  {:<40} {:>18.3f} %   {:.3f} to {:.3f} %\n", reason.reason,
                           100 * reason.share->value, 100 * reason.share->low,
                           100 * reason.share->high));
  }
  print_text("\n");
  print_estimate("documents kept by the rules", projection.kept_documents);
  print_estimate("bytes of their text", projection.kept_bytes);
  if (projection.tokens) print_estimate("tokens", *projection.tokens);
  print_estimate("bytes on disk", projection.disk_bytes);
  if (projection.seconds) print_estimate("seconds on this machine, about", *projection.seconds);
}

int execute(const Arguments& arguments, const Common& common) {
  RunOptions options;
  options.output = arguments.output;
  options.replace = arguments.replace;
  options.threads = common.threads;
  options.dry_run = arguments.dry_run;
  options.show_progress = !common.quiet;
  options.stop = common.stop;
  if (!arguments.sample.empty()) {
    options.sample = parse_share(arguments.sample);
    if (!options.sample) return fail(bad_sample(arguments.sample));
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
      json["books"] = headrace::app::to_json(result->books);
      json["shards"] = result->shards.empty() ? Json(nullptr) : Json(result->shards);
      if (!result->validation_shards.empty()) json["validation_shards"] = result->validation_shards;
      json["report"] = result->report;
      if (result->projection) json["projection"] = to_json(*result->projection);
    }
    print_json(json);
  } else if (arguments.dry_run) {
    print_plan(*result);
  } else {
    if (!common.quiet) print_text("\n");  // the progress stands above
    print_text(to_text(result->books));
    if (result->projection) print_projection(*result->projection);
    print_text(fmt::format("\n  run     {}   ({:.1f} s)\n", result->run, result->seconds));
    if (!result->shards.empty()) print_text(fmt::format("  shards  {}\n", result->shards));
    if (!result->validation_shards.empty())
      print_text(fmt::format("          {}   (validation)\n", result->validation_shards));
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
      "  headrace run recipe.yaml --sample 1% --output runs/try  all of it, on a hundredth, and\n"
      "                                                          what that says of the whole\n"
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
  command->add_flag("--replace", arguments->replace,
                    "put this run in the place of one of other sources, or of another sample");
  command->add_flag("--dry-run", arguments->dry_run,
                    "check everything that can be checked, print the plan, write nothing");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
