// SPDX-License-Identifier: Apache-2.0
// The two directions of a WebDataset shard, and what its names mean.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

// The field that holds the name of a sample.
inline constexpr std::string_view kKeyField = "__key__";

Result<std::unique_ptr<FieldWriter>> create_webdataset_writer(const std::string& prefix,
                                                              const Schema& schema,
                                                              const FieldOptions& options);
Result<std::unique_ptr<FieldReader>> open_webdataset_reader(const std::string& path,
                                                            const FieldReadOptions& options);

// "a.b/c.seg.png" is key "a.b/c" and extension "seg.png". Nothing for names that are no samples.
struct MemberName {
  std::string_view key;
  std::string_view extension;
};
std::optional<MemberName> split_member_name(std::string_view name);

// The extension of a field; numbers are .npy arrays.
std::string member_extension(const Field& field);
// What an extension means; the type of "npy" is in the array. Nothing: it names no field.
std::optional<Field> extension_field(std::string_view extension);

}  // namespace headrace::shard
