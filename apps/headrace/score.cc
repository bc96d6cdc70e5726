// SPDX-License-Identifier: Apache-2.0
#include "score.h"

#include <fmt/format.h>

namespace headrace::app {
namespace {

Json to_json(const ScoreInterval& interval) { return Json::array({interval.low, interval.high}); }

std::string to_text(const ScoreInterval& interval) {
  return fmt::format("{:.4g} to {:.4g}", interval.low, interval.high);
}

}  // namespace

CLI::Option* one_a_time(CLI::Option* option) { return option->allow_extra_args(false); }

void add_labelled_data(CLI::App* command, LabelledData* data) {
  one_a_time(command->add_option("--data", data->files,
                                 "labelled records: a file, a glob in quotes or a URI, of any "
                                 "format; or labels of the audit; again for each more"))
      ->type_name("FILE");
  command
      ->add_option("--text", data->text,
                   "where the text stands in a record, a dotted path; default: text")
      ->type_name("FIELD");
  command
      ->add_option("--label", data->label,
                   "where the label stands: a string, a number, true or false; records without one "
                   "are left out; default: label")
      ->type_name("FIELD");
}

void add_kind(CLI::App* command, std::string* kind, std::vector<std::string>* options) {
  command
      ->add_option("--kind", *kind,
                   "of the model; default: as its card says, else by the file's name")
      ->type_name("KIND");
  one_a_time(command->add_option("--option", *options,
                                 "an option of the kind, e.g. han=split; again for each more; what "
                                 "the card says needs none"))
      ->type_name("NAME=VALUE");
}

Result<std::map<std::string, std::string>> parse_options(const std::vector<std::string>& options) {
  std::map<std::string, std::string> parsed;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--option takes NAME=VALUE, not '{}'", option));
    }
    parsed[option.substr(0, equals)] = option.substr(equals + 1);
  }
  return parsed;
}

std::string kinds_text(const std::vector<ScoreKind>& kinds) {
  std::string text;
  for (const ScoreKind& kind : kinds) {
    text += fmt::format("  {:<13}{}{}\n", kind.name, kind.summary,
                        kind.trained_by.empty() ? "" : ": " + kind.trained_by);
  }
  return text;
}

Json to_json(const ScoreEvaluation& made) {
  const auto& best = made.best_f1;
  Json at_recall = Json::array();
  for (const auto& at : made.precision_at_recall) {
    at_recall.push_back(
        {{"recall", at.recall}, {"precision", at.precision}, {"threshold", at.threshold}});
  }
  return {{"positives", made.positives},
          {"negatives", made.negatives},
          {"invalid", made.invalid},
          {"low_is_better", made.low_is_better},
          {"average_precision", made.average_precision},
          {"average_precision_interval", to_json(made.average_precision_interval)},
          {"best_f1", best.f1},
          {"best_f1_interval", to_json(best.f1_interval)},
          {"threshold", best.threshold},
          {"threshold_interval", to_json(best.threshold_interval)},
          {"precision", best.precision},
          {"recall", best.recall},
          {"precision_at_recall", at_recall}};
}

Json to_json(const LabelledCounts& counts) {
  return {{"documents", counts.documents},   {"by_label", counts.by_label},
          {"unlabelled", counts.unlabelled}, {"replaced", counts.replaced},
          {"rejected", counts.rejected},     {"unmatched", counts.unmatched}};
}

std::string to_text(const ScoreEvaluation& made) {
  const auto& best = made.best_f1;
  std::string text = fmt::format(
      "  average precision  {:.4f}  (95 %: {})\n"
      "  best F1            {:.4f}  (95 %: {})\n"
      "  its threshold      {}{:.4g}  (95 %: {})\n"
      "  precision there    {:.4f}\n"
      "  recall there       {:.4f}\n",
      made.average_precision, to_text(made.average_precision_interval), best.f1,
      to_text(best.f1_interval), made.low_is_better ? "at most " : "", best.threshold,
      to_text(best.threshold_interval), best.precision, best.recall);
  text += fmt::format("\n  {:>8} {:>10} {:>10}\n", "recall", "precision", "threshold");
  for (const auto& at : made.precision_at_recall) {
    text += fmt::format("  {:>8.4g} {:>10.4f} {:>10.4g}\n", at.recall, at.precision, at.threshold);
  }
  text += fmt::format("\n  of {} positive and {} negative documents", with_commas(made.positives),
                      with_commas(made.negatives));
  if (made.invalid > 0) {
    text += fmt::format("; {} got no number: they are never kept", with_commas(made.invalid));
  }
  return text + "\n";
}

std::string to_text(const LabelledCounts& counts, std::string_view of) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("  {} {}{}\n", with_commas(count), what, of);
  };
  add(counts.unlabelled, "records have no label and are left out");
  add(counts.replaced, "decisions were replaced by later ones");
  add(counts.rejected, "records are no documents");
  add(counts.unmatched, "labelled documents are not there");
  return text;
}

void add_score(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "score", "train models that score texts, measure them, score files with them");
  command->footer(
      "From labels to a line in a recipe:\n\n"
      "  headrace audit RUN                                          people label what rules drop\n"
      "  headrace score train --data RUN/audit/labels.jsonl          quality.bin and its card\n"
      "  headrace score eval --model quality.bin --data others.jsonl --report eval.html\n"
      "  headrace score apply --model quality.bin --output scores.parquet 'raw/*.jsonl.gz'\n\n"
      "In a recipe 'score: [quality: {kind: fasttext, model: quality.bin, min: best_f1}]' scores a "
      "run.");
  command->require_subcommand(1);
  add_score_train(*command, common, action);
  add_score_eval(*command, common, action);
  add_score_apply(*command, common, action);
}

}  // namespace headrace::app
