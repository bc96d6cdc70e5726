// SPDX-License-Identifier: Apache-2.0
// Mirrors headrace/score.h: the evaluation as a dict with the keys of a model card.
#include <algorithm>
#include <memory>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "headrace/score.h"

#include "bindings.h"

namespace headrace::python {
namespace {

nb::dict evaluate(const std::vector<double>& scores, const std::vector<bool>& wanted,
                  const std::vector<double>& recalls, std::uint64_t seed) {
  const auto flags = std::make_unique<bool[]>(wanted.size());  // vector<bool> is no span
  std::copy(wanted.begin(), wanted.end(), flags.get());
  const ScoreEvaluation made = unwrap([&] {
    const nb::gil_scoped_release released;
    return evaluate_scores(scores, {flags.get(), wanted.size()}, recalls, seed);
  }());
  const nb::object json = nb::module_::import_("json");
  return nb::cast<nb::dict>(json.attr("loads")(evaluation_json(made)));
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("evaluate", &evaluate, "scores"_a, "wanted"_a, "recalls"_a, "seed"_a);
}

}  // namespace headrace::python
