// SPDX-License-Identifier: Apache-2.0
// run.json and what a run must know before its first pass.
#include "curate/context.h"

#include <algorithm>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "headrace/version.h"

#include "base/error.h"
#include "base/json_fault.h"
#include "curate/sealed_json.h"
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

// The version is looked at first: a newer one may be sealed in another way.
Result<Json> parse_run_json(const std::string& path, const std::string& text) {
  const Json json = Json::parse(text);
  if (json.at("format") != "headrace-run")
    return corrupt("{} is not the run.json of a run directory", path);
  if (json.at("version").get<int>() > kRunJsonVersion) {
    return unsupported("{} has version {}, newer than this headrace reads ({})", path,
                       json.at("version").get<int>(), kRunJsonVersion);
  }
  if (!unseal(text)) {
    return corrupt(
        "{} is not what was written (its checksum differs): run the recipe again with this output "
        "to rebuild it",
        path);
  }
  return json;
}

Result<void> fill_context(const Json& json, const std::string& path, Context& context) {
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
  // As the models' cards said when the run started.
  for (ScoreSpec& spec : context.recipe.scores) {
    std::optional<double>* const bound = spec.bound_of_card();
    if (bound != nullptr && json.contains("best_f1") && json["best_f1"].contains(spec.name))
      *bound = json["best_f1"][spec.name].get<double>();
  }
  context.finished = json.at("stages").get<std::map<std::string, std::size_t>>();
  if (json.contains("running")) {
    const Json& running = json["running"];
    context.running = {running.at("stage"), running.at("tasks").get<std::vector<std::string>>()};
  }
  return {};
}

}  // namespace

std::string score_stage(const std::string& name) { return kScorePrefix + name; }

std::vector<std::string> all_stages(const Recipe::Data& recipe) {
  std::vector<std::string> stages = {kDocuments, kNear};
  for (const ScoreSpec& spec : recipe.scores) stages.push_back(score_stage(spec.name));
  for (const char* stage : {kLeakIndex, kLeaks, kSplitIndex, kSplit, kVerdict, kSpans, kTokenize,
                            kMix, kShards, kValidation, kReport})
    stages.emplace_back(stage);
  return stages;
}

StageLabel label_of(std::string_view stage) {
  if (stage == kDocuments) return {"read", kBytes};
  if (stage == kLeakIndex) return {stage, "items"};
  if (stage == kLeaks || stage == kSplit) return {stage, "documents"};
  if (stage == kNear) return {"near", "documents"};
  if (stage == kVerdict) return {"judge", "documents"};
  if (stage == kSpans) return {"spans", "documents"};
  if (stage == kTokenize) return {"tokenize", "documents"};
  if (stage == kMix) return {"mix", "documents"};
  if (stage == kShards) return {"shard", "sequences"};
  if (stage == kValidation) return {stage, "sequences"};
  if (stage.starts_with(kScorePrefix)) return {stage, "documents"};
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
               {"word_lists", context.recipe.words.hash},
               {"inputs", inputs_json(context)},
               {"stages", context.finished}};
  for (ScoreSpec spec : context.recipe.scores) {
    const std::optional<double>* const bound = spec.bound_of_card();
    if (bound != nullptr && *bound) json["best_f1"][spec.name] = **bound;
  }
  if (context.running) {
    json["running"] = {{"stage", context.running->stage}, {"tasks", context.running->tasks}};
  }
  return io::write_file_atomic(context.directory.run_json(), seal(std::move(json)));
}

Result<std::unique_ptr<Context>> open_context(const std::string& directory) {
  if (io::is_remote(directory)) {
    return unsupported("{}: a run directory is local in this version", io::public_name(directory));
  }
  const std::string path = io::join(io::local_path(directory), "run.json");
  const auto text = io::read_file(path);
  if (!text) {
    if (text.error().code() == Code::kNotFound)
      return not_found("{} is not a run directory: it has no run.json", directory);
    return text.error();
  }
  try {
    HEADRACE_ASSIGN_OR_RETURN(const Json json, parse_run_json(path, *text));
    HEADRACE_ASSIGN_OR_RETURN(const Recipe recipe,
                              Recipe::parse(json.at("recipe").get<std::string>(),
                                            json.at("recipe_path").get<std::string>()));
    auto context = std::make_unique<Context>(recipe.data(), directory);
    context->domains = context->recipe.domains();
    // The lists that the run was measured with: their files may have changed since.
    context->recipe.words.hash = json.value("word_lists", "");
    HEADRACE_RETURN_IF_ERROR(fill_context(json, path, *context));
    return context;
  } catch (const nlohmann::json::exception& error) {
    return corrupt("{} is damaged ({}): run the recipe again with this output to rebuild it", path,
                   json_fault(error, *text));
  }
}

Result<std::vector<Commit>> finished_commits(const Context& context, std::string_view stage) {
  std::vector<Commit> commits = context.ledger.all(stage);
  const std::size_t tasks = context.finished.at(std::string(stage));
  if (commits.size() == tasks) return commits;
  return corrupt("{}: {} of {} commits of the stage '{}' are there: run the recipe again",
                 context.directory.root(), commits.size(), tasks, stage);
}

Result<std::vector<Commit>> whole_commits(const Context& context, std::string_view stage,
                                          std::span<const char* const> folders) {
  HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> commits, finished_commits(context, stage));
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      commits.size(), context.threads, context.stop, [&](std::size_t task) -> Result<void> {
        const auto broken = context.ledger.broken_output(stage, task, commits[task], folders);
        if (!broken) return {};
        return corrupt("{} is gone or was changed after it was committed: run the recipe again",
                       context.directory.at(*broken));
      }));
  return commits;
}

bool removes_leaks(const Recipe::Data& recipe) {
  return recipe.leak && recipe.leak->verdict == LeakVerdict::kRemoveSpan;
}

bool removes_spans(const Recipe::Data& recipe) {
  return recipe.dedup.spans.any() || removes_leaks(recipe);
}

bool wants_stage(const Recipe::Data& recipe, std::string_view stage) {
  if (stage == kSpans) return removes_spans(recipe);
  if (stage == kLeakIndex || stage == kLeaks) return recipe.leak.has_value();
  if (stage == kSplitIndex) return recipe.validation && recipe.validation->check_leaks;
  if (stage == kSplit) return recipe.validation.has_value();
  if (stage == kValidation && !recipe.validation) return false;
  if (stage == kValidation) return recipe.tokenize.has_value();
  if (stage == kNear) return recipe.dedup.near.has_value();
  return recipe.tokenize || (stage != kTokenize && stage != kMix && stage != kShards);
}

std::optional<Unfinished> unfinished_stage(const Context& context) {
  for (const std::string& stage : all_stages(context.recipe)) {
    if (!wants_stage(context.recipe, stage) || context.finished.contains(stage)) continue;
    Unfinished unfinished{.stage = std::string(label_of(stage).name)};
    if (!context.running || context.running->stage != stage) return unfinished;
    const std::vector<std::string>& tasks = context.running->tasks;
    unfinished.tasks = tasks.size();
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      const std::optional<Commit> commit = context.ledger.read(stage, task);
      unfinished.tasks_done += commit && commit->fingerprint == tasks[task];
    }
    return unfinished;
  }
  return std::nullopt;
}

Result<void> prepare_inputs(Context& context) {
  context.domains = context.recipe.domains();
  HEADRACE_ASSIGN_OR_RETURN(context.recipe.words, load_words(context.recipe.word_lists));
  HEADRACE_ASSIGN_OR_RETURN(context.files, expand_inputs(context.recipe));
  HEADRACE_ASSIGN_OR_RETURN(auto readers, InputReaders::make(context.recipe, context.files));
  context.readers.emplace(std::move(readers));
  context.splits = KnownSplits::read(context.directory);
  HEADRACE_ASSIGN_OR_RETURN(
      context.tasks, plan_tasks(context.recipe, context.files, *context.readers, &context.splits,
                                {.threads = context.threads, .stop = context.stop}));
  return {};
}

namespace {

Result<std::uint32_t> named_token(const Context& context, const char* key,
                                  const std::string& name) {
  const std::optional<std::uint32_t> id = context.tokenizer->token_id(name);
  if (id) return *id;
  return invalid_argument(
      "{}: {} has no token '{}': it is not in the vocabulary; its special "
      "tokens: {}",
      key, context.recipe.tokenize->tokenizer, name,
      fmt::join(context.tokenizer->special_tokens(), ", "));
}

}  // namespace

Result<void> prepare_tokenizer(Context& context) {
  if (!context.recipe.tokenize) return {};
  const TokenizeSpec& spec = *context.recipe.tokenize;
  HEADRACE_ASSIGN_OR_RETURN(context.tokenizer, Tokenizer::open(spec.tokenizer, spec.options));
  if (spec.begin.empty()) {
    context.begin_tokens = context.tokenizer->before();
  } else if (spec.begin != kNoToken) {
    HEADRACE_ASSIGN_OR_RETURN(const std::uint32_t begin,
                              named_token(context, "tokenize.begin", spec.begin));
    context.begin_tokens = {begin};
  }
  if (spec.end != kNoToken) {
    HEADRACE_ASSIGN_OR_RETURN(context.end_token, named_token(context, "tokenize.end", spec.end));
  }
  return {};
}

}  // namespace headrace::curate
