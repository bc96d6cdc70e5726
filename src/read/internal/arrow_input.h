// SPDX-License-Identifier: Apache-2.0
// A file of the room io as Arrow wants to read it.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/type_fwd.h>

#include "headrace/result.h"

namespace headrace::read {

Result<std::shared_ptr<arrow::io::RandomAccessFile>> open_arrow_input(const std::string& path);

// The first read of a remote file that failed: what Arrow then takes for damage is none.
Result<void> check_input(const arrow::io::RandomAccessFile& input);

}  // namespace headrace::read
