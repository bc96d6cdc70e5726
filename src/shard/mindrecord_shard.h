// SPDX-License-Identifier: Apache-2.0
// The two directions of a MindRecord shard; mindrecord.cc says what it is and registers them.
#pragma once

#include <memory>
#include <string>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

// What MindSpore refuses in the name of a file.
Result<void> check_mindrecord_name(const std::string& name);

Result<std::unique_ptr<FieldWriter>> create_mindrecord_writer(const std::string& prefix,
                                                              const Schema& schema,
                                                              const FieldOptions& options);
Result<std::unique_ptr<FieldReader>> open_mindrecord_reader(const std::string& path,
                                                            const FieldReadOptions& options);

}  // namespace headrace::shard
