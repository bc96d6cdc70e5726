// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"

namespace headrace::app {
namespace {

Json to_json(const FileEvidence& file) {
  if (file.error) return {{"path", file.path}, {"error", file.error->message()}};
  return {{"path", file.path},
          {"bytes", file.bytes},
          {"compression", file.compression},
          {"format", file.format.empty() ? Json(nullptr) : Json(file.format)},
          {"encoding", file.encoding.empty() ? Json(nullptr) : Json(file.encoding)},
          {"confidence", file.confidence},
          {"declared", file.declared.empty() ? Json(nullptr) : Json(file.declared)},
          {"candidates", file.candidates},
          {"undetermined", file.undetermined},
          {"why", file.why}};
}

std::string to_text(const std::vector<FileEvidence>& files) {
  std::size_t widest = 4;
  for (const FileEvidence& file : files) widest = std::max(widest, for_terminal(file.path).size());
  std::string text =
      fmt::format("{:<{}} {:>13} {:<11} {:<8} {:<13} {:>10}  {}\n", "file", widest, "bytes",
                  "compression", "format", "encoding", "confidence", "evidence");
  for (const FileEvidence& file : files) {
    if (file.error) continue;
    text += fmt::format("{:<{}} {:>13} {:<11} {:<8} {:<13} {:>10.2f}  {}", for_terminal(file.path),
                        widest, with_commas(file.bytes), file.compression,
                        file.format.empty() ? "?" : file.format,
                        file.encoding.empty() ? "?" : file.encoding, file.confidence, file.why);
    if (!file.declared.empty()) text += fmt::format("; declares {}", file.declared);
    if (file.undetermined) {
      text +=
          fmt::format("; undetermined: a run does not use it unless the recipe declares one{}",
                      file.candidates.empty()
                          ? std::string()
                          : fmt::format(", such as 'encoding: {}' (candidates: {})",
                                        file.candidates.front(), fmt::join(file.candidates, ", ")));
    }
    text += "\n";
  }
  return text;
}

int execute(const std::vector<std::string>& paths, const Common& common) {
  const std::vector<FileEvidence> files = inspect(paths);
  if (common.json) {
    Json json = {{"files", Json::array()}};
    for (const FileEvidence& file : files) json["files"].push_back(to_json(file));
    print_json(json);
  } else if (std::any_of(files.begin(), files.end(),
                         [](const auto& file) { return !file.error; })) {
    print_text(to_text(files));
  }
  int code = kDone;
  for (const FileEvidence& file : files) {
    if (file.error) code = fail(*file.error);
  }
  return code;
}

}  // namespace

void add_inspect(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "inspect", "what files are: format, compression, encoding, and the evidence for it");
  command->footer(
      "An encoding below a confidence of 0.9 is undetermined: a run uses it only when the recipe\n"
      "declares it. In web archives and tars each text is decoded by its own evidence. --json has "
      "the\n"
      "candidates of each file.");
  auto paths = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *paths, "files or URIs, plain or compressed")
      ->required()
      ->type_name("");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*paths, *common); }; });
}

}  // namespace headrace::app
