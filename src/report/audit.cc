// SPDX-License-Identifier: Apache-2.0
// Decisions → the precision of rules.
//
// A sample is small, so a share alone misleads: 9 of 9 is not certainty. Wilson's interval (1927)
// stays inside [0, 1] and is honest at 0 and n, where the textbook interval has width zero.
// A document counts in a rule's share only if that rule's own sample drew it: one that was decided
// under another rule and happens to break this one, too, would make the sample no sample.
#include "report/audit.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"

namespace headrace::report {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr std::string_view kGroupNames[] = {"dropped", "passed"};

std::string_view name_of_group(Group group) { return kGroupNames[static_cast<int>(group)]; }

Json to_json(const AuditItem& item) {
  return {{"id", item.id},         {"domain", item.domain},
          {"source", item.source}, {"value", std::isfinite(item.value) ? Json(item.value) : Json()},
          {"bound", item.bound},   {"reasons", item.reasons}};
}

Json to_json(const std::vector<AuditItem>& items) {
  Json json = Json::array();
  for (const AuditItem& item : items) json.push_back(to_json(item));
  return json;
}

Json to_json(const AuditShare& share) {
  return {{"sampled", share.sampled},
          {"garbage", share.garbage},
          {"keep", share.worth_keeping},
          {"unsure", share.unsure},
          {"share", share.garbage_share ? Json(*share.garbage_share) : Json()},
          {"low", share.low},
          {"high", share.high}};
}

// The decision was about this very text, not about another run's document of the same id.
bool is_about(const Decision& decision, const AuditItem& item) {
  return item.front.size() < item.bytes ? std::string_view(decision.text).starts_with(item.front)
                                        : decision.text == item.front;
}

std::string cut_text(std::string text, bool* cut) {
  *cut = text.size() > kLabelTextBytes;
  if (!*cut) return text;
  std::size_t end = kLabelTextBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace

std::pair<double, double> wilson_interval(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;  // 97.5 % quantile of the normal distribution
  const auto n = static_cast<double>(whole);
  const double p = static_cast<double>(part) / n;
  const double scale = 1 + kZ * kZ / n;
  const double centre = (p + kZ * kZ / (2 * n)) / scale;
  const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n)) / scale;
  // Exact at the ends, where rounding would leave 1e-17.
  return {part == 0 ? 0 : std::max(0.0, centre - half),
          part == whole ? 1 : std::min(1.0, centre + half)};
}

AuditSession::AuditSession(AuditData data, LabelFile file)
    : data_(std::move(data)), file_(std::move(file)) {
  for (std::size_t rule = 0; rule < data_.rules.size(); ++rule) {
    for (const Group group : {Group::kDropped, Group::kPassed}) {
      const std::vector<AuditItem>& items = data_.rules[rule].items(group);
      for (std::size_t i = 0; i < items.size(); ++i)
        places_.try_emplace(items[i].id, rule, group, i);
    }
  }
}

Result<std::unique_ptr<AuditSession>> AuditSession::open(AuditData data,
                                                         const std::string& labels) {
  std::vector<Decision> decisions;
  HEADRACE_ASSIGN_OR_RETURN(LabelFile file, LabelFile::open(labels, &decisions));
  std::unique_ptr<AuditSession> session(new AuditSession(std::move(data), std::move(file)));
  session->replay(decisions);
  return session;
}

const AuditItem& AuditSession::at(const Place& place) const {
  return data_.rules[place.rule].items(place.group)[place.item];
}

void AuditSession::replay(const std::vector<Decision>& decisions) {
  for (const Decision& decision : decisions) {
    const auto found = places_.find(decision.id);
    if (found == places_.end() || !is_about(decision, at(found->second))) {
      ++foreign_;
      continue;
    }
    Place place = found->second;  // rather where it was decided, if that rule still shows it
    for (std::size_t rule = 0; rule < data_.rules.size(); ++rule) {
      if (data_.rules[rule].reason != decision.rule) continue;
      for (const Group group : {Group::kDropped, Group::kPassed}) {
        const auto& items = data_.rules[rule].items(group);
        const auto item = std::find_if(items.begin(), items.end(),
                                       [&](const auto& i) { return i.id == decision.id; });
        if (item != items.end())
          place = {rule, group, static_cast<std::size_t>(item - items.begin())};
      }
    }
    Mark& mark = marks_[decision.id];
    if (!decision.undo) {
      past_.push_back({decision.id, mark, place});
    } else if (!past_.empty()) {
      past_.pop_back();
    }
    mark = decision.mark;
  }
}

AuditShare AuditSession::share_of(const std::vector<AuditItem>& items) const {
  AuditShare share;
  share.sampled = items.size();
  for (const AuditItem& item : items) {
    const auto mark = marks_.find(item.id);
    if (mark == marks_.end()) continue;
    share.garbage += mark->second == Mark::kGarbage;
    share.worth_keeping += mark->second == Mark::kWorthKeeping;
    share.unsure += mark->second == Mark::kUnsure;
  }
  const std::uint64_t decided = share.garbage + share.worth_keeping;
  if (decided > 0)
    share.garbage_share = static_cast<double>(share.garbage) / static_cast<double>(decided);
  std::tie(share.low, share.high) = wilson_interval(share.garbage, decided);
  return share;
}

std::string AuditSession::everything() const {
  const std::lock_guard lock(mutex_);
  Json json = {{"name", data_.name},
               {"run", data_.run_directory},
               {"version", data_.version},
               {"by", data_.by},
               {"labels", file_.path()},
               {"can_undo", !past_.empty()},
               {"leak_finds", data_.leak_finds},
               {"rules", Json::array()},
               {"marks", Json::object()}};
  for (const AuditRule& rule : data_.rules) {
    json["rules"].push_back({{"reason", rule.reason},
                             {"column", rule.column},
                             {"summary", rule.summary},
                             {"side", rule.is_max ? "max" : "min"},
                             {"documents", rule.documents},
                             {"dropped", to_json(rule.dropped)},
                             {"passed", to_json(rule.passed)},
                             {"shares",
                              {{"dropped", to_json(share_of(rule.dropped))},
                               {"passed", to_json(share_of(rule.passed))}}}});
  }
  for (const auto& [id, mark] : marks_) json["marks"][id] = name_of(mark);
  return dump(json);
}

Result<std::string> AuditSession::text(const std::string& id) const {
  const auto place = places_.find(id);
  if (place == places_.end()) return not_found("no rule shows a document {}", id);
  const AuditItem& item = at(place->second);
  return dump({{"text", item.front}, {"shown", item.front.size()}, {"bytes", item.bytes}});
}

Result<std::string> AuditSession::whole_text(const std::string& id) const {
  if (!places_.contains(id)) return not_found("no rule shows a document {}", id);
  return data_.text_of(id);
}

// What one decision changed: its mark, and the shares of every rule (a document may be in several).
std::string AuditSession::change(const Place& place) const {
  const AuditItem& item = at(place);
  const auto mark = marks_.find(item.id);
  Json json = {{"id", item.id},
               {"mark", name_of(mark == marks_.end() ? Mark::kNone : mark->second)},
               {"rule", place.rule},
               {"group", name_of_group(place.group)},
               {"item", place.item},
               {"can_undo", !past_.empty()},
               {"shares", Json::array()}};
  for (const AuditRule& rule : data_.rules) {
    json["shares"].push_back(
        {{"dropped", to_json(share_of(rule.dropped))}, {"passed", to_json(share_of(rule.passed))}});
  }
  return dump(json);
}

Result<void> AuditSession::save(const Place& place, Mark mark, bool is_undo) {
  const AuditItem& item = at(place);
  Decision decision;
  decision.id = item.id;
  if (item.front.size() == item.bytes) {
    decision.text = item.front;
  } else {
    HEADRACE_ASSIGN_OR_RETURN(std::string text, data_.text_of(item.id));
    decision.text = cut_text(std::move(text), &decision.cut);
  }
  decision.mark = mark;
  decision.rule = data_.rules[place.rule].reason;
  decision.group = name_of_group(place.group);
  decision.value = item.value;
  decision.bound = item.bound;
  decision.domain = item.domain;
  decision.source = item.source;
  decision.time = utc_time();
  decision.by = data_.by;
  decision.undo = is_undo;
  if (const Result<void> saved = file_.append(decision); !saved) {
    log_warning("the decision on {} was not saved: {}", item.id, saved.error().message());
    return saved.error();
  }
  marks_[item.id] = mark;
  ++decisions_;
  return {};
}

Result<std::string> AuditSession::decide(std::size_t rule, Group group, std::size_t item,
                                         Mark mark) {
  if (rule >= data_.rules.size() || item >= data_.rules[rule].items(group).size())
    return invalid_argument("there is no such document in the audit");
  if (mark == Mark::kNone) return invalid_argument("a decision is garbage, keep or unsure");
  const std::lock_guard lock(mutex_);
  const Place place{rule, group, item};
  const auto before = marks_.find(at(place).id);
  const Past past{at(place).id, before == marks_.end() ? Mark::kNone : before->second, place};
  HEADRACE_RETURN_IF_ERROR(save(place, mark, false));
  past_.push_back(past);
  return change(place);
}

Result<std::string> AuditSession::undo() {
  const std::lock_guard lock(mutex_);
  if (past_.empty()) return invalid_argument("there is no decision to take back");
  const Past past = past_.back();
  HEADRACE_RETURN_IF_ERROR(save(past.place, past.before, true));
  past_.pop_back();
  return change(past.place);
}

AuditResult AuditSession::result() const {
  const std::lock_guard lock(mutex_);
  AuditResult result{.labels = file_.path(), .decisions = decisions_, .foreign = foreign_};
  for (const AuditRule& rule : data_.rules)
    result.rules.push_back(
        {rule.reason, rule.documents, share_of(rule.dropped), share_of(rule.passed)});
  return result;
}

}  // namespace headrace::report
