// SPDX-License-Identifier: Apache-2.0
#include "headrace/run.h"

#include "base/error.h"
#include "curate/books.h"
#include "curate/context.h"
#include "curate/projection.h"
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

std::string Run::validation_shards() const {
  const curate::RunDirectory directory(data_->directory);
  const std::string folder = directory.validation_shards();
  return io::exists(io::join(folder, "manifest.json")) ? folder : "";
}

Result<Books> Run::books() const {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(data_->directory));
  return curate::make_books(*context);
}

Result<std::optional<Projection>> Run::projection() const {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(data_->directory));
  if (!context->sample) return std::optional<Projection>();
  if (const auto unfinished = curate::unfinished_stage(*context)) {
    return invalid_argument("{} is not finished (stage {}): run it again first", data_->directory,
                            unfinished->stage);
  }
  HEADRACE_ASSIGN_OR_RETURN(const Books books, curate::make_books(*context));
  HEADRACE_ASSIGN_OR_RETURN(Projection projection, curate::project(*context, books));
  return std::optional(std::move(projection));
}

std::string Run::report() const { return curate::RunDirectory(data_->directory).report_html(); }

}  // namespace headrace
