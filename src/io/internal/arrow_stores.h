// SPDX-License-Identifier: Apache-2.0
// Arrow's file systems: which one a URI means, and how they tell that a request failed.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <arrow/filesystem/filesystem.h>

#include "headrace/result.h"

#include "io/retry.h"
#include "io/uri.h"

namespace headrace::io {

struct ArrowStore {
  std::shared_ptr<arrow::fs::FileSystem> files;
  std::string root;  // where the place of the URI lies in it
  // Requests that failed although they were repeated: nothing where the library does not tell.
  std::shared_ptr<std::atomic<int>> tries;
};

// Repeats nothing: with_retries() does, and knows by failure_of() whether it helps. Kept for the
// process, since every opening would look for credentials again.
Result<ArrowStore> arrow_store_of(const Uri& uri);
// Repeats each request of its own by the policy: for calls that are many requests, listing and
// writing. Made anew at each call.
Result<ArrowStore> persistent_arrow_store_of(const Uri& uri, const RetryPolicy& policy);

// What a call on this thread, made since forget_failure(), ended with.
void forget_failure();
Failure failure_of(const arrow::Status& status);

}  // namespace headrace::io
