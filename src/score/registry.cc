// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/suggest.h"
#include "score/score.h"

namespace headrace::score {

const Registry& registry() {
  static const Registry* const all = [] {
    auto* made = new Registry;
    register_all(*made);
    return made;
  }();
  return *all;
}

Result<std::unique_ptr<Scorer>> make_scorer(std::string_view kind, const OptionValues& options,
                                            const ScorerServices& services) {
  const ScorerInfo* info = registry().find(kind);
  if (info == nullptr) {
    return invalid_argument("score has no kind '{}'{}", kind, suggestion(kind, registry().names()));
  }
  HEADRACE_ASSIGN_OR_RETURN(const OptionValues values,
                            complete_options(info->name, info->options, options));
  return info->make(values, services);
}

}  // namespace headrace::score
