// SPDX-License-Identifier: Apache-2.0
// Makers of Status with fmt formatting: `return invalid_argument("'{}' is not a number", text);`
#pragma once

#include <utility>

#include <fmt/format.h>

#include "headrace/result.h"

namespace headrace {

#define HEADRACE_ERROR_MAKER(name, code)                                   \
  template <class... Args>                                                 \
  Status name(fmt::format_string<Args...> format, Args&&... args) {        \
    return Status(code, fmt::format(format, std::forward<Args>(args)...)); \
  }

HEADRACE_ERROR_MAKER(invalid_argument, Code::kInvalidArgument)
HEADRACE_ERROR_MAKER(not_found, Code::kNotFound)
HEADRACE_ERROR_MAKER(already_exists, Code::kAlreadyExists)
HEADRACE_ERROR_MAKER(corrupt, Code::kCorrupt)
HEADRACE_ERROR_MAKER(unavailable, Code::kUnavailable)
HEADRACE_ERROR_MAKER(resource_exhausted, Code::kResourceExhausted)
HEADRACE_ERROR_MAKER(unsupported, Code::kUnsupported)
HEADRACE_ERROR_MAKER(cancelled, Code::kCancelled)
HEADRACE_ERROR_MAKER(internal_error, Code::kInternal)

#undef HEADRACE_ERROR_MAKER

// The Status for a failed system call: ENOENT is not_found; ENOSPC, EDQUOT and EMFILE are
// resource_exhausted; the rest unavailable. `doing` reads like "opening /data/x.jsonl".
Status errno_status(int error_number, std::string_view doing);

}  // namespace headrace

// Checks our own logic, never input. Compiled in by the dev and sanitizer presets only.
#if defined(HEADRACE_DCHECKS)
#define HEADRACE_DCHECK(condition) \
  ((condition) ? void() : ::headrace::dcheck_failed(#condition, __FILE__, __LINE__))
#else
#define HEADRACE_DCHECK(condition) ((void)0)
#endif

namespace headrace {
[[noreturn]] void dcheck_failed(const char* condition, const char* file, int line);
}
