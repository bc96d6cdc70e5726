// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace headrace {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "invalid_argument";
    case Code::kNotFound:
      return "not_found";
    case Code::kAlreadyExists:
      return "already_exists";
    case Code::kCorrupt:
      return "corrupt";
    case Code::kUnavailable:
      return "unavailable";
    case Code::kResourceExhausted:
      return "resource_exhausted";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kCancelled:
      return "cancelled";
    case Code::kInternal:
      return "internal";
  }
  return "internal";
}

Status errno_status(int error_number, std::string_view doing) {
  const std::string message =
      fmt::format("{}: {}", doing, std::generic_category().message(error_number));
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return Status(Code::kNotFound, message);
    case EEXIST:
      return Status(Code::kAlreadyExists, message);
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return Status(Code::kResourceExhausted, message);
    case EINVAL:
    case EISDIR:
    case ENAMETOOLONG:
      return Status(Code::kInvalidArgument, message);
    default:
      return Status(Code::kUnavailable, message);
  }
}

void dcheck_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: our own mistake: not (%s)\n", file, line, condition);
  std::abort();
}

}  // namespace headrace
