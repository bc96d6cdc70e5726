// SPDX-License-Identifier: Apache-2.0
#include "shard/container.h"

#include <algorithm>

namespace headrace::shard {

const ContainerInfo* Registry::find(std::string_view name) const {
  const auto found =
      std::find_if(containers_.begin(), containers_.end(),
                   [&](const ContainerInfo& container) { return container.name == name; });
  return found == containers_.end() ? nullptr : &*found;
}

const Registry& registry() {
  static const Registry all = [] {
    Registry made;
    register_all(made);
    return made;
  }();
  return all;
}

}  // namespace headrace::shard
