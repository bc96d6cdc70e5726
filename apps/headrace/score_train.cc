// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "score.h"

namespace headrace::app {
namespace {

struct Arguments {
  ScoreTrainOptions options;
  std::map<std::string, std::string> given;  // options of kinds, by name; "" = not given
};

Json to_json(const ScoreTrainResult& result) {
  Json json = {{"model", result.model},
               {"card", result.card_path},
               {"kind", result.card.kind},
               {"positive", nullptr},
               {"labels", result.card.labels},
               {"data", app::to_json(result.data)},
               {"validation", app::to_json(result.validation)},
               {"trained", result.trained},
               {"held_out", result.held_out},
               {"leaked", result.leaked},
               {"evaluation", nullptr}};
  if (!result.card.positive.empty()) json["positive"] = result.card.positive;
  if (!result.measured.empty()) json["measured"] = result.measured;
  if (result.card.evaluation) json["evaluation"] = app::to_json(*result.card.evaluation);
  return json;
}

void print_result(const ScoreTrainResult& result) {
  const std::string& positive = result.card.positive;
  print_text(fmt::format("{} trained on {} documents{}\n\n", result.model,
                         with_commas(result.trained),
                         positive.empty() ? "" : ", positive label " + positive));
  if (result.card.evaluation) {
    print_text(
        fmt::format("  on {} documents that it has not seen\n\n", with_commas(result.held_out)));
    print_text(to_text(*result.card.evaluation));
  } else if (!result.measured.empty()) {
    print_text(
        fmt::format("  on {} documents that it has not seen\n\n", with_commas(result.held_out)));
    for (const auto& [name, value] : result.measured)
      print_text(fmt::format("  {:<13} {:>10.4g}\n", name, value));
  } else if (positive.empty()) {
    print_text("  not measured: no document with a token was held out\n");
  } else {
    print_text("  not measured: 'headrace score eval' does\n");
  }
  if (result.leaked > 0) {
    print_text(fmt::format("  {} documents stand in the validation file, too, and were left out\n",
                           with_commas(result.leaked)));
  }
  print_text(to_text(result.data));
  print_text(to_text(result.validation, " (of the validation file)"));
  print_text(fmt::format("\n  card  {}\n", result.card_path));
}

int execute(const Arguments& arguments, const Common& common) {
  ScoreTrainOptions options = arguments.options;
  for (const auto& [name, value] : arguments.given) {
    if (!value.empty()) options.options[name] = value;
  }
  options.threads = common.threads;
  options.show_progress = !common.quiet;
  options.stop = common.stop;
  const auto result = train_score(options);
  if (!result) return fail(result.error());
  if (common.json) {
    print_json(to_json(*result));
  } else {
    print_result(*result);
  }
  return kDone;
}

std::string flag_of(const std::string& name) {
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// One flag for each option of any kind; two kinds may share one.
void add_trainer_options(CLI::App* command, Arguments* arguments) {
  for (const ScoreKind& kind : score_trainers()) {
    for (const ScoreKind::Option& option : kind.options) {
      const auto [at, is_new] = arguments->given.try_emplace(option.name);
      if (!is_new) continue;
      std::string values;
      for (const std::string& value : option.allowed) {
        values += (values.empty() ? "" : "|") + value;
      }
      command
          ->add_option(
              flag_of(option.name), at->second,
              fmt::format("{}{}", option.summary,
                          option.default_value.empty() ? "" : "; default: " + option.default_value))
          ->group("Options of the kind " + kind.name)
          ->type_name(values.empty() ? "VALUE" : values);
    }
  }
}

}  // namespace

void add_score_train(CLI::App& score, Common* common, Action* action) {
  CLI::App* command = score.add_subcommand(
      "train", "a model from labelled texts, measured on texts that it has not seen");
  auto arguments = std::make_shared<Arguments>();
  ScoreTrainOptions& options = arguments->options;
  command->footer(fmt::format(
      "Kinds:\n{}\n"
      "Part of the texts is held out, by a hash of each text: equal texts stay on one side. The "
      "model\nand a card beside it (quality.card.json) with its data, its options and its "
      "threshold "
      "are written.\n\n"
      "  headrace score train --data labels.jsonl.gz --label is_good --positive yes\n"
      "  headrace score train --data RUN/audit/labels.jsonl --run RUN --han split --output "
      "zh.bin\n"
      "  headrace score train --kind perplexity --data 'good/*.jsonl.gz' --output lm.bin\n\n"
      "Labels of the audit page: the last line of a document counts, unsure is left out; --run "
      "takes\nthe whole texts from the run, where the labels hold the first MiB.",
      kinds_text(score_trainers())));
  command->add_option("--kind", options.kind, "what is trained; default: fasttext")
      ->type_name("KIND");
  add_labelled_data(command, &options.data);
  command->add_option("--run", options.data.run, "the texts are those of this run, by 'id'")
      ->type_name("RUN");
  command
      ->add_option("--positive", options.positive,
                   "the label whose probability is the score; default: 1, where labels are 0 and 1")
      ->type_name("LABEL");
  command
      ->add_option("--output", options.output, "the model file; default: quality.bin, by the kind")
      ->type_name("FILE");
  command
      ->add_option("--validation", options.validation,
                   "what is held out: a share, or a file of labelled records; 0: nothing; default: "
                   "0.2")
      ->type_name("SHARE|FILE");
  command
      ->add_option("--validation-seed", options.seed,
                   "another number holds out other texts; default: 1")
      ->type_name("N");
  add_trainer_options(command, arguments.get());
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
