// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

int execute(const std::string& path, const Common& common) {
  const bool is_run = Run::open(path).has_value();
  const auto report =
      (is_run ? verify_run : verify_shards)(path, {.threads = common.threads,
                                                   .show_progress = !common.quiet && !common.json,
                                                   .stop = common.stop});
  if (!report) return fail(report.error());
  if (common.json) {
    Json json = {
        {"ok", report->ok},           {"shards", report->shards},
        {"samples", report->samples}, {"files", is_run ? Json(report->files) : Json(nullptr)},
        {"bytes", report->bytes},     {"broken", Json::array()}};
    for (const Damage& damage : report->broken) {
      json["broken"].push_back({{"shard", damage.shard},
                                {"sample", damage.sample < 0 ? Json(nullptr) : Json(damage.sample)},
                                {"what", damage.what}});
    }
    print_json(json);
  } else {
    if (is_run) print(fmt::format("{} committed files, ", with_commas(report->files)));
    print(fmt::format("{} shards, {} samples, {} bytes: {}\n", report->shards,
                      with_commas(report->samples), with_commas(report->bytes),
                      report->ok ? "whole" : fmt::format("{} faults", report->broken.size())));
    for (const Damage& damage : report->broken) {
      print(fmt::format("  {}{}: {}\n", damage.shard,
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
  command->footer("Exit code 1 if anything is broken; each fault is named.");
  auto path = std::make_shared<std::string>();
  command
      ->add_option("PATH", *path, "a run directory, a manifest.json, or the folder that holds one")
      ->required()
      ->type_name("");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*path, *common); }; });
}

}  // namespace headrace::app
