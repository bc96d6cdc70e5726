// SPDX-License-Identifier: Apache-2.0
// Status and Result: how every public function reports failure. No exception crosses a public
// header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace headrace {

// What kind of thing went wrong. Decides the exit code of the command and the exception class in
// Python.
enum class Code : std::uint8_t {
  kInvalidArgument,    // the caller or the recipe is wrong; retrying does not help
  kNotFound,           // a file, run, document or name is not there
  kAlreadyExists,      // the target is there and must not be replaced
  kCorrupt,            // bytes are not what their format, checksum or count says
  kUnavailable,        // storage or a service failed
  kResourceExhausted,  // disk full, memory limit, too many open files
  kUnsupported,        // known, named, and not done by this version
  kCancelled,          // a stop was asked for
  kInternal,           // our own mistake
};

// How far an error reaches. The drivers decide by this what to do; everything below only reports
// it.
enum class Reach : std::uint8_t {
  kRecord,  // count it, set the record aside, go on
  kShard,   // this task or shard fails, others go on
  kRun,     // stop
};

// Name of a code as messages and JSON show it, e.g. "invalid_argument".
std::string_view code_name(Code code);

// An error: never "ok". The message says what was attempted, on what (path, offset, record), what
// was found and what to do. Context is added on the way up, outermost first: "reading recipe.yaml:
// line 3: ...".
class [[nodiscard]] Status {
 public:
  Status(Code code, std::string message, Reach reach = Reach::kRun, bool retryable = false)
      : code_(code), reach_(reach), retryable_(retryable), message_(std::move(message)) {}

  Code code() const { return code_; }
  Reach reach() const { return reach_; }
  bool retryable() const { return retryable_; }
  const std::string& message() const { return message_; }

  // The same error with "context: " put before its message.
  Status with_context(std::string_view context) const {
    Status copy = *this;
    copy.message_.insert(0, std::string(context) + ": ");
    return copy;
  }

  // The same error with another reach.
  Status with_reach(Reach reach) const {
    Status copy = *this;
    copy.reach_ = reach;
    return copy;
  }

 private:
  Code code_;
  Reach reach_;
  bool retryable_;
  std::string message_;
};

// A value or an error. Derived, not aliased: tl::expected 1.0 is not [[nodiscard]].
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Status> {
 public:
  using tl::expected<T, Status>::expected;
  // NOLINTNEXTLINE(google-explicit-constructor): functions return a Status as it is
  Result(Status status) : tl::expected<T, Status>(tl::unexpect, std::move(status)) {}
};

}  // namespace headrace

#define HEADRACE_CONCAT_(a, b) a##b
#define HEADRACE_CONCAT(a, b) HEADRACE_CONCAT_(a, b)

// Returns the error of `expression` from the enclosing function, if it is one.
#define HEADRACE_RETURN_IF_ERROR(expression) \
  HEADRACE_RETURN_IF_ERROR_(HEADRACE_CONCAT(headrace_status_, __LINE__), expression)
#define HEADRACE_RETURN_IF_ERROR_(result, expression)      \
  do {                                                     \
    if (auto result = (expression); !result.has_value()) { \
      return std::move(result).error();                    \
    }                                                      \
  } while (false)

// Declares or assigns `target` from the value of `expression`, or returns its error.
#define HEADRACE_ASSIGN_OR_RETURN(target, expression) \
  HEADRACE_ASSIGN_OR_RETURN_(HEADRACE_CONCAT(headrace_result_, __LINE__), target, expression)
#define HEADRACE_ASSIGN_OR_RETURN_(result, target, expression) \
  auto result = (expression);                                  \
  if (!result.has_value()) return std::move(result).error();   \
  target = std::move(result).value()
