// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <chrono>

namespace headrace {

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace headrace
