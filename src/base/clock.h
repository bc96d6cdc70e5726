// SPDX-License-Identifier: Apache-2.0
// The only place that reads the clock. No result may depend on it.
#pragma once

namespace headrace {

// Seconds since an arbitrary start; never goes back.
double monotonic_seconds();

}  // namespace headrace
