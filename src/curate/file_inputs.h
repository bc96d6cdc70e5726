// SPDX-License-Identifier: Apache-2.0
// Files without a recipe and without a run: what stats and score read.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "curate/context.h"

namespace headrace::curate {

struct FileInputs {
  std::vector<std::string> paths;  // globs and URIs as well; each is a domain of its own
  std::string text = "text";
  std::optional<std::vector<std::string>> keep = std::nullopt;  // other fields; nothing = all
  std::size_t threads = 0;
  std::stop_token stop = {};
};

// A context with files, readers and tasks, and no directory. An input in which no record has the
// text field is an error.
Result<std::unique_ptr<Context>> open_files(const FileInputs& inputs);

}  // namespace headrace::curate
