// SPDX-License-Identifier: Apache-2.0
// The two directions of an MDS shard, and the index.json of a set of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

Result<std::unique_ptr<FieldWriter>> create_mds_writer(const std::string& prefix,
                                                       const Schema& schema,
                                                       const FieldOptions& options);
Result<std::unique_ptr<FieldReader>> open_mds_reader(const std::string& path,
                                                     const FieldReadOptions& options);

// index.json of the shards `paths`, relative to `folder`, in their order: what StreamingDataset
// reads. Looks into each file.
Result<std::string> format_mds_index(const std::string& folder,
                                     const std::vector<std::string>& paths);

// How MDS calls the type of a field: "int", "str", "ndarray:int32".
std::string mds_encoding(const Field& field);
// The column of this name and encoding, where its values are of one of our types.
std::optional<Field> mds_field(std::string_view name, std::string_view encoding);

// The JSON that stands in every shard.
std::string format_mds_config(const Schema& schema, std::string_view compression);
struct MdsConfig {
  Schema schema;
  std::string compression;  // "" | "zstd:3"
};
// `path` names the file in errors.
Result<MdsConfig> parse_mds_config(std::string_view json, const std::string& path);

}  // namespace headrace::shard
