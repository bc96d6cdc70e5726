// SPDX-License-Identifier: Apache-2.0
// Numbered batches made by several threads ahead of their use and handed out in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "headrace/feed.h"
#include "headrace/result.h"

namespace headrace::feed {

// next() is for one thread. The destructor asks the threads to stop and waits for them: as long as
// one read takes.
class ReadAhead {
 public:
  // Thread-safe; gives up soon after `stop` fires.
  using Make = std::function<Result<Batch>(std::uint64_t step, std::stop_token stop)>;

  struct Options {
    std::uint64_t steps = 0;     // 0 … steps - 1 are made
    std::uint64_t capacity = 1;  // made or being made and not yet handed out; >= 1
    std::size_t threads = 1;     // >= 1
  };

  ReadAhead(const Options& options, Make make);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // What make() gave for the next step, errors too. At most `steps` calls.
  Result<Batch> next();

 private:
  using Slot = std::optional<Result<Batch>>;

  void work(std::stop_token stop);

  const Options options_;
  const Make make_;
  std::mutex mutex_;
  std::condition_variable_any room_;
  std::condition_variable filled_;
  // The steps from handed_out_ on that a thread has taken, in order; empty while being made. A
  // deque, because a slot must not move while its thread works on it.
  std::deque<Slot> slots_;
  std::uint64_t handed_out_ = 0;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace headrace::feed
