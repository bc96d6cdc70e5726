// SPDX-License-Identifier: Apache-2.0
#include "curate/leak_tally.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "curate/judge_columns.h"
#include "curate/leak_verdict.h"
#include "curate/validation.h"

namespace headrace::curate {

Result<void> LeakTally::start(std::size_t part) {
  if (context_.recipe.leak) {
    HEADRACE_ASSIGN_OR_RETURN(rows_, LeakPart::load(context_.directory, part));
  }
  HEADRACE_ASSIGN_OR_RETURN(sides_, load_sides(context_, part));
  return {};
}

void LeakTally::count_hits(std::uint64_t id, bool came) {
  while (next_hit_ < rows_.hits.size() && rows_.hits[next_hit_].id < id) ++next_hit_;
  std::set<std::string> sets;
  for (; next_hit_ < rows_.hits.size() && rows_.hits[next_hit_].id == id; ++next_hit_) {
    if (!came) continue;
    const LeakHit& hit = rows_.hits[next_hit_];
    ++numbers_[fmt::format("leak.{}.{}", leak::name_of(hit.hit.verdict), hit.set)];
    sets.insert(hit.set);
  }
  if (!sets.empty()) ++numbers_["leak.found"];
  for (const std::string& set : sets) ++numbers_["leak.documents." + set];
}

const ValidationLeak* LeakTally::add(std::size_t row, std::uint64_t id, std::size_t reached) {
  if (context_.recipe.leak) {
    const bool came = reached >= leak_group(context_.recipe);
    if (came) ++numbers_["leak.documents"];
    count_hits(id, came);
  }
  if (sides_.empty() || reached != kAllGroups || sides_[row]) return nullptr;
  const ValidationSpec& spec = *context_.recipe.validation;
  if (!spec.check_leaks) return nullptr;
  ++numbers_["validation.checked"];
  next_leak_ = std::lower_bound(
      next_leak_, leaks_.end(), id,
      [](const ValidationLeak& leak, std::uint64_t wanted) { return leak.id < wanted; });
  if (next_leak_ == leaks_.end() || next_leak_->id != id) return nullptr;
  ++numbers_[next_leak_->leak ? "validation.leaks" : "validation.flagged"];
  return next_leak_->leak && spec.drop_leaks ? &*next_leak_ : nullptr;
}

void LeakTally::kept(std::size_t row) {
  if (!sides_.empty() && sides_[row]) ++numbers_["validation.documents"];
}

void LeakTally::add_to(std::map<std::string, std::uint64_t>* numbers) const {
  for (const auto& [name, count] : numbers_) (*numbers)[name] += count;
}

}  // namespace headrace::curate
