// SPDX-License-Identifier: Apache-2.0
// Which documents an audit shows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "curate/context.h"
#include "judge/judge.h"
#include "report/audit.h"

namespace headrace::curate {

// Where a document's row is.
struct RowPlace {
  std::size_t part = 0;
  std::size_t row = 0;
  auto operator<=>(const RowPlace&) const = default;
};

struct AuditSample {
  std::vector<report::AuditRule> rules;    // most documents first
  std::map<std::string, RowPlace> places;  // of every document in them, by id
};

// Of each rule: `per_rule` documents that it drops, drawn uniformly by (seed, id), and the
// `per_rule` kept documents closest to its bound. Reads verdicts and the columns of rules part by
// part, and the front of the chosen texts.
Result<AuditSample> sample_for_audit(const Context& context,
                                     const std::vector<judge::RuleSet>& rules, std::uint64_t seed,
                                     std::size_t per_rule);

}  // namespace headrace::curate
