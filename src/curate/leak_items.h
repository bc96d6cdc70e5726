// SPDX-License-Identifier: Apache-2.0
// The held-out items that a recipe names, read when a run starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "curate/recipe_leak.h"
#include "leak/item.h"

namespace headrace::curate {

struct LeakItems {
  struct Set {
    std::string name;
    std::uint64_t items = 0;
  };
  std::vector<leak::Item> items;
  std::vector<Set> sets;    // in the order of the recipe
  std::string fingerprint;  // of the items and their sets
};

// All files, or an error: a glob that matches nothing, a file that cannot be read or holds no item,
// a layout that is not known. `recipe` is for messages.
Result<LeakItems> read_leak_items(const LeakSpec& spec, const std::string& recipe);

}  // namespace headrace::curate
