// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/suggest.h"
#include "normalize/normalize.h"

namespace headrace::normalize {

const Registry& registry() {
  static const Registry* const all = [] {
    auto* made = new Registry;
    register_all(*made);
    return made;
  }();
  return *all;
}

Result<std::unique_ptr<Step>> make_step(std::string_view name, const OptionValues& options) {
  const StepInfo* info = registry().find(name);
  if (info == nullptr) {
    return invalid_argument("normalize has no step '{}'{}", name,
                            suggestion(name, registry().names()));
  }
  HEADRACE_ASSIGN_OR_RETURN(const OptionValues values,
                            complete_options(info->name, info->options, options));
  return info->make(values);
}

}  // namespace headrace::normalize
