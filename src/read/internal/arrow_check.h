// SPDX-License-Identifier: Apache-2.0
// Whether a record batch from a file may be looked at. Offsets come from the file: unchecked, they
// lead anywhere.
#pragma once

#include <memory>

#include <arrow/api.h>

namespace headrace::read {

// The batch with strings as bytes, if it is sound. A string that is no UTF-8 and a time outside of
// its range cost their row later on, not the batch here.
arrow::Result<std::shared_ptr<arrow::RecordBatch>> check_batch(const arrow::RecordBatch& batch);

}  // namespace headrace::read
