// SPDX-License-Identifier: Apache-2.0
// A fixed set of threads that run numbered jobs, and a count of those that are free.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>

#include "headrace/result.h"

namespace headrace {

// How many threads have no work of their own left, for whoever can use them. Thread-safe.
class SpareThreads {
 public:
  bool any() const { return count_.load(std::memory_order_relaxed) > 0; }
  // One fewer; false when there is none. What was taken is given back when its work is done.
  bool try_take() {
    std::size_t count = count_.load();
    while (count > 0) {
      if (count_.compare_exchange_weak(count, count - 1)) return true;
    }
    return false;
  }
  void give(std::size_t count) { count_.fetch_add(count); }
  void reset(std::size_t count) { count_.store(count); }

 private:
  std::atomic<std::size_t> count_{0};
};

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
