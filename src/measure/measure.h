// SPDX-License-Identifier: Apache-2.0
// A text → numbers. One measure per file; each is a column of the run.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "measure/facts/text_facts.h"

namespace headrace::measure {

struct Measure {
  std::string name;     // column name: "mean_sentence_length"
  std::string unit;     // "code points per sentence", "share"
  std::string summary;  // one sentence, with when it is null
  // Pure. Null where the measure does not apply (a share of nothing).
  std::optional<double> (*of)(const TextFacts& text);
};

using Registry = headrace::Registry<Measure>;

void register_all(Registry& registry);
const Registry& registry();

// All measures of the registry, in its order. Keeps memory between texts, nothing else: one per
// thread.
class MeasureSet {
 public:
  explicit MeasureSet(std::shared_ptr<const WordTables> words = WordTables::built_in())
      : facts_(std::move(words)) {}

  std::size_t size() const { return registry().all().size(); }
  // values[i] of measure i; NaN where null. `values.size() == size()`.
  void of(const TextView& view, std::span<double> values);

 private:
  TextFactsBuilder facts_;
};

}  // namespace headrace::measure
