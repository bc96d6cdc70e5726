// SPDX-License-Identifier: Apache-2.0
// none: no rules. For domains that are only measured, and as a base for rules written out in full.
#include "judge/judge.h"

namespace headrace::judge {

void register_none(Registry& registry) {
  registry.add(
      {.name = "none", .summary = "No rules: everything is kept.", .differs = "", .set = {}});
}

}  // namespace headrace::judge
