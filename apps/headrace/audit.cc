// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <pwd.h>
#include <unistd.h>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string directory;
  AuditOptions options;
  bool summary = false;
};

// The name that this machine knows the user by; "" if it has none.
std::string user_name() {
  const passwd* user = getpwuid(getuid());
  return user == nullptr ? "" : user->pw_name;
}

Json to_json(const AuditShare& share, const char* name) {
  return {{"sampled", share.sampled},
          {"garbage", share.garbage},
          {"keep", share.worth_keeping},
          {"unsure", share.unsure},
          {name, share.garbage_share ? Json(*share.garbage_share) : Json(nullptr)},
          {"low", share.low},
          {"high", share.high}};
}

Json to_json(const ReviewedLeaks& leaks) {
  return {{"set", leaks.set},
          {"verdict", leaks.verdict},
          {"finds", leaks.finds},
          {"sampled", leaks.sampled},
          {"leak", leaks.leak},
          {"not_leak", leaks.not_leak},
          {"unsure", leaks.unsure},
          {"precision", leaks.precision ? Json(*leaks.precision) : Json(nullptr)},
          {"low", leaks.low},
          {"high", leaks.high}};
}

Json to_json(const AuditResult& result) {
  Json json = {{"labels", result.labels},
               {"decisions", result.decisions},
               {"foreign", result.foreign},
               {"rules", Json::array()}};
  for (const AuditedRule& rule : result.rules) {
    json["rules"].push_back({{"rule", rule.rule},
                             {"documents", rule.documents},
                             {"dropped", to_json(rule.dropped, "precision")},
                             {"passed", to_json(rule.passed, "garbage_share")}});
  }
  if (result.leak_labels.empty()) return json;
  json["leak_labels"] = result.leak_labels;
  json["leak_decisions"] = result.leak_decisions;
  json["leaks"] = Json::array();
  for (const ReviewedLeaks& leaks : result.leaks) json["leaks"].push_back(to_json(leaks));
  return json;
}

std::string interval_text(const std::optional<double>& share, double low, double high) {
  if (!share) return "-";
  return fmt::format("{:.0f} % ({:.0f}-{:.0f})", 100 * *share, 100 * low, 100 * high);
}

std::string share_text(const AuditShare& share) {
  return interval_text(share.garbage_share, share.low, share.high);
}

std::string leak_text(const AuditResult& result) {
  std::string text = fmt::format("\n{:<40} {:>8} {:>12} {:>8} {:>18}\n", "leaks", "verdict",
                                 "finds", "decided", "precision (95 %)");
  for (const ReviewedLeaks& leaks : result.leaks) {
    text += fmt::format(
        "{:<40} {:>8} {:>12} {:>8} {:>18}\n", leaks.set, leaks.verdict, with_commas(leaks.finds),
        fmt::format("{}/{}", leaks.leak + leaks.not_leak + leaks.unsure, leaks.sampled),
        interval_text(leaks.precision, leaks.low, leaks.high));
  }
  if (result.leaks.empty()) text = "\nno document holds a held-out item\n";
  return text + fmt::format("\n  labels  {}  ({} decisions in this session)\n", result.leak_labels,
                            with_commas(result.leak_decisions));
}

std::string decided_text(const AuditShare& share) {
  return fmt::format("{}/{}", share.garbage + share.worth_keeping + share.unsure, share.sampled);
}

std::string to_text(const AuditResult& result) {
  std::string text = fmt::format("{:<40} {:>12} {:>8} {:>18} {:>8} {:>18}\n", "rule", "break it",
                                 "decided", "precision (95 %)", "decided", "garbage passed");
  for (const AuditedRule& rule : result.rules) {
    text +=
        fmt::format("{:<40} {:>12} {:>8} {:>18} {:>8} {:>18}\n", rule.rule,
                    with_commas(rule.documents), decided_text(rule.dropped),
                    share_text(rule.dropped), decided_text(rule.passed), share_text(rule.passed));
  }
  if (!result.rules.empty()) {
    text +=
        "\n  A document counts under every rule that it breaks; the books count it under its "
        "first.\n";
  }
  if (result.rules.empty()) text = "the run has no rules and dropped nothing\n";
  text += fmt::format("\n  labels  {}  ({} decisions in this session)\n", result.labels,
                      with_commas(result.decisions));
  if (result.foreign > 0)
    text += fmt::format("          {} lines of it are about documents that are not shown here\n",
                        with_commas(result.foreign));
  if (!result.leak_labels.empty()) text += leak_text(result);
  return text;
}

int execute(const Arguments& arguments, const Common& common) {
  AuditOptions options = arguments.options;
  options.serve = !arguments.summary;
  options.stop = common.stop;
  if (options.by.empty()) options.by = user_name();
  options.ready = [&](const std::string& url) {
    // With --json stdout is one document, which comes at the end.
    if (common.json) {
      fmt::print(stderr, "{}\n", url);
    } else {
      print(
          fmt::format("open  {}\n      only on this machine, and only with the whole address; "
                      "Ctrl-C ends it\n",
                      url));
      flush();
    }
  };
  const auto result = audit(arguments.directory, options);
  if (!result) return fail(result.error());
  if (common.json) {
    print_json(to_json(*result));
  } else {
    print((arguments.summary ? "" : "\n") + to_text(*result));
  }
  return kDone;
}

}  // namespace

void add_audit(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "audit",
      "a page to judge what each rule dropped, what just passed, and leaks: labels, precision");
  command->footer(
      "Decisions are on the disk at once; Ctrl-C ends the page, and the same command goes on with "
      "them.\n"
      "From another machine: ssh -L PORT:127.0.0.1:PORT, with the same --port.\n\n"
      "  headrace audit RUN\n"
      "  headrace audit RUN --summary --json    what the labels say so far, without a page");
  auto arguments = std::make_shared<Arguments>();
  AuditOptions& options = arguments->options;
  command->add_option("RUN", arguments->directory, "run directory")->required()->type_name("");
  command->add_option("--port", options.port, "of 127.0.0.1; default: any that is free")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N");
  command->add_option("--seed", options.seed, "of the samples; default: the recipe's")
      ->type_name("S");
  command
      ->add_option("--per-rule", options.per_rule,
                   "documents of each group of each rule, finds of each set and verdict (30)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  command
      ->add_option("--labels", options.labels,
                   "where decisions go and are read from; default: RUN/audit/labels.jsonl")
      ->type_name("FILE");
  command
      ->add_option("--leak-labels", options.leak_labels,
                   "the same for decisions on leaks; default: RUN/audit/leaks.jsonl")
      ->type_name("FILE");
  command->add_option("--by", options.by, "who decides; default: the user's name")
      ->type_name("NAME");
  command->add_flag("--summary", arguments->summary,
                    "no page: print what the labels say so far and end");
  add_common(command, common);
  command->callback([=] {
    if (!arguments->summary)
      common->when_stopped = "the page is closed; the same command goes on with its decisions";
    *action = [=] { return execute(*arguments, *common); };
  });
}

}  // namespace headrace::app
