// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/text_facts.h"

namespace headrace::measure {

const TextFacts& TextFactsBuilder::build(const TextView& view) {
  facts_.view = view;
  facts_.code_point_runs = code_point_runs_.count(view);
  facts_.lines = lines_.count(view);
  return facts_;
}

}  // namespace headrace::measure
