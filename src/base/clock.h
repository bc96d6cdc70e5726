// SPDX-License-Identifier: Apache-2.0
// The only place that reads the clock. No result may depend on it.
#pragma once

#include <string>

namespace headrace {

// Seconds since an arbitrary start; never goes back.
double monotonic_seconds();

// "2026-01-31T09:30:00Z": for what people did, never for what was computed.
std::string utc_time();

}  // namespace headrace
