// SPDX-License-Identifier: Apache-2.0
// Everything that registers itself, and the keys of the recipe, as JSON for tools/make_docs. Built
// with the tests and never installed.
#include <cstdio>
#include <optional>

#include <nlohmann/json.hpp>

#include "curate/recipe_keys.h"
#include "judge/judge.h"
#include "measure/measure.h"
#include "normalize/normalize.h"
#include "read/reader.h"
#include "record/reasons.h"
#include "shard/container.h"

namespace {

using Json = nlohmann::ordered_json;

Json measures() {
  Json list = Json::array();
  for (const auto& measure : headrace::measure::registry().all()) {
    list.push_back({{"name", measure.name}, {"unit", measure.unit}, {"summary", measure.summary}});
  }
  return list;
}

Json bound(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const std::vector<headrace::judge::Rule>& rules) {
  Json list = Json::array();
  for (const auto& rule : rules) {
    Json reasons = Json::array();
    if (rule.min || rule.auto_min_percentile)
      reasons.push_back(headrace::judge::reason_below_min(rule.column));
    if (rule.max || rule.auto_max_percentile)
      reasons.push_back(headrace::judge::reason_above_max(rule.column));
    if (rule.drop_null) reasons.push_back(headrace::judge::reason_null(rule.column));
    list.push_back({{"column", rule.column},
                    {"min", bound(rule.min)},
                    {"max", bound(rule.max)},
                    {"auto_min_percentile", bound(rule.auto_min_percentile)},
                    {"auto_max_percentile", bound(rule.auto_max_percentile)},
                    {"reasons", std::move(reasons)}});
  }
  return list;
}

Json presets() {
  Json list = Json::array();
  for (const auto& preset : headrace::judge::registry().all()) {
    Json buckets = Json::array();
    for (const auto& bucket : preset.set.buckets) {
      Json when = Json::array();
      for (const auto& condition : bucket.when) {
        when.push_back({{"column", condition.column},
                        {"min", bound(condition.min)},
                        {"max", bound(condition.max)}});
      }
      buckets.push_back({{"when", std::move(when)}, {"rules", to_json(bucket.rules)}});
    }
    list.push_back({{"name", preset.name},
                    {"summary", preset.summary},
                    {"differs", preset.differs},
                    {"rules", to_json(preset.set.rules)},
                    {"buckets", std::move(buckets)}});
  }
  return list;
}

Json steps() {
  Json list = Json::array();
  for (const auto& step : headrace::normalize::registry().all()) {
    Json options = Json::array();
    for (const auto& option : step.options) {
      options.push_back({{"name", option.name},
                         {"default", option.default_value},
                         {"allowed", option.allowed},
                         {"list", option.list},
                         {"summary", option.summary}});
    }
    list.push_back({{"name", step.name},
                    {"changes", step.changes},
                    {"summary", step.summary},
                    {"options", std::move(options)}});
  }
  return list;
}

Json readers() {
  Json list = Json::array();
  for (const auto& reader : headrace::read::registry().all()) {
    list.push_back(
        {{"name", reader.name}, {"extensions", reader.extensions}, {"summary", reader.summary}});
  }
  return list;
}

Json containers() {
  Json list = Json::array();
  for (const auto& container : headrace::shard::registry().all()) {
    list.push_back({{"name", container.name}, {"summary", container.summary}});
  }
  return list;
}

Json recipe() {
  Json list = Json::array();
  for (const auto& key : headrace::curate::recipe_keys()) {
    list.push_back({{"key", key.key},
                    {"kind", key.kind},
                    {"default", key.default_value},
                    {"later_values", key.later_values},
                    {"later", key.later},
                    {"summary", key.summary}});
  }
  return list;
}

Json reason_names() {
  Json list = Json::array();
  for (const auto& reason : headrace::reasons()) {
    const char* kind = reason.kind == headrace::ReasonKind::kQuarantine ? "quarantine"
                       : reason.kind == headrace::ReasonKind::kDrop     ? "drop"
                                                                        : "note";
    list.push_back({{"name", reason.name},
                    {"kind", kind},
                    {"where", reason.where},
                    {"meaning", reason.meaning},
                    {"remedy", reason.remedy}});
  }
  return list;
}

}  // namespace

int main() {
  const Json all = {{"measures", measures()},   {"presets", presets()},       {"steps", steps()},
                    {"readers", readers()},     {"containers", containers()}, {"recipe", recipe()},
                    {"reasons", reason_names()}};
  std::puts(all.dump(1).c_str());
  return 0;
}
