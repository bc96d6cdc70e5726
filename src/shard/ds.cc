// SPDX-License-Identifier: Apache-2.0
// datatrove's token files (also nanotron's), read only: NAME.ds with tokens of 16 or 32 bits and no
// header, NAME.ds.index with the ends of the documents (u64, in tokens). Samples are documents.
//
// The width stands in NAME.ds.metadata, which may be missing; the index implies it.
#include <cstring>
#include <utility>

#include "base/error.h"
#include "shard/container.h"
#include "shard/token_file.h"

namespace headrace::shard {
namespace {

Result<std::unique_ptr<FieldReader>> open_ds(const std::string& path,
                                             const FieldReadOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, options.require_sidecar));
  HEADRACE_ASSIGN_OR_RETURN(const std::string index, io::read_file(path + ".index"));
  if (index.size() % sizeof(std::uint64_t) != 0) {
    return corrupt("{}.index: {} bytes are no whole number of document ends of 8", path,
                   index.size());
  }
  TokenFile file{.shard = std::move(shard), .begin = 0, .width = 2, .ends = {}};
  file.ends.resize(index.size() / sizeof(std::uint64_t));
  std::memcpy(file.ends.data(), index.data(), index.size());
  const std::uint64_t tokens = file.ends.empty() ? 0 : file.ends.back();
  HEADRACE_ASSIGN_OR_RETURN(file.width, width_of_tokens(tokens, file.shard.main.bytes(), path));
  return make_token_file_reader(std::move(file));
}

}  // namespace

void register_ds(Registry& registry) {
  registry.add({.name = "ds",
                .summary = "datatrove's token files, read only",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = nullptr,
                .open_fields = &open_ds});
}

}  // namespace headrace::shard
