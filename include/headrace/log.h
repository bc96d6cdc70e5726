// SPDX-License-Identifier: Apache-2.0
// How much the library says on stderr.
#pragma once

namespace headrace {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

// Lines below `level` are not written. The default is kWarning, so that a program that links the
// library stays quiet. Thread-safe.
void set_log_level(LogLevel level);
LogLevel log_level();

}  // namespace headrace
