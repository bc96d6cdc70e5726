// SPDX-License-Identifier: Apache-2.0
#include "headrace/run.h"

#include "curate/books.h"
#include "curate/context.h"
#include "io/file.h"

namespace headrace {

struct Run::Data {
  std::string directory;
};

Result<Run> Run::open(const std::string& directory) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(directory));
  auto data = std::make_shared<Data>();
  data->directory = context->directory.root();
  return Run(std::move(data));
}

const std::string& Run::directory() const { return data_->directory; }

std::string Run::shards() const {
  const curate::RunDirectory directory(data_->directory);
  return io::exists(io::join(directory.shards(), "manifest.json")) ? directory.shards() : "";
}

Result<Books> Run::books() const {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(data_->directory));
  return curate::make_books(*context);
}

std::string Run::report() const { return curate::RunDirectory(data_->directory).report_html(); }

}  // namespace headrace
