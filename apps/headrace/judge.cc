// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string directory;
  std::string recipe;
  std::optional<std::uint64_t> examples;
};

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json word(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json to_json(const std::vector<VerdictChange>& changes) {
  Json list = Json::array();
  for (const VerdictChange& change : changes) {
    list.push_back({{"id", change.id},
                    {"domain", change.domain},
                    {"source", change.source},
                    {"reason_before", word(change.reason_before)},
                    {"value_before", number(change.value_before)},
                    {"reason_after", word(change.reason_after)},
                    {"value_after", number(change.value_after)}});
    if (!change.text.empty()) list.back()["text"] = change.text;
  }
  return list;
}

Json to_json(const JudgeResult& result) {
  const auto known = [&](std::uint64_t count) {
    return result.compared ? Json(count) : Json(nullptr);
  };
  Json reasons = Json::array();
  for (const ReasonChange& reason : result.reasons) {
    reasons.push_back(
        {{"reason", reason.reason}, {"before", known(reason.before)}, {"after", reason.after}});
  }
  return {{"documents", result.documents},
          {"before", known(result.before)},
          {"after", result.after},
          {"newly_kept", known(result.newly_kept)},
          {"newly_dropped", known(result.newly_dropped)},
          {"newly_scored", result.newly_scored},
          {"newly_scanned", result.newly_scanned},
          {"dropped", result.dropped},
          {"reasons", reasons},
          {"examples",
           {{"newly_kept", to_json(result.kept_examples)},
            {"newly_dropped", to_json(result.dropped_examples)}}},
          {"seconds", result.seconds}};
}

void print_examples(const char* title, const std::vector<VerdictChange>& changes) {
  if (changes.empty()) return;
  print_text(fmt::format("\n  {}, examples\n", title));
  for (const VerdictChange& change : changes) {
    const bool kept = change.reason_after.empty();
    const auto& value = kept ? change.value_before : change.value_after;
    print_text(fmt::format("  {:<16} {:<12} {} {}{}\n", change.id, change.domain,
                           kept ? "was" : "now", kept ? change.reason_before : change.reason_after,
                           value ? fmt::format(" ({:.6g})", *value) : ""));
    if (!change.text.empty()) print_text(fmt::format("    {}\n", visible(change.text)));
  }
}

void print_result(const JudgeResult& result) {
  if (!result.compared) {
    print_text(
        fmt::format("{} documents judged in {:.2f} s: {} kept; there are no whole verdicts of an "
                    "earlier judging to compare with\n",
                    with_commas(result.documents), result.seconds, with_commas(result.after)));
  } else {
    print_text(
        fmt::format("{} documents judged in {:.2f} s: {} kept before, {} now ({} newly kept, {} "
                    "newly dropped)\n",
                    with_commas(result.documents), result.seconds, with_commas(result.before),
                    with_commas(result.after), with_commas(result.newly_kept),
                    with_commas(result.newly_dropped)));
  }
  if (result.newly_scored > 0) {
    print_text(fmt::format("{} texts scored that came to a score for the first time\n",
                           with_commas(result.newly_scored)));
  }
  if (result.newly_scanned > 0) {
    print_text(fmt::format("{} documents looked through for leaks for the first time\n",
                           with_commas(result.newly_scanned)));
  }
  if (!result.reasons.empty())
    print_text(fmt::format("\n  {:<40} {:>13} {:>13} {:>13}\n", "dropped because", "before", "now",
                           "change"));
  for (const ReasonChange& reason : result.reasons) {
    const bool more = reason.after >= reason.before;
    const std::uint64_t by = more ? reason.after - reason.before : reason.before - reason.after;
    print_text(
        fmt::format("  {:<40} {:>13} {:>13} {:>13}\n", reason.reason,
                    result.compared ? with_commas(reason.before) : "-", with_commas(reason.after),
                    by == 0 || !result.compared ? "" : (more ? "+" : "-") + with_commas(by)));
  }
  print_examples("newly kept", result.kept_examples);
  print_examples("newly dropped", result.dropped_examples);
  if (result.newly_kept + result.newly_dropped > 0) {
    print_text(
        "\nshards, if there are any, are of the earlier verdicts: 'headrace run' with the new "
        "recipe "
        "makes new ones\n");
  }
}

int execute(const Arguments& arguments, const Common& common) {
  JudgeOptions options;
  if (!arguments.recipe.empty()) {
    auto loaded = Recipe::load(arguments.recipe);
    if (!loaded) return fail(loaded.error());
    options.recipe = *std::move(loaded);
  }
  options.texts = arguments.examples.has_value();
  options.examples = arguments.examples.value_or(options.examples);
  options.threads = common.threads;
  options.stop = common.stop;
  const auto result = judge_run(arguments.directory, options);
  if (!result) return fail(result.error());
  if (common.json) {
    print_json(to_json(*result));
  } else {
    print_result(*result);
  }
  return kDone;
}

}  // namespace

void add_judge(CLI::App& app, Common* common, Action* action) {
  CLI::App* command =
      app.add_subcommand("judge",
                         "move thresholds: judges the kept measures and scores, reads no text "
                         "but what has no score yet");
  command->footer(
      "Copy the recipe, change bounds under 'judge' or 'score', and judge the run by it. Shards "
      "that\n"
      "exist are of the earlier verdicts; 'headrace run' with the new recipe makes new ones.");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->directory, "run directory")->required()->type_name("");
  command
      ->add_option("--recipe", arguments->recipe,
                   "recipe with the new thresholds; default: the run's own")
      ->type_name("FILE");
  command
      ->add_option("--examples", arguments->examples,
                   "show so many of the newly kept and of the newly dropped, with the start of "
                   "their text; default: 5, without text")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{100000}))
      ->type_name("N");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
