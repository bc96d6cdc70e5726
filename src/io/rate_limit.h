// SPDX-License-Identifier: Apache-2.0
// A limit on bytes per second: a token bucket.
//
// Tokens flow in at the rate, up to one second's worth. A taker takes all it wants at once and the
// bucket goes into debt; whoever comes next waits until it is paid. So a transfer larger than the
// bucket needs no cutting, and takers are served in the order in which they came.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

namespace headrace::io {

// Thread-safe.
class RateLimit {
 public:
  // Seams for tests; nothing: the real ones.
  struct Time {
    std::function<double()> now;  // seconds
    std::function<void(double seconds)> sleep;
  };

  // 0 bytes per second: no limit.
  explicit RateLimit(double bytes_per_second, Time time = {});

  // Waits until `bytes` may pass. False when a stop was asked for meanwhile.
  bool take(std::uint64_t bytes, const std::stop_token& stop = {});

 private:
  // Books `bytes` and returns how long to wait for them.
  double book(std::uint64_t bytes);

  const double rate_;
  const Time time_;
  std::mutex mutex_;
  double tokens_;  // below zero: owed
  double filled_at_;
};

// What this process may read from remote files: HEADRACE_IO_RATE, bytes per second of all threads;
// without it there is no limit.
RateLimit& remote_read_limit();

}  // namespace headrace::io
