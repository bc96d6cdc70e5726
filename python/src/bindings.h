// SPDX-License-Identifier: Apache-2.0
// What the bindings share: a Result becomes a value or a Python exception, and waits that Python's
// signals can end. Each bind_<header>.cc mirrors include/headrace/<header>.h and holds no logic.
#pragma once

#include <chrono>
#include <exception>
#include <future>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nanobind/nanobind.h>

#include "headrace/result.h"

namespace headrace::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_evaluate(nb::module_& module);
void bind_run(nb::module_& module);
void bind_feed(nb::module_& module);
void bind_tokenizer(nb::module_& module);
void bind_shard_set(nb::module_& module);

// A Status on its way to Python, where bind_errors makes a headrace.Error of it.
class StatusError : public std::exception {
 public:
  explicit StatusError(Status status) : status_(std::move(status)) {}
  const Status& status() const { return status_; }
  const char* what() const noexcept override { return status_.message().c_str(); }

 private:
  Status status_;
};

// The value, or a StatusError thrown.
template <class T>
T unwrap(Result<T> result) {
  if (!result.has_value()) throw StatusError(std::move(result).error());
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

// Text for Python. Bytes that are not UTF-8 become U+FFFD: what a quarantined record shows may hold
// any.
inline nb::str to_str(std::string_view text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

// How long a wait may keep Python from seeing a signal.
inline constexpr std::chrono::milliseconds kSignalCheck{100};

// Runs `work` on a thread of its own without the GIL. A signal whose handler raises (Ctrl-C) fires
// `stop`, waits for `work` to end, and is raised: so what `work` began is never left behind.
template <class Work>
auto run_interruptibly(std::stop_source& stop, Work work) {
  auto future = std::async(std::launch::async, std::move(work));
  while (true) {
    std::future_status state;
    {
      const nb::gil_scoped_release released;
      state = future.wait_for(kSignalCheck);
    }
    if (state == std::future_status::ready) return future.get();
    if (PyErr_CheckSignals() != 0) {
      nb::python_error raised;
      stop.request_stop();
      const nb::gil_scoped_release released;
      future.wait();
      throw raised;
    }
  }
}

}  // namespace headrace::python
