// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "score.h"

namespace headrace::app {
namespace {

struct Arguments {
  ScoreApplyOptions options;
  std::vector<std::string> kind_options;
};

std::string line_of(const ScoredDocument& scored) {
  const Json json = {{"id", scored.id},
                     {"value", std::isnan(scored.value) ? Json(nullptr) : Json(scored.value)},
                     {"label", scored.label.empty() ? Json(nullptr) : Json(scored.label)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const ScoreApplyResult& result, const std::string& output) {
  std::string text =
      fmt::format("{} documents scored in {:.2f} s{}\n", with_commas(result.documents),
                  result.seconds, output.empty() ? "" : ": " + output);
  if (result.invalid > 0) text += fmt::format("  {} got no number\n", with_commas(result.invalid));
  if (result.rejected > 0)
    text += fmt::format("  {} records are no documents\n", with_commas(result.rejected));
  return text;
}

// What became of the records. Where stdout holds the scores it goes to stderr.
void tell(const ScoreApplyResult& result, const std::string& output, const Common& common) {
  const Json json = {{"output", output.empty() ? Json(nullptr) : Json(output)},
                     {"documents", result.documents},
                     {"invalid", result.invalid},
                     {"rejected", result.rejected},
                     {"seconds", result.seconds}};
  if (!output.empty() && common.json) {
    print_json(json);
  } else if (!output.empty()) {
    print_text(to_text(result, output));
  } else if (common.json) {
    flush();
    fmt::print(stderr, "{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else if (!common.quiet) {
    flush();
    fmt::print(stderr, "{}", to_text(result, output));
  }
}

int execute(const Arguments& arguments, const Common& common) {
  ScoreApplyOptions options = arguments.options;
  auto kind_options = parse_options(arguments.kind_options);
  if (!kind_options) return fail(kind_options.error());
  options.options = *std::move(kind_options);
  options.threads = common.threads;
  options.show_progress = !common.quiet;
  options.stop = common.stop;
  options.sink = [](const ScoredDocument& scored) -> Result<void> {
    print(line_of(scored));
    return {};
  };
  const auto result = apply_score(options);
  if (!result) return fail(result.error());
  tell(*result, options.output, common);
  return kDone;
}

}  // namespace

void add_score_apply(CLI::App& score, Common* common, Action* action) {
  CLI::App* command = score.add_subcommand("apply", "the scores of files");
  auto arguments = std::make_shared<Arguments>();
  ScoreApplyOptions& options = arguments->options;
  command->footer(fmt::format(
      "Kinds:\n{}\n"
      "Texts are scored as they stand in the files; a run scores them after its normalizing steps. "
      "The\nids are those that a run of the same files in the same order would give.\n\n"
      "  headrace score apply --model quality.bin 'raw/*.jsonl.gz'          JSON lines to stdout,\n"
      "                                                                     the count to stderr\n"
      "  headrace score apply --model quality.bin --output scores.parquet --id url a.parquet\n"
      "  headrace score apply --kind language --model lid.176.ftz raw/news.jsonl",
      kinds_text(score_kinds())));
  command->add_option("FILE", options.files, "files, globs and URIs of any format")
      ->required()
      ->type_name("");
  command->add_option("--model", options.model, "a model file")->required()->type_name("FILE");
  add_kind(command, &options.kind, &arguments->kind_options);
  command
      ->add_option("--text", options.text,
                   "where the text stands in a record, a dotted path; default: text")
      ->type_name("FIELD");
  command
      ->add_option("--id", options.id,
                   "the field that ids are taken from; default: file and place, as in a run")
      ->type_name("FIELD");
  command
      ->add_option("--output", options.output,
                   "a Parquet file with id, value and label; default: JSON lines to stdout")
      ->type_name("FILE");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
