// SPDX-License-Identifier: Apache-2.0
#include "report/label_file.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_fault.h"

namespace headrace::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<Mark, std::string_view> kMarks[] = {{Mark::kNone, "none"},
                                                        {Mark::kGarbage, "garbage"},
                                                        {Mark::kWorthKeeping, "keep"},
                                                        {Mark::kUnsure, "unsure"}};

}  // namespace

std::string_view name_of(Mark mark) {
  for (const auto& [known, name] : kMarks) {
    if (known == mark) return name;
  }
  return "none";
}

bool parse_mark(std::string_view name, Mark* mark) {
  for (const auto& [known, its_name] : kMarks) {
    if (its_name != name) continue;
    *mark = known;
    return true;
  }
  return false;
}

std::string format_decision(const Decision& decision) {
  const bool is_label = decision.mark == Mark::kGarbage || decision.mark == Mark::kWorthKeeping;
  Json json = {{"id", decision.id},
               {"text", decision.text},
               {"label", is_label ? Json(decision.mark == Mark::kWorthKeeping ? 1 : 0) : Json()},
               {"decision", name_of(decision.mark)},
               {"rule", decision.rule},
               {"group", decision.group},
               {"value", std::isfinite(decision.value) ? Json(decision.value) : Json()},
               {"bound", decision.bound},
               {"domain", decision.domain},
               {"source", decision.source},
               {"time", decision.time},
               {"by", decision.by}};
  if (decision.cut) json["cut"] = true;
  if (decision.undo) json["undo"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Decision> parse_decision(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    Decision decision;
    decision.id = json.at("id");
    decision.text = json.at("text");
    if (const std::string name = json.at("decision"); !parse_mark(name, &decision.mark))
      return corrupt("'{}' is no decision", name);
    decision.rule = json.value("rule", "");
    decision.group = json.value("group", "");
    const Json value = json.value("value", Json());
    decision.value =
        value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    decision.bound = json.value("bound", "");
    decision.domain = json.value("domain", "");
    decision.source = json.value("source", "");
    decision.time = json.value("time", "");
    decision.by = json.value("by", "");
    decision.cut = json.value("cut", false);
    decision.undo = json.value("undo", false);
    return decision;
  } catch (const nlohmann::json::exception& error) {
    return corrupt("not a decision ({})", json_fault(error, line));
  }
}

Result<LabelFile> LabelFile::open(const std::string& path, std::vector<Decision>* decisions) {
  HEADRACE_ASSIGN_OR_RETURN(AppendFile file,
                            AppendFile::open(path, [&](std::string_view line) -> Result<void> {
                              HEADRACE_ASSIGN_OR_RETURN(Decision decision, parse_decision(line));
                              decisions->push_back(std::move(decision));
                              return {};
                            }));
  return LabelFile(std::move(file));
}

Result<void> LabelFile::append(const Decision& decision) {
  return file_.append(format_decision(decision));
}

}  // namespace headrace::report
