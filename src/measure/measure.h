// SPDX-License-Identifier: Apache-2.0
// TextView → numbers. One measure per file; each is a column of the run.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "record/text_view.h"

namespace headrace::measure {

// Pure and thread-safe.
class Measure {
 public:
  virtual ~Measure() = default;
  // Null where the measure does not apply (a share of nothing).
  virtual std::optional<double> of(const TextView& view) const = 0;
};

struct MeasureInfo {
  std::string name;     // column name: "mean_sentence_length"
  std::string unit;     // "code points per sentence", "share"
  std::string summary;  // one sentence, with when it is null
  std::unique_ptr<Measure> (*make)();
};

class Registry {
 public:
  void add(MeasureInfo info) { measures_.push_back(std::move(info)); }
  const std::vector<MeasureInfo>& measures() const { return measures_; }
  const MeasureInfo* find(std::string_view name) const;

 private:
  std::vector<MeasureInfo> measures_;
};

void register_all(Registry& registry);
const Registry& registry();

// All measures of the registry, in its order.
class MeasureSet {
 public:
  MeasureSet();
  std::size_t size() const { return measures_.size(); }
  // values[i] of measure i; NaN where null. `values.size() == size()`.
  void of(const TextView& view, std::span<double> values) const;

 private:
  std::vector<std::unique_ptr<Measure>> measures_;
};

}  // namespace headrace::measure
