// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

int exit_code(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kUnsupported:
      return kWrongUsage;
    case Code::kCancelled:
      return kInterrupted;
    case Code::kInternal:
      return kInternal;
    default:
      return kNotUsable;
  }
}

Json to_json(const StageBooks& stage) {
  return {{"stage", stage.stage},
          {"in", stage.in},
          {"out", stage.out},
          {"dropped", stage.dropped},
          {"quarantined", stage.quarantined}};
}

Json to_json(const std::vector<StageBooks>& stages) {
  Json json = Json::array();
  for (const StageBooks& stage : stages) json.push_back(to_json(stage));
  return json;
}

std::string stage_lines(const std::vector<StageBooks>& stages) {
  std::string text = fmt::format("  {:<10} {:>14} {:>14} {:>14} {:>14}\n", "stage", "in", "out",
                                 "dropped", "quarantined");
  for (const StageBooks& stage : stages) {
    std::uint64_t dropped = 0;
    for (const auto& [reason, count] : stage.dropped) dropped += count;
    text +=
        fmt::format("  {:<10} {:>14} {:>14} {:>14} {:>14}\n", stage.stage, with_commas(stage.in),
                    with_commas(stage.out), with_commas(dropped), with_commas(stage.quarantined));
  }
  return text;
}

}  // namespace

void add_common(CLI::App* command, Common* common) {
  command->add_flag("--json", common->json, "one JSON document on stdout");
  command->add_flag("-q,--quiet", common->quiet, "no progress, errors only");
  command->add_flag("-v,--verbose", common->verbose, "say more on stderr");
  command
      ->add_option("--threads", common->threads,
                   "threads; 0 = all CPUs (speed only, never the result)")
      ->check(CLI::Range(0, 4096));
}

int fail(const Status& status) {
  fmt::print(stderr, "headrace: {}\n", status.message());
  return exit_code(status.code());
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    if (errno == EPIPE) std::_Exit(kDone);
    fmt::print(stderr, "headrace: writing to stdout: {}\n", std::strerror(errno));
    std::_Exit(kNotUsable);
  }
}

void print_json(const Json& json) {
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string with_commas(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

Json to_json(const Books& books) {
  Json json = {{"in", books.in},
               {"kept", books.kept},
               {"dropped", books.dropped},
               {"quarantined", books.quarantined},
               {"balanced", books.balanced},
               {"stages", to_json(books.stages)},
               {"domains", Json::object()},
               {"sources", Json::object()},
               {"notes", Json::array()}};
  for (const auto& [domain, stages] : books.domains) json["domains"][domain] = to_json(stages);
  for (const auto& [source, stages] : books.sources) json["sources"][source] = to_json(stages);
  for (const auto& [source, note] : books.notes)
    json["notes"].push_back({{"source", source}, {"note", note}});
  return json;
}

std::string to_text(const Books& books) {
  std::string text = fmt::format("{} in = {} kept", with_commas(books.in), with_commas(books.kept));
  std::uint64_t dropped = 0;
  for (const auto& [reason, count] : books.dropped) dropped += count;
  text += fmt::format(" + {} dropped + {} quarantined{}\n\n", with_commas(dropped),
                      with_commas(books.quarantined), books.balanced ? "" : "   DOES NOT BALANCE");
  text += stage_lines(books.stages);
  if (!books.dropped.empty()) text += "\n  dropped by reason\n";
  for (const auto& [reason, count] : books.dropped)
    text += fmt::format("    {:<40} {:>14}\n", reason, with_commas(count));
  for (const auto& [domain, stages] : books.domains)
    text += fmt::format("\n{}\n{}", domain, stage_lines(stages));
  if (!books.notes.empty()) text += "\nnotes\n";
  for (const auto& [source, note] : books.notes) text += fmt::format("  {}: {}\n", source, note);
  return text;
}

}  // namespace headrace::app
