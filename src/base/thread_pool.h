// SPDX-License-Identifier: Apache-2.0
// A fixed set of threads that run numbered jobs.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include "headrace/result.h"

namespace headrace {

// Threads to use for `requested` (0 = one per CPU this process may run on).
std::size_t thread_count(std::size_t requested);

// Runs job(0) … job(count - 1) on `threads` threads, handing out numbers in order as threads fall
// free, and returns when all have ended. The first error by job number (not by time) is returned,
// so that the outcome does not depend on scheduling among jobs that ran; after an error, or when
// `stop` is asked for, no further job is started. With threads == 1 everything runs on the calling
// thread.
Result<void> parallel_for(std::size_t count, std::size_t threads, std::stop_token stop,
                          const std::function<Result<void>(std::size_t job)>& job);

}  // namespace headrace
