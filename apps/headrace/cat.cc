// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::string directory;
  bool kept = false;
  std::string dropped;
  bool quarantined = false;
  std::optional<std::uint64_t> limit;
};

Json to_json(const RecordView& record) {
  Json json = {{"id", record.id},
               {"domain", record.domain},
               {"source", record.source},
               {"offset", record.offset}};
  if (record.line > 0) json["line"] = record.line;
  json["reason"] = record.reason.empty() ? Json(nullptr) : Json(record.reason);
  double number = 0;
  const auto [end, error] =
      std::from_chars(record.value.data(), record.value.data() + record.value.size(), number);
  json["value"] = record.value.empty() || error != std::errc() ? Json(nullptr) : Json(number);
  for (const ScoreView& score : record.scores) json["scores"][score.name] = score_json(score);
  if (!record.split.empty()) json["split"] = record.split;
  if (!record.detail.empty()) json["detail"] = record.detail;
  if (!record.meta.empty()) {
    Json meta = Json::parse(record.meta, nullptr, false);
    json["meta"] = meta.is_discarded() ? Json(record.meta) : std::move(meta);
  }
  json["text"] = record.text;
  return json;
}

int execute(const Arguments& arguments, bool has_dropped) {
  if (arguments.kept + arguments.quarantined + has_dropped > 1) {
    return fail(
        Status(Code::kInvalidArgument, "choose one of --kept, --dropped and --quarantined"));
  }
  CatOptions options;
  options.limit = arguments.limit;
  if (has_dropped) options.what = CatOptions::What::kDropped;
  if (arguments.quarantined) options.what = CatOptions::What::kQuarantined;
  options.reason = arguments.dropped;
  const auto result = cat(arguments.directory, options, [](const RecordView& record) {
    print(to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    return true;
  });
  return result ? kDone : fail(result.error());
}

}  // namespace

void add_cat(CLI::App& app, Common* common, Action* action) {
  CLI::App* command =
      app.add_subcommand("cat", "records as JSON lines: id, domain, source, reason, value, text");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->directory, "run directory")->required()->type_name("");
  command->add_flag("--kept", arguments->kept, "documents that were kept (the default)");
  CLI::Option* dropped =
      command
          ->add_option("--dropped", arguments->dropped,
                       "dropped documents, all or of one reason: --dropped=REASON")
          ->expected(0, 1)
          ->type_name("[REASON]");
  command->add_flag("--quarantined", arguments->quarantined,
                    "records that could not be decoded or parsed");
  command->add_option("--limit", arguments->limit, "stop after so many")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command->footer(
      "  headrace cat RUN --dropped=exact_duplicate --limit 5\n"
      "  headrace cat RUN --quarantined\n"
      "  headrace cat RUN | jq -r .text");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, dropped->count() > 0); }; });
}

}  // namespace headrace::app
