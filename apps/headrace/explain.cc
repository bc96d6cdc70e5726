// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string directory;
  std::string id;
};

void add_leaks(const Explanation& story, Json* json) {
  if (story.leak_checked || !story.leaks.empty()) (*json)["leaks"] = Json::array();
  for (const Explanation::Leak& leak : story.leaks) {
    (*json)["leaks"].push_back({{"set", leak.set},
                                {"item", leak.item},
                                {"verdict", leak.verdict},
                                {"report_only", leak.report_only},
                                {"view", leak.view},
                                {"ratio", leak.ratio},
                                {"mass", leak.mass},
                                {"density", leak.density},
                                {"question", leak.question},
                                {"options", leak.options},
                                {"answer", leak.answer},
                                {"passage", leak.passage},
                                {"begin", leak.begin},
                                {"end", leak.end},
                                {"excerpt", leak.excerpt}});
  }
  if (story.split.empty()) return;
  (*json)["split"] = story.split;
  (*json)["validation_leaks"] = Json::array();
  for (const Explanation::ValidationLeak& leak : story.validation_leaks) {
    (*json)["validation_leaks"].push_back({{"id", leak.id},
                                           {"leak", leak.leak},
                                           {"share_validation", leak.share_validation},
                                           {"share_training", leak.share_training},
                                           {"mass", leak.mass}});
  }
}

Json to_json(const Explanation& story) {
  Json json = {{"id", story.id},
               {"domain", story.domain},
               {"source", story.source},
               {"offset", story.offset},
               {"steps", Json::array()}};
  for (const auto& step : story.steps)
    json["steps"].push_back({{"step", step.step},
                             {"changes", step.changes},
                             {"before", step.before},
                             {"after", step.after}});
  json["measures"] = Json::object();
  for (const Explanation::Measured& measure : story.measures)
    json["measures"][measure.name] = measure.value ? Json(*measure.value) : Json(nullptr);
  for (const Explanation::Scored& scored : story.scores) {
    Json score = score_json(scored.score);
    score["scored"] = scored.scored;
    score["min"] = scored.min ? Json(*scored.min) : Json(nullptr);
    score["max"] = scored.max ? Json(*scored.max) : Json(nullptr);
    if (!scored.keep.empty()) score["keep"] = scored.keep;
    json["scores"][scored.score.name] = std::move(score);
  }
  add_leaks(story, &json);
  json["verdict"] = story.verdict;
  json["reasons"] = story.reasons;
  json["broken"] = Json::array();
  for (const auto& rule : story.broken) {
    json["broken"].push_back({{"reason", rule.reason},
                              {"measure", rule.measure},
                              {"value", rule.value ? Json(*rule.value) : Json(nullptr)},
                              {"bound", rule.bound.empty() ? Json(nullptr) : Json(rule.bound)},
                              {"scope", rule.scope.empty() ? Json(nullptr) : Json(rule.scope)},
                              {"place", rule.place},
                              {"preset", rule.preset.empty() ? Json(nullptr) : Json(rule.preset)}});
    if (!rule.words.empty()) json["broken"].back()["words"] = rule.words;
  }
  if (!story.detail.empty()) json["detail"] = story.detail;
  json["cluster"] = story.cluster;
  json["near"] = Json::array();
  for (const Explanation::NearMember& member : story.near) {
    json["near"].push_back(
        {{"id", member.id}, {"linked_to", member.linked_to}, {"similarity", member.similarity}});
  }
  if (!story.earlier.empty()) json["earlier"] = {{"id", story.earlier}, {"run", story.earlier_run}};
  json["removed"] = Json::array();
  for (const Explanation::Removed& range : story.removed) {
    json["removed"].push_back(
        {{"reason", range.reason},
         {"begin", range.begin},
         {"end", range.end},
         {"text", range.text},
         {"kept_id", range.kept_id.empty() ? Json(nullptr) : Json(range.kept_id)},
         {"kept_begin", range.kept_id.empty() ? Json(nullptr) : Json(range.kept_begin)}});
  }
  json["tokens"] = story.tokens ? Json(*story.tokens) : Json(nullptr);
  json["before"] = story.raw_missing.empty() ? Json(story.raw) : Json(nullptr);
  if (!story.raw_missing.empty()) json["before_missing"] = story.raw_missing;
  json["text"] = story.text;
  json["text_left"] = story.removed.empty() ? Json(nullptr) : Json(story.text_left);
  if (!story.meta.empty()) json["meta"] = Json::parse(story.meta, nullptr, false);
  return json;
}

void print_scores(const std::vector<Explanation::Scored>& scores) {
  print_text("\nscores\n");
  for (const Explanation::Scored& scored : scores) {
    const ScoreView& score = scored.score;
    const std::string value = !scored.scored ? "not scored: dropped before"
                              : score.value  ? fmt::format("{:.6g}", *score.value)
                                             : "no value";
    std::string line = fmt::format("  {:<24} {:>14}", score.name, value);
    if (!score.label.empty()) line += "  " + score.label;
    if (!scored.keep.empty()) line += fmt::format("  keeps {}", fmt::join(scored.keep, ", "));
    if (scored.min) line += fmt::format("  min {:.6g}", *scored.min);
    if (scored.max) line += fmt::format("  max {:.6g}", *scored.max);
    print_text(line + "\n");
  }
}

// "  digit_share_above_max   0.52, max 0.3   judge.rules (preset zh-web) for language zh".
void print_broken(const Explanation& story) {
  if (story.broken.empty()) return;
  print_text("\nrules that it breaks\n");
  for (const auto& rule : story.broken) {
    const std::string preset = rule.preset.empty() ? "" : fmt::format(" (preset {})", rule.preset);
    const std::string scope = rule.scope.empty() ? "" : fmt::format(" for {}", rule.scope);
    print_text(fmt::format("  {:<40} {}{}   {}{}{}\n", rule.reason,
                           rule.value ? fmt::format("{:.6g}", *rule.value) : "null",
                           rule.bound.empty() ? "" : ", " + rule.bound, rule.place, preset, scope));
    for (const std::string& word : rule.words) print_text(fmt::format("    {}\n", visible(word)));
  }
}

// By family, families in the order in which they come first; nulls as one line of names.
void print_measures(const std::vector<Explanation::Measured>& measures) {
  std::vector<std::string> families;
  std::vector<std::string> nulls;
  for (const Explanation::Measured& measure : measures) {
    if (std::find(families.begin(), families.end(), measure.family) == families.end())
      families.push_back(measure.family);
    if (!measure.value) nulls.push_back(measure.name);
  }
  print_text("\nmeasures\n");
  for (const std::string& family : families) {
    std::string lines;
    for (const Explanation::Measured& measure : measures) {
      if (measure.family == family && measure.value)
        lines += fmt::format("    {:<30} {:>14.6g}\n", measure.name, *measure.value);
    }
    if (!lines.empty()) print_text(fmt::format("  {}\n{}", family, lines));
  }
  if (!nulls.empty())
    print_text(fmt::format("  Without a value (null)\n    {}\n", fmt::join(nulls, ", ")));
}

// "  gsm8k 17   drop by question, 0.97 of it, at bytes 120 to 310".
void print_leaks(const Explanation& story) {
  if (story.leak_checked && story.leaks.empty())
    print_text("\nheld-out items\n  looked for, none found\n");
  if (!story.leaks.empty()) print_text("\nheld-out items\n");
  for (const Explanation::Leak& leak : story.leaks) {
    print_text(fmt::format("  {} {}   {} by {}, {:.3f} of it (mass {:.1f}), at bytes {} to {}{}\n",
                           leak.set, leak.item, leak.verdict, leak.view, leak.ratio, leak.mass,
                           leak.begin, leak.end, leak.report_only ? "; report only" : ""));
    print_text(fmt::format("    {}\n", visible(leak.excerpt)));
  }
  if (story.validation_leaks.empty()) return;
  print_text("\nvalidation text in it\n");
  for (const Explanation::ValidationLeak& leak : story.validation_leaks) {
    print_text(fmt::format("  {}   {}: {:.3f} of that document, {:.3f} of this one\n", leak.id,
                           leak.leak ? "a leak" : "a little", leak.share_validation,
                           leak.share_training));
  }
}

void print_removed(const std::vector<Explanation::Removed>& removed) {
  print_text("\nremoved from the text when it is handed on\n");
  for (const Explanation::Removed& range : removed) {
    const std::string kept = range.kept_id.empty() ? ""
                                                   : fmt::format("; stands in {} at {}",
                                                                 range.kept_id, range.kept_begin);
    print_text(fmt::format("  {:<24} bytes {} to {}{}\n    {}\n", range.reason, range.begin,
                           range.end, kept, visible(range.text)));
  }
}

void print_story(const Explanation& story) {
  print_text(fmt::format("document {}  ({})\nsource   {} at {}\n", story.id, story.domain,
                         story.source, story.offset));
  print_text(fmt::format(
      "verdict  {}{}\n", story.verdict,
      story.reasons.empty() ? "" : fmt::format(": {}", fmt::join(story.reasons, ", "))));
  if (!story.detail.empty()) {
    print_text(fmt::format("         {}\n\nit never became a document; its bytes\n{}\n",
                           story.detail, story.raw));
    return;
  }
  if (!story.cluster.empty())
    print_text(fmt::format("cluster  {} (the first survives)\n", fmt::join(story.cluster, " ")));
  for (const Explanation::NearMember& member : story.near) {
    print_text(
        fmt::format("  {:<16} {:.4f} to {}\n", member.id, member.similarity, member.linked_to));
  }
  if (!story.earlier.empty())
    print_text(fmt::format("earlier  {} of {}\n", story.earlier, story.earlier_run));
  if (!story.split.empty()) print_text(fmt::format("split    {}\n", story.split));
  if (story.tokens) print_text(fmt::format("tokens   {}\n", *story.tokens));
  print_broken(story);
  print_leaks(story);
  print_text("\nsteps\n");
  for (const auto& step : story.steps) {
    print_text(fmt::format("  {:<24} {:>10} changes\n", step.step, step.changes));
    if (step.changes > 0)
      print_text(fmt::format("    - {}\n    + {}\n", visible(step.before), visible(step.after)));
  }
  print_measures(story.measures);
  if (!story.scores.empty()) print_scores(story.scores);
  if (!story.raw_missing.empty()) {
    print_text(
        fmt::format("\nthe text before normalization cannot be shown: {}\n", story.raw_missing));
  } else if (story.raw != story.text) {
    print_text(fmt::format("\nbefore\n{}\n", story.raw));
  }
  print_text(fmt::format("\ntext\n{}\n", story.text));
  if (story.removed.empty()) return;
  print_removed(story.removed);
  print_text(fmt::format("\ntext without it\n{}\n", story.text_left));
}

int execute(const Arguments& arguments, const Common& common) {
  const auto story = explain(arguments.directory, arguments.id);
  if (!story) return fail(story.error());
  if (common.json) {
    print_json(to_json(*story));
  } else {
    print_story(*story);
  }
  return kDone;
}

}  // namespace

void add_explain(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "explain",
      "one document's story: source, text before and after, measures, verdict with its rules, "
      "duplicates");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->directory, "run directory")->required()->type_name("");
  command->footer("Ids stand in the output of 'headrace cat' and in the report.");
  command->add_option("ID", arguments->id, "document id as cat shows it, e.g. 3:1024")
      ->required()
      ->type_name("");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
