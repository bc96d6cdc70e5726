// SPDX-License-Identifier: Apache-2.0
// What Arrow and Parquet throw or return → Status. Included by the Parquet sources only: it is the
// one header of the room that knows Arrow.
#pragma once

#include <exception>
#include <new>
#include <string_view>

#include <arrow/status.h>
#include <arrow/util/io_util.h>
#include <parquet/exception.h>

#include "headrace/result.h"

#include "base/error.h"

namespace headrace::record_internal {

// `doing` reads like "reading column 'text' of /data/x.parquet". What the system refused keeps its
// errno's code; anything else is `otherwise`.
inline Status from_arrow(const arrow::Status& status, std::string_view doing, Code otherwise) {
  const int error_number = arrow::internal::ErrnoFromStatus(status);
  if (error_number != 0) return errno_status(error_number, doing);
  if (status.IsOutOfMemory()) return resource_exhausted("{}: out of memory", doing);
  return Status(otherwise, fmt::format("{}: {}", doing, status.message()));
}

// Runs `body`, which returns void and may throw, and turns what it throws into a Status.
// Damaged lengths surface as std::bad_alloc or std::length_error: they are `otherwise` too.
template <class Body>
Result<void> guarded(std::string_view doing, Code otherwise, Body&& body) {
  try {
    body();
    return {};
  } catch (const parquet::ParquetStatusException& e) {
    return from_arrow(e.status(), doing, otherwise);
  } catch (const std::exception& e) {
    return Status(otherwise, fmt::format("{}: {}", doing, e.what()));
  }
}

}  // namespace headrace::record_internal
