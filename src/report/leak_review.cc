// SPDX-License-Identifier: Apache-2.0
// Decisions on finds → the precision of the check, by set and verdict: of a uniform sample of each
// group the share of true leaks among those decided, with Wilson's interval (audit.cc).
#include "report/leak_review.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "report/audit.h"

namespace headrace::report {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

LeakDecision about(const LeakFind& find) {
  LeakDecision decision;
  decision.id = find.id;
  decision.set = find.set;
  decision.item = find.item;
  decision.begin = find.begin;
  decision.end = find.end;
  return decision;
}

std::string key_of(const LeakFind& find) { return about(find).key(); }

Json to_json(const LeakFind& find) {
  return {{"key", key_of(find)},       {"id", find.id},
          {"domain", find.domain},     {"source", find.source},
          {"item", find.item},         {"became", find.became},
          {"view", find.view},         {"ratio", find.ratio},
          {"mass", find.mass},         {"density", find.density},
          {"question", find.question}, {"options", find.options},
          {"answer", find.answer},     {"passage", find.passage},
          {"begin", find.begin},       {"end", find.end}};
}

Json to_json(const ReviewedLeaks& share) {
  return {{"sampled", share.sampled},
          {"leak", share.leak},
          {"not_leak", share.not_leak},
          {"unsure", share.unsure},
          {"share", share.precision ? Json(*share.precision) : Json()},
          {"low", share.low},
          {"high", share.high}};
}

// [[text, marked], ...]: the page counts in other units than bytes.
Json to_json(const std::vector<Segment>& text) {
  Json json = Json::array();
  for (const Segment& segment : text) json.push_back({segment.text, segment.marked});
  return json;
}

}  // namespace

std::vector<Segment> segments(std::string_view text,
                              const std::vector<std::pair<std::uint64_t, std::uint64_t>>& marked) {
  std::vector<Segment> all;
  std::size_t done = 0;
  const auto add = [&](std::size_t end, bool is_marked) {
    if (end > done) all.push_back({std::string(text.substr(done, end - done)), is_marked});
    done = std::max(done, end);
  };
  for (const auto& [begin, end] : marked) {
    add(std::min<std::size_t>(begin, text.size()), false);
    add(std::min<std::size_t>(end, text.size()), true);
  }
  add(text.size(), false);
  return all;
}

Result<std::unique_ptr<LeakReview>> LeakReview::open(LeakReviewData data,
                                                     const std::string& labels) {
  std::vector<LeakDecision> decisions;
  HEADRACE_ASSIGN_OR_RETURN(LeakLabelFile file, LeakLabelFile::open(labels, &decisions));
  std::unique_ptr<LeakReview> review(new LeakReview(std::move(data), std::move(file)));
  review->replay(decisions);
  return review;
}

bool LeakReview::is_place(std::size_t group, std::size_t find) const {
  return group < data_.groups.size() && find < data_.groups[group].shown.size();
}

const LeakFind& LeakReview::at(const Place& place) const {
  return data_.groups[place.group].shown[place.find];
}

// Decisions on finds that are not shown here stay in the file and count for nothing.
void LeakReview::replay(const std::vector<LeakDecision>& decisions) {
  std::map<std::string, Place> places;
  for (std::size_t group = 0; group < data_.groups.size(); ++group) {
    for (std::size_t find = 0; find < data_.groups[group].shown.size(); ++find)
      places.try_emplace(key_of(data_.groups[group].shown[find]), group, find);
  }
  for (const LeakDecision& decision : decisions) {
    const auto place = places.find(decision.key());
    if (place == places.end()) continue;
    LeakMark& mark = marks_[place->first];
    if (!decision.undo) {
      past_.push_back({place->second, mark});
    } else if (!past_.empty()) {
      past_.pop_back();
    }
    mark = decision.mark;
  }
}

LeakMark LeakReview::mark_of(const LeakFind& find) const {
  const auto mark = marks_.find(key_of(find));
  return mark == marks_.end() ? LeakMark::kNone : mark->second;
}

ReviewedLeaks LeakReview::share_of(const LeakGroup& group) const {
  ReviewedLeaks share{.set = group.set, .verdict = group.verdict, .finds = group.finds};
  share.sampled = group.shown.size();
  for (const LeakFind& find : group.shown) {
    const LeakMark mark = mark_of(find);
    share.leak += mark == LeakMark::kLeak;
    share.not_leak += mark == LeakMark::kNotLeak;
    share.unsure += mark == LeakMark::kUnsure;
  }
  const std::uint64_t decided = share.leak + share.not_leak;
  if (decided > 0) share.precision = static_cast<double>(share.leak) / static_cast<double>(decided);
  std::tie(share.low, share.high) = wilson_interval(share.leak, decided);
  return share;
}

std::string LeakReview::everything() const {
  const std::lock_guard lock(mutex_);
  Json json = {{"name", data_.name},           {"run", data_.run_directory},
               {"version", data_.version},     {"by", data_.by},
               {"labels", file_.path()},       {"items", data_.items},
               {"documents", data_.documents}, {"can_undo", !past_.empty()},
               {"groups", Json::array()},      {"marks", Json::object()}};
  for (const LeakGroup& group : data_.groups) {
    Json finds = Json::array();
    for (const LeakFind& find : group.shown) finds.push_back(to_json(find));
    json["groups"].push_back({{"set", group.set},
                              {"verdict", group.verdict},
                              {"report_only", group.report_only},
                              {"finds", group.finds},
                              {"shown", std::move(finds)},
                              {"share", to_json(share_of(group))}});
  }
  for (const auto& [key, mark] : marks_) json["marks"][key] = name_of(mark);
  return dump(json);
}

Result<std::string> LeakReview::texts(std::size_t group, std::size_t find) const {
  if (!is_place(group, find)) return not_found("there is no such find in the review");
  HEADRACE_ASSIGN_OR_RETURN(const LeakTexts texts, data_.texts_of(at({group, find})));
  Json item = Json::array();
  for (const LeakTexts::ItemPart& part : texts.item)
    item.push_back({{"part", part.part}, {"text", to_json(part.text)}});
  return dump({{"item", std::move(item)},
               {"document", to_json(texts.document)},
               {"cut_before", texts.cut_before},
               {"cut_behind", texts.cut_behind},
               {"bytes", texts.bytes}});
}

Result<std::string> LeakReview::whole_document(std::size_t group, std::size_t find) const {
  if (!is_place(group, find)) return not_found("there is no such find in the review");
  return data_.whole_document(at({group, find}));
}

// What one decision changed.
std::string LeakReview::change(const Place& place) const {
  const LeakFind& find = at(place);
  Json json = {{"key", key_of(find)}, {"mark", name_of(mark_of(find))}, {"group", place.group},
               {"find", place.find},  {"can_undo", !past_.empty()},     {"shares", Json::array()}};
  for (const LeakGroup& group : data_.groups) json["shares"].push_back(to_json(share_of(group)));
  return dump(json);
}

Result<void> LeakReview::save(const Place& place, LeakMark mark, bool is_undo) {
  const LeakFind& find = at(place);
  HEADRACE_ASSIGN_OR_RETURN(LeakTexts texts, data_.texts_of(find));
  LeakDecision decision = about(find);
  decision.mark = mark;
  decision.verdict = find.verdict;
  decision.view = find.view;
  decision.ratio = find.ratio;
  decision.mass = find.mass;
  decision.text = std::move(texts.stretch);
  decision.domain = find.domain;
  decision.source = find.source;
  decision.time = utc_time();
  decision.by = data_.by;
  decision.undo = is_undo;
  if (const Result<void> saved = file_.append(decision); !saved) {
    log_warning("the decision on {} was not saved: {}", find.id, saved.error().message());
    return saved.error();
  }
  marks_[key_of(find)] = mark;
  ++decisions_;
  return {};
}

Result<std::string> LeakReview::decide(std::size_t group, std::size_t find, LeakMark mark) {
  if (!is_place(group, find)) return invalid_argument("there is no such find in the review");
  if (mark == LeakMark::kNone) return invalid_argument("a decision is leak, not_leak or unsure");
  const std::lock_guard lock(mutex_);
  const Past past{{group, find}, mark_of(at({group, find}))};
  HEADRACE_RETURN_IF_ERROR(save(past.place, mark, false));
  past_.push_back(past);
  return change(past.place);
}

Result<std::string> LeakReview::undo() {
  const std::lock_guard lock(mutex_);
  if (past_.empty()) return invalid_argument("there is no decision to take back");
  const Past past = past_.back();
  HEADRACE_RETURN_IF_ERROR(save(past.place, past.before, true));
  past_.pop_back();
  return change(past.place);
}

std::vector<ReviewedLeaks> LeakReview::result() const {
  const std::lock_guard lock(mutex_);
  std::vector<ReviewedLeaks> all;
  for (const LeakGroup& group : data_.groups) all.push_back(share_of(group));
  return all;
}

std::uint64_t LeakReview::decisions() const {
  const std::lock_guard lock(mutex_);
  return decisions_;
}

}  // namespace headrace::report
