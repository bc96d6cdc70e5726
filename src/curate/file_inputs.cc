// SPDX-License-Identifier: Apache-2.0
#include "curate/file_inputs.h"

#include <nlohmann/json.hpp>

#include "io/uri.h"

namespace headrace::curate {

Result<std::unique_ptr<Context>> open_files(const FileInputs& inputs) {
  nlohmann::json sources = nlohmann::json::array();
  for (const std::string& path : inputs.paths) {
    nlohmann::json source = {
        {"domain", io::public_name(path)}, {"paths", {path}}, {"text", inputs.text}};
    if (inputs.keep) source["keep"] = *inputs.keep;
    sources.push_back(std::move(source));
  }
  HEADRACE_ASSIGN_OR_RETURN(
      const Recipe recipe,
      Recipe::parse(nlohmann::json{{"sources", sources}}.dump(
                        -1, ' ', false, nlohmann::json::error_handler_t::replace),
                    "input"));
  auto context = std::make_unique<Context>(recipe.data(), "");
  context->threads = thread_count(inputs.threads);
  context->stop = inputs.stop;
  context->domains = context->recipe.domains();
  HEADRACE_ASSIGN_OR_RETURN(context->files, expand_inputs(context->recipe));
  HEADRACE_ASSIGN_OR_RETURN(auto readers, InputReaders::make(context->recipe, context->files));
  context->readers.emplace(std::move(readers));
  HEADRACE_ASSIGN_OR_RETURN(
      context->tasks,
      plan_tasks(context->recipe, context->files, *context->readers, &context->splits,
                 {.threads = context->threads, .stop = context->stop}));
  HEADRACE_RETURN_IF_ERROR(
      probe_text_fields(context->recipe, context->files, context->tasks, *context->readers));
  return context;
}

}  // namespace headrace::curate
