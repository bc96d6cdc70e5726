// SPDX-License-Identifier: Apache-2.0
// run.json and what a run must know before its first pass.
#include "curate/context.h"

#include <algorithm>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "headrace/version.h"

#include "base/error.h"
#include "io/file.h"
#include "io/uri.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRunJsonVersion = 1;  // part of the format; see docs/formats/run_directory.md

Json inputs_json(const Context& context) {
  Json inputs = Json::array();
  for (const InputFile& file : context.files) {
    inputs.push_back({{"path", file.path},
                      {"bytes", file.bytes},
                      {"modified_ns", file.modified_ns},
                      {"source", file.source},
                      {"domain", context.domains[file.domain]},
                      {"format", file.format}});
    if (!file.version.empty()) inputs.back()["version"] = file.version;
  }
  return inputs;
}

Result<void> fill_context(const Json& json, const std::string& path, Context& context) {
  if (json.at("format") != "headrace-run")
    return corrupt("{} is not the run.json of a run directory", path);
  if (json.at("version").get<int>() > kRunJsonVersion) {
    return unsupported("{} has version {}, newer than this headrace reads ({})", path,
                       json.at("version").get<int>(), kRunJsonVersion);
  }
  if (!json.at("sample").is_null()) context.sample = json["sample"].get<double>();
  for (const Json& input : json.at("inputs")) {
    const std::string domain = input.at("domain");
    const auto place = std::find(context.domains.begin(), context.domains.end(), domain);
    if (place == context.domains.end())
      return corrupt("{}: input {} has a domain that the recipe lacks", path,
                     input.at("path").dump());
    context.files.push_back({input.at("path"), input.at("bytes"), input.at("modified_ns"),
                             input.at("source"),
                             static_cast<std::uint32_t>(place - context.domains.begin()),
                             input.at("format"), input.value("version", "")});
    const InputFile& file = context.files.back();
    if (file.source >= context.recipe.sources.size() ||
        read::registry().find(file.format) == nullptr) {
      return corrupt("{}: input {} has source {} and format '{}', which the recipe lacks", path,
                     input.at("path").dump(), file.source, file.format);
    }
  }
  context.finished = json.at("stages").get<std::map<std::string, std::size_t>>();
  return {};
}

}  // namespace

StageLabel label_of(std::string_view stage) {
  if (stage == kDocuments) return {"read", kBytes};
  if (stage == kVerdict) return {"judge", "documents"};
  if (stage == kTokenize) return {"tokenize", "documents"};
  if (stage == kMix) return {"mix", "documents"};
  if (stage == kShards) return {"shard", "sequences"};
  return {stage, ""};
}

Result<void> write_run_json(const Context& context) {
  Json json = {{"format", "headrace-run"},
               {"version", kRunJsonVersion},
               {"headrace", version()},
               {"name", context.recipe.name},
               {"seed", context.recipe.seed},
               {"sample", context.sample ? Json(*context.sample) : Json(nullptr)},
               {"recipe_path", context.recipe.path},
               {"recipe", io::redact(context.recipe.yaml)},
               {"inputs", inputs_json(context)},
               {"stages", context.finished}};
  return io::write_file_atomic(context.directory.run_json(),
                               json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::unique_ptr<Context>> open_context(const std::string& directory) {
  const std::string path = io::join(directory, "run.json");
  const auto text = io::read_file(path);
  if (!text) {
    if (text.error().code() == Code::kNotFound)
      return not_found("{} is not a run directory: it has no run.json", directory);
    return text.error();
  }
  try {
    const Json json = Json::parse(*text);
    HEADRACE_ASSIGN_OR_RETURN(const Recipe recipe,
                              Recipe::parse(json.at("recipe").get<std::string>(),
                                            json.at("recipe_path").get<std::string>()));
    auto context = std::make_unique<Context>(recipe.data(), directory);
    context->domains = context->recipe.domains();
    HEADRACE_RETURN_IF_ERROR(fill_context(json, path, *context));
    return context;
  } catch (const nlohmann::json::exception& error) {
    return corrupt("{} is damaged ({}): run the recipe again with this output to rebuild it", path,
                   error.what());
  }
}

Result<std::vector<Commit>> finished_commits(const Context& context, std::string_view stage) {
  std::vector<Commit> commits = context.ledger.all(stage);
  const std::size_t tasks = context.finished.at(std::string(stage));
  if (commits.size() == tasks) return commits;
  return corrupt("{}: {} of {} commits of the stage '{}' are there: run the recipe again",
                 context.directory.root(), commits.size(), tasks, stage);
}

Result<void> prepare_inputs(Context& context) {
  context.domains = context.recipe.domains();
  HEADRACE_ASSIGN_OR_RETURN(context.files, expand_inputs(context.recipe));
  HEADRACE_ASSIGN_OR_RETURN(auto readers, InputReaders::make(context.recipe, context.files));
  context.readers.emplace(std::move(readers));
  context.splits = KnownSplits::read(context.directory);
  HEADRACE_ASSIGN_OR_RETURN(
      context.tasks, plan_tasks(context.recipe, context.files, *context.readers, &context.splits,
                                {.threads = context.threads, .stop = context.stop}));
  return {};
}

Result<void> prepare_tokenizer(Context& context) {
  if (!context.recipe.tokenize) return {};
  const TokenizeSpec& spec = *context.recipe.tokenize;
  HEADRACE_ASSIGN_OR_RETURN(context.tokenizer, Tokenizer::open(spec.tokenizer));
  const std::optional<std::uint32_t> end = context.tokenizer->token_id(spec.end);
  if (!end) {
    return invalid_argument("tokenize.end: {} has no token '{}'; its special tokens: {}",
                            spec.tokenizer, spec.end,
                            fmt::join(context.tokenizer->special_tokens(), ", "));
  }
  context.end_token = *end;
  return {};
}

}  // namespace headrace::curate
