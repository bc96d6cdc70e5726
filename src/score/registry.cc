// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "score/score.h"

namespace headrace::score {

const ScorerInfo* Registry::find(std::string_view name) const {
  const auto scorer = std::find_if(scorers_.begin(), scorers_.end(),
                                   [&](const ScorerInfo& info) { return info.name == name; });
  return scorer == scorers_.end() ? nullptr : &*scorer;
}

const Registry& registry() {
  static const Registry* const all = [] {
    auto* made = new Registry;
    register_all(*made);
    return made;
  }();
  return *all;
}

Result<std::unique_ptr<Scorer>> make_scorer(std::string_view kind, const OptionValues& options) {
  const ScorerInfo* info = registry().find(kind);
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const ScorerInfo& scorer : registry().scorers()) names.push_back(scorer.name);
    return invalid_argument("score has no kind '{}'{}", kind, suggestion(kind, names));
  }
  HEADRACE_ASSIGN_OR_RETURN(const OptionValues values,
                            complete_options(info->name, info->options, options));
  return info->make(values);
}

}  // namespace headrace::score
