// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"

namespace headrace::app {
namespace {

int execute(const std::string& path, const Common& common) {
  const VerifyOptions options{.threads = common.threads,
                              .show_progress = !common.quiet && !common.json,
                              .stop = common.stop};
  // A run.json that cannot be opened is damage to report, not the sign of a shard set; neither is
  // one that is gone from beside its tasks.
  const auto run = verify_run(path, options);
  std::error_code ignored;
  const bool is_run = run || run.error().code() != Code::kNotFound ||
                      std::filesystem::is_directory(std::filesystem::path(path) / "tasks", ignored);
  const auto report = is_run ? run : verify_shards(path, options);
  if (!report) return fail(report.error());
  if (common.json) {
    Json json = {
        {"ok", report->ok},           {"shards", report->shards},
        {"samples", report->samples}, {"files", is_run ? Json(report->files) : Json(nullptr)},
        {"bytes", report->bytes},     {"broken", Json::array()}};
    if (is_run) {
      json["finished"] = !report->unfinished;
      json["unfinished"] = to_json(report->unfinished);
      json["stale"] = report->stale;
    }
    for (const Damage& damage : report->broken) {
      json["broken"].push_back({{"shard", damage.shard},
                                {"sample", damage.sample < 0 ? Json(nullptr) : Json(damage.sample)},
                                {"what", damage.what}});
    }
    print_json(json);
  } else {
    if (is_run) print_text(fmt::format("{} committed files, ", with_commas(report->files)));
    const std::string answer = !report->broken.empty()
                                   ? fmt::format("{} faults", report->broken.size())
                               : report->unfinished ? "whole so far"
                                                    : "whole";
    print_text(fmt::format("{} shards, {} samples, {} bytes: {}\n", report->shards,
                           with_commas(report->samples), with_commas(report->bytes), answer));
    if (report->unfinished) print_text("  " + to_text(*report->unfinished) + "\n");
    if (!report->stale.empty()) {
      print_text(
          fmt::format("  stale: the files of {} are of an earlier recipe or earlier verdicts\n",
                      fmt::join(report->stale, ", ")));
    }
    for (const Damage& damage : report->broken) {
      print_text(fmt::format("  {}{}: {}\n", damage.shard,
                             damage.sample < 0 ? "" : fmt::format(" sample {}", damage.sample),
                             damage.what));
    }
  }
  return report->ok ? kDone : kBadAnswer;
}

}  // namespace

void add_verify(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "verify", "prove a run or a shard set whole: every size, checksum and count");
  command->footer(
      "Reads every file: run.json, what each commit names, the shards. Exit code 1 if anything is\n"
      "broken, each fault named, or if the run is not finished.");
  auto path = std::make_shared<std::string>();
  command
      ->add_option("PATH", *path, "a run directory, a manifest.json, or the folder that holds one")
      ->required()
      ->type_name("");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*path, *common); }; });
}

}  // namespace headrace::app
