// SPDX-License-Identifier: Apache-2.0
// Object stores and HDFS, by Arrow's file systems.
#pragma once

#include <memory>
#include <string>

#include <arrow/filesystem/type_fwd.h>

#include "headrace/result.h"

#include "io/internal/file_system.h"
#include "io/retry.h"

namespace headrace::io {

// The store of a URI of s3, gs, abfs or hdfs.
Result<std::shared_ptr<FileSystem>> object_store_of(const Uri& uri);

// A store over a file system of Arrow in which everything lies below `root`.
std::shared_ptr<FileSystem> make_object_store(std::shared_ptr<arrow::fs::FileSystem> files,
                                              std::string root, RetryPolicy policy);

}  // namespace headrace::io
