// SPDX-License-Identifier: Apache-2.0
// Doing again what a network or a busy server spoiled.
//
// Pauses double from `first_pause_seconds` and are drawn from their upper half: tasks that a server
// threw out together must not come back together. What a server asks for (Retry-After) is a lower
// bound. What will not get better (no such object, no permission) is not repeated.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "headrace/result.h"

namespace headrace::io {

// Speed only.
struct RetryPolicy {
  int tries = 5;  // in all; 1 to 100
  double first_pause_seconds = 0.2;
  double longest_pause_seconds = 20;
  double longest_asked_seconds = 60;  // Retry-After beyond it is waited for so long and no longer
  // A seam for tests; nothing: sleep.
  std::function<void(double seconds)> sleep;

  // The pause behind try number `done` (1 = the first), which ended at a wish of `asked_seconds`.
  double pause_seconds(int done, double asked_seconds) const;
};

// The policy of this process: HEADRACE_IO_TRIES sets its tries.
const RetryPolicy& default_retry_policy();

// Why a try failed. The message is the cause alone: with_retries() says what was done.
struct Failure {
  Status cause;
  bool transient = false;
  double asked_seconds = 0;  // Retry-After
  // How often a client that repeats by itself tried, in words; "": each attempt is one try.
  std::string tries;
};

// Calls `attempt` until it returns nothing, fails for good, or the tries are used up. The error
// reads "DOING: CAUSE (after 5 tries)".
Result<void> with_retries(const RetryPolicy& policy, std::string_view doing,
                          const std::function<std::optional<Failure>()>& attempt);

// "after 5 tries", "after 1 try"
std::string tries_made(int tries);

}  // namespace headrace::io
