// SPDX-License-Identifier: Apache-2.0
#include "curate/file_inputs.h"

#include <fmt/format.h>

#include "io/uri.h"

namespace headrace::curate {

Result<std::unique_ptr<Context>> open_files(const FileInputs& inputs) {
  Recipe::Data recipe;
  recipe.normalize = default_steps();
  for (const std::string& path : inputs.paths) {
    recipe.sources.push_back({.domain = io::public_name(path),
                              .paths = {path},
                              .text = inputs.text,
                              .keep = inputs.keep.value_or(std::vector<std::string>()),
                              .keep_all = !inputs.keep,
                              .place = fmt::format("argument {}", recipe.sources.size() + 1)});
  }
  auto context = std::make_unique<Context>(std::move(recipe), "");
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
