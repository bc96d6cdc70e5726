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

}  // namespace headrace::shard
