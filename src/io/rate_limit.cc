// SPDX-License-Identifier: Apache-2.0
#include "io/rate_limit.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "base/clock.h"

namespace headrace::io {
namespace {

// A stop is noticed within this time.
constexpr double kLongestSleep = 0.1;

RateLimit::Time completed(RateLimit::Time time) {
  if (!time.now) time.now = monotonic_seconds;
  if (!time.sleep) {
    time.sleep = [](double seconds) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    };
  }
  return time;
}

double rate_of_environment() {
  const char* text = std::getenv("HEADRACE_IO_RATE");
  if (text == nullptr) return 0;
  double rate = 0;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), rate);
  return error == std::errc() && end == all.data() + all.size() && rate > 0 ? rate : 0;
}

}  // namespace

RateLimit& remote_read_limit() {
  static RateLimit limit(rate_of_environment());
  return limit;
}

RateLimit::RateLimit(double bytes_per_second, Time time)
    : rate_(bytes_per_second),
      time_(completed(std::move(time))),
      tokens_(bytes_per_second),
      filled_at_(time_.now()) {}

double RateLimit::book(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const double now = time_.now();
  tokens_ = std::min(rate_, tokens_ + (now - filled_at_) * rate_);
  filled_at_ = now;
  const double wait = std::max(0.0, -tokens_ / rate_);
  tokens_ -= static_cast<double>(bytes);
  return wait;
}

bool RateLimit::take(std::uint64_t bytes, const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  if (rate_ <= 0) return true;
  for (double wait = book(bytes); wait > 0; wait -= kLongestSleep) {
    if (stop.stop_requested()) return false;
    time_.sleep(std::min(wait, kLongestSleep));
  }
  return true;
}

}  // namespace headrace::io
