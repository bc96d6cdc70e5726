// SPDX-License-Identifier: Apache-2.0
#include "report/leak_label_file.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace headrace::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<LeakMark, std::string_view> kMarks[] = {{LeakMark::kNone, "none"},
                                                            {LeakMark::kLeak, "leak"},
                                                            {LeakMark::kNotLeak, "not_leak"},
                                                            {LeakMark::kUnsure, "unsure"}};

}  // namespace

std::string_view name_of(LeakMark mark) {
  for (const auto& [known, name] : kMarks) {
    if (known == mark) return name;
  }
  return "none";
}

bool parse_mark(std::string_view name, LeakMark* mark) {
  for (const auto& [known, its_name] : kMarks) {
    if (its_name != name) continue;
    *mark = known;
    return true;
  }
  return false;
}

std::string LeakDecision::key() const {
  return fmt::format("{} {}-{} {}\n{}", id, begin, end, set, item);
}

std::string format_decision(const LeakDecision& decision) {
  const bool is_label = decision.mark == LeakMark::kLeak || decision.mark == LeakMark::kNotLeak;
  Json json = {{"id", decision.id},
               {"set", decision.set},
               {"item", decision.item},
               {"begin", decision.begin},
               {"end", decision.end},
               {"label", is_label ? Json(decision.mark == LeakMark::kLeak ? 1 : 0) : Json()},
               {"decision", name_of(decision.mark)},
               {"verdict", decision.verdict},
               {"view", decision.view},
               {"ratio", decision.ratio},
               {"mass", decision.mass},
               {"text", decision.text},
               {"domain", decision.domain},
               {"source", decision.source},
               {"time", decision.time},
               {"by", decision.by}};
  if (decision.undo) json["undo"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<LeakDecision> parse_leak_decision(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    LeakDecision decision;
    decision.id = json.at("id");
    decision.set = json.at("set");
    decision.item = json.at("item");
    decision.begin = json.at("begin");
    decision.end = json.at("end");
    if (const std::string name = json.at("decision"); !parse_mark(name, &decision.mark))
      return corrupt("'{}' is no decision", name);
    decision.verdict = json.value("verdict", "");
    decision.view = json.value("view", "");
    decision.ratio = json.value("ratio", 0.0);
    decision.mass = json.value("mass", 0.0);
    decision.text = json.value("text", "");
    decision.domain = json.value("domain", "");
    decision.source = json.value("source", "");
    decision.time = json.value("time", "");
    decision.by = json.value("by", "");
    decision.undo = json.value("undo", false);
    return decision;
  } catch (const nlohmann::json::exception& error) {
    return corrupt("not a decision on a leak ({})", error.what());
  }
}

Result<LeakLabelFile> LeakLabelFile::open(const std::string& path,
                                          std::vector<LeakDecision>* decisions) {
  HEADRACE_ASSIGN_OR_RETURN(
      AppendFile file, AppendFile::open(path, [&](std::string_view line) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(LeakDecision decision, parse_leak_decision(line));
        decisions->push_back(std::move(decision));
        return {};
      }));
  return LeakLabelFile(std::move(file));
}

Result<void> LeakLabelFile::append(const LeakDecision& decision) {
  return file_.append(format_decision(decision));
}

}  // namespace headrace::report
