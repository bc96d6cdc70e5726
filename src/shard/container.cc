// SPDX-License-Identifier: Apache-2.0
#include "shard/container.h"

#include <algorithm>

namespace headrace::shard {

const Registry& registry() {
  static const Registry all = [] {
    Registry made;
    register_all(made);
    return made;
  }();
  return all;
}

std::vector<std::string> token_containers() {
  std::vector<std::string> names;
  for (const ContainerInfo& container : registry().all()) {
    if (container.create != nullptr) names.push_back(container.name);
  }
  return names;
}

}  // namespace headrace::shard
