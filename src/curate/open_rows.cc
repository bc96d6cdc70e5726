// SPDX-License-Identifier: Apache-2.0
#include "curate/open_rows.h"

#include <algorithm>
#include <optional>

namespace headrace::curate {

OpenRows open_rows(const Context& context, std::string_view stage, std::size_t part,
                   std::vector<bool> wanted,
                   const std::function<std::string(const std::vector<bool>&)>& fingerprint,
                   const std::function<Result<std::vector<bool>>()>& held) {
  OpenRows rows{.open = wanted};
  const std::optional<Commit> commit = context.ledger.read(stage, part);
  if (commit && !context.ledger.broken_output(stage, part, *commit)) {
    const auto earlier = held();
    rows.extends = earlier && !earlier->empty() && earlier->size() == wanted.size() &&
                   fingerprint(*earlier) == commit->fingerprint;
    for (std::size_t row = 0; rows.extends && row < wanted.size(); ++row) {
      if (!(*earlier)[row]) continue;
      wanted[row] = true;
      rows.open[row] = false;
    }
  }
  rows.fingerprint = fingerprint(wanted);
  rows.count = static_cast<std::uint64_t>(std::count(rows.open.begin(), rows.open.end(), true));
  return rows;
}

}  // namespace headrace::curate
