// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <sched.h>
#include <thread>
#include <vector>

#include "base/error.h"

namespace headrace {

std::size_t thread_count(std::size_t requested) {
  if (requested > 0) return requested;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

Result<void> parallel_for(std::size_t count, std::size_t threads, std::stop_token stop,
                          const std::function<Result<void>(std::size_t job)>& job) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::optional<Status> first_error;
  std::size_t first_error_job = count;

  const auto work = [&] {
    while (!failed.load(std::memory_order_relaxed) && !stop.stop_requested()) {
      const std::size_t number = next.fetch_add(1);
      if (number >= count) return;
      if (Result<void> result = job(number); !result) {
        const std::lock_guard lock(mutex);
        if (number < first_error_job) {
          first_error_job = number;
          first_error = std::move(result).error();
        }
        failed.store(true);
      }
    }
  };

  std::vector<std::jthread> helpers;
  const std::size_t wanted = std::min(threads, count);
  for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins

  if (first_error) return *first_error;
  if (next.load() < count) return cancelled("stopped after {} of {} jobs", next.load(), count);
  return {};
}

}  // namespace headrace
