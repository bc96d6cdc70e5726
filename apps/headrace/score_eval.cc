// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "score.h"

namespace headrace::app {
namespace {

struct Arguments {
  ScoreEvalOptions options;
  std::vector<std::string> kind_options;
  bool no_card = false;
};

Json to_json(const ScoreEvalResult& result, const std::string& report) {
  Json json = {{"name", result.name}, {"kind", result.kind}, {"positive", result.positive}};
  json.update(app::to_json(result.evaluation));
  json["unscored"] = result.unscored;
  json["data"] = app::to_json(result.data);
  json["card"] = result.card_path.empty() ? Json(nullptr) : Json(result.card_path);
  json["report"] = report.empty() ? Json(nullptr) : Json(report);
  return json;
}

int execute(const Arguments& arguments, const Common& common) {
  ScoreEvalOptions options = arguments.options;
  auto kind_options = parse_options(arguments.kind_options);
  if (!kind_options) return fail(kind_options.error());
  options.options = *std::move(kind_options);
  if (!options.model.empty()) options.data.run = std::exchange(options.run, "");
  options.write_card = !arguments.no_card;
  options.threads = common.threads;
  options.show_progress = !common.quiet;
  options.stop = common.stop;
  const auto result = evaluate_score(options);
  if (!result) return fail(result.error());
  if (!options.report.empty()) {
    const auto written = write_score_report(options.report, result->name, result->kind,
                                            result->positive, result->evaluation);
    if (!written) return fail(written.error());
  }
  if (common.json) {
    print_json(to_json(*result, options.report));
    return kDone;
  }
  print_text(fmt::format("{}: how well it finds the label {}\n\n", result->name, result->positive));
  print_text(to_text(result->evaluation));
  print_text(to_text(result->data));
  if (result->unscored > 0) {
    print_text(fmt::format("  {} labelled documents were dropped by rules before scoring\n",
                           with_commas(result->unscored)));
  }
  if (!result->card_path.empty()) print_text(fmt::format("\n  card    {}\n", result->card_path));
  if (!options.report.empty()) print_text(fmt::format("  report  {}\n", options.report));
  return kDone;
}

}  // namespace

void add_score_eval(CLI::App& score, Common* common, Action* action) {
  CLI::App* command = score.add_subcommand(
      "eval", "how well a score finds what people labelled, and where to draw the line");
  auto arguments = std::make_shared<Arguments>();
  ScoreEvalOptions& options = arguments->options;
  command->footer(
      "Scores come from a model now, from a run that has them, or from a file; the last two are "
      "joined\nwith the labels by 'id'.\n\n"
      "  headrace score eval --model quality.bin --data labels.jsonl --report eval.html\n"
      "  headrace score eval RUN --name quality                 by the run's audit labels\n"
      "  headrace score eval RUN --model quality.bin            the same, scored now\n"
      "  headrace score eval --scores scores.parquet --data labels.jsonl --positive good\n\n"
      "What a model got is written into its card, where 'min: best_f1' of a recipe reads the\n"
      "threshold. Measure on texts that the model was not trained on: the card cannot know. A "
      "text\n"
      "that gets no number (NaN) is counted, and no threshold keeps it. A document is kept when "
      "its "
      "score\n"
      "is at least the threshold; of perplexity, and with --low-is-better, when it is at most: "
      "'max: best_f1'.");
  command
      ->add_option("RUN", options.run,
                   "a run that has the score of --name, or with --model: whose texts are scored")
      ->type_name("");
  command->add_option("--name", options.name, "of the score in the run")->type_name("NAME");
  command->add_option("--model", options.model, "a model file")->type_name("FILE");
  add_kind(command, &options.kind, &arguments->kind_options);
  command->add_option("--scores", options.scores, "a Parquet file with ids and scores")
      ->type_name("FILE");
  command->add_option("--id", options.id_column, "its column of ids; default: id")
      ->type_name("COLUMN");
  command->add_option("--score", options.score_column, "its column of scores; default: value")
      ->type_name("COLUMN");
  add_labelled_data(command, &options.data);
  command
      ->add_option("--positive", options.positive,
                   "the label to find; default: that of the card, else 1, where labels are 0 and 1")
      ->type_name("LABEL");
  command->add_flag("--low-is-better", options.low_is_better,
                    "low scores are those to keep; of perplexity they always are");
  one_a_time(command->add_option("--recall", options.recalls,
                                 "tell the precision at these recalls; default: "
                                 "0.5,0.8,0.9,0.95,0.99"))
      ->delimiter(',')
      ->type_name("SHARE");
  command->add_option("--report", options.report, "a page with the curve is written here")
      ->type_name("OUT.html");
  command->add_flag("--no-card", arguments->no_card, "leave the model's card as it is");
  command->add_option("--seed", options.seed, "of the bootstrap; default: 1")->type_name("N");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
