// SPDX-License-Identifier: Apache-2.0
// Domain weights → which documents go in. Shares are shares of tokens.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace::mix {

struct DomainSupply {
  std::string domain;
  std::uint64_t tokens = 0;
};

// Token budget per domain, same order as `supply`. `weights`: domain → share (any positive scale;
// they are normalised); empty: everything that is there. Without `total_tokens`, as many tokens as
// the weights allow without a repeat. Errors: a weight for an unknown domain (suggestion), a domain
// without a weight, a weight that is not > 0 or not finite, a weighted domain without tokens,
// `total_tokens` above what the weights allow.
Result<std::vector<std::uint64_t>> token_budgets(const std::vector<DomainSupply>& supply,
                                                 const std::map<std::string, double>& weights,
                                                 std::optional<std::uint64_t> total_tokens);

struct Candidate {
  std::uint64_t id = 0;  // DocumentId
  std::uint64_t tokens = 0;
};

// Chooses documents of one domain: in the keyed order of (seed, "mix", id), each whole document
// while the budget is not yet reached, and the last one only if that lands nearer to the budget.
// chosen[i] for candidates[i]. Depends only on the set of candidates, never on their order. A
// budget of at least all tokens chooses all.
std::vector<bool> choose_documents(std::span<const Candidate> candidates,
                                   std::uint64_t budget_tokens, std::uint64_t seed);

}  // namespace headrace::mix
