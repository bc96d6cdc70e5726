// SPDX-License-Identifier: Apache-2.0
// Status → headrace.Error. Which class a code becomes is decided in headrace/errors.py.
#include "bindings.h"

namespace headrace::python {
namespace {

const char* reach_name(Reach reach) {
  switch (reach) {
    case Reach::kRecord:
      return "record";
    case Reach::kShard:
      return "shard";
    case Reach::kRun:
      break;
  }
  return "run";
}

void raise(const Status& status) {
  const nb::object from_status = nb::module_::import_("headrace.errors").attr("from_status");
  const nb::object error = from_status(to_str(code_name(status.code())), to_str(status.message()),
                                       reach_name(status.reach()), status.retryable());
  PyErr_SetObject(error.type().ptr(), error.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const StatusError& error) {
      raise(error.status());
    }
  });
}

}  // namespace headrace::python
