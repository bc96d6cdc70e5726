// SPDX-License-Identifier: Apache-2.0
#include "io/retry.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

#include "base/counter_rng.h"
#include "base/error.h"

namespace headrace::io {
namespace {

constexpr int kMostTries = 100;

// In [0, 1), another one at each call and in each process. Only waiting depends on it.
double draw() {
  static std::atomic<std::uint64_t> next{0};
  return CounterRng(static_cast<std::uint64_t>(::getpid()), purpose("retry")).unit(next++);
}

RetryPolicy policy_of_environment() {
  RetryPolicy policy;
  const char* text = std::getenv("HEADRACE_IO_TRIES");
  if (text == nullptr) return policy;
  int tries = 0;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), tries);
  if (error == std::errc() && end == all.data() + all.size()) {
    policy.tries = std::clamp(tries, 1, kMostTries);
  }
  return policy;
}

}  // namespace

double RetryPolicy::pause_seconds(int done, double asked_seconds) const {
  const double whole = std::min(std::ldexp(first_pause_seconds, done - 1), longest_pause_seconds);
  const double drawn = whole * (1 + draw()) / 2;
  return std::max(drawn, std::min(asked_seconds, longest_asked_seconds));
}

const RetryPolicy& default_retry_policy() {
  static const RetryPolicy policy = policy_of_environment();
  return policy;
}

std::string tries_made(int tries) {
  return tries == 1 ? "after 1 try" : fmt::format("after {} tries", tries);
}

Result<void> with_retries(const RetryPolicy& policy, std::string_view doing,
                          const std::function<std::optional<Failure>()>& attempt) {
  for (int done = 1;; ++done) {
    const std::optional<Failure> failure = attempt();
    if (!failure) return {};
    if (failure->transient && done < policy.tries) {
      const double seconds = policy.pause_seconds(done, failure->asked_seconds);
      if (policy.sleep) {
        policy.sleep(seconds);
      } else {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      }
      continue;
    }
    return Status(failure->cause.code(),
                  fmt::format("{}: {} ({})", doing, failure->cause.message(),
                              failure->tries.empty() ? tries_made(done) : failure->tries),
                  failure->cause.reach(), failure->transient);
  }
}

}  // namespace headrace::io
