// SPDX-License-Identifier: Apache-2.0
// headrace._core: the C++ half of the package. Users import headrace.
#include "headrace/version.h"

#include "bindings.h"

NB_MODULE(_core, module) {
  module.doc() = "The engine of headrace; import headrace instead.";
  module.attr("__version__") = headrace::python::to_str(headrace::version());
  headrace::python::bind_errors(module);
  headrace::python::bind_run(module);
  headrace::python::bind_feed(module);
  headrace::python::bind_tokenizer(module);
  headrace::python::bind_shard_set(module);
  headrace::python::bind_evaluate(module);
}
