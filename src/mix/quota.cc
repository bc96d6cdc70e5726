// SPDX-License-Identifier: Apache-2.0
// Domain weights → token budgets.
//
// The weights allow as many tokens as the scarcest domain lasts: the least of tokens / share. That
// domain is then used up exactly; the others get their share of the same total, rounded. A stated
// total is dealt out by largest remainders, so that the budgets add up to it to the token; equal
// remainders go to the domain that stands first.
//
// Numbers of tokens stay below 2^53, where doubles hold them exactly.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/suggest.h"
#include "mix/mix.h"

namespace headrace::mix {
namespace {

// All that is wrong with the weights, so that one look at the recipe mends it.
std::vector<std::string> faults_of(const std::vector<DomainSupply>& supply,
                                   const std::map<std::string, double>& weights) {
  std::vector<std::string> domains;
  for (const DomainSupply& s : supply) domains.push_back(s.domain);
  std::vector<std::string> faults;
  for (const auto& [domain, weight] : weights) {
    if (std::find(domains.begin(), domains.end(), domain) == domains.end()) {
      faults.push_back(
          fmt::format("there is no domain '{}'{}", domain, suggestion(domain, domains)));
    } else if (!(weight > 0) || !std::isfinite(weight)) {
      faults.push_back(
          fmt::format("the weight {} of domain '{}' is not a positive number", weight, domain));
    }
  }
  for (const DomainSupply& s : supply) {
    if (!weights.contains(s.domain)) {
      faults.push_back(fmt::format(
          "domain '{}' has no weight; give it one, or leave its sources out", s.domain));
    } else if (s.tokens == 0) {
      faults.push_back(fmt::format("domain '{}' has a weight and no tokens left", s.domain));
    }
  }
  return faults;
}

// The shares of `weights` in the order of `supply`, which has all of them.
std::vector<double> shares_of(const std::vector<DomainSupply>& supply,
                              const std::map<std::string, double>& weights) {
  std::vector<double> shares;
  for (const DomainSupply& s : supply) shares.push_back(weights.at(s.domain));
  const double largest = *std::max_element(shares.begin(), shares.end());
  for (double& share : shares) share /= largest;  // so that no sum overflows
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

// Deals out `total` by largest remainders, never more than there is.
std::vector<std::uint64_t> deal(const std::vector<DomainSupply>& supply,
                                const std::vector<double>& shares, std::uint64_t total) {
  std::vector<std::uint64_t> budgets;
  std::vector<double> remainders;
  std::uint64_t dealt = 0;
  for (std::size_t i = 0; i < supply.size(); ++i) {
    const double exact = shares[i] * static_cast<double>(total);
    budgets.push_back(std::min(static_cast<std::uint64_t>(exact), supply[i].tokens));
    remainders.push_back(exact - std::floor(exact));
    dealt += budgets.back();
  }
  std::vector<std::size_t> order(supply.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (const std::size_t i : order) {
    if (dealt >= total) break;
    if (budgets[i] == supply[i].tokens) continue;
    ++budgets[i];
    ++dealt;
  }
  return budgets;
}

Result<std::vector<std::uint64_t>> as_they_are(const std::vector<DomainSupply>& supply,
                                               std::optional<std::uint64_t> total_tokens) {
  std::uint64_t all = 0;
  for (const DomainSupply& s : supply) all += s.tokens;
  std::vector<std::uint64_t> budgets;
  for (const DomainSupply& s : supply) budgets.push_back(s.tokens);
  if (!total_tokens.has_value() || *total_tokens == all) return budgets;
  if (*total_tokens > all) {
    return invalid_argument("mix.total_tokens is {}, but there are {} tokens", *total_tokens, all);
  }
  std::vector<double> shares;
  for (const DomainSupply& s : supply) {
    shares.push_back(static_cast<double>(s.tokens) / static_cast<double>(all));
  }
  return deal(supply, shares, *total_tokens);
}

}  // namespace

Result<std::vector<std::uint64_t>> token_budgets(const std::vector<DomainSupply>& supply,
                                                 const std::map<std::string, double>& weights,
                                                 std::optional<std::uint64_t> total_tokens) {
  if (weights.empty()) return as_they_are(supply, total_tokens);
  if (const auto faults = faults_of(supply, weights); !faults.empty()) {
    return invalid_argument("mix.weights: {}", fmt::join(faults, "; "));
  }
  const std::vector<double> shares = shares_of(supply, weights);
  double allowed = std::numeric_limits<double>::infinity();
  std::size_t scarcest = 0;
  for (std::size_t i = 0; i < supply.size(); ++i) {
    const double lasts = static_cast<double>(supply[i].tokens) / shares[i];
    if (lasts >= allowed) continue;
    allowed = lasts;
    scarcest = i;
  }
  if (total_tokens.has_value()) {
    if (static_cast<double>(*total_tokens) > allowed) {
      return invalid_argument(
          "mix.total_tokens is {}, but the weights allow {} without a repeat: domain '{}' has {} "
          "tokens for a share of {:.6g}",
          *total_tokens, static_cast<std::uint64_t>(allowed), supply[scarcest].domain,
          supply[scarcest].tokens, shares[scarcest]);
    }
    return deal(supply, shares, *total_tokens);
  }
  std::vector<std::uint64_t> budgets;
  for (std::size_t i = 0; i < supply.size(); ++i) {
    const auto share = static_cast<std::uint64_t>(std::llround(shares[i] * allowed));
    budgets.push_back(i == scarcest ? supply[i].tokens : std::min(share, supply[i].tokens));
  }
  return budgets;
}

}  // namespace headrace::mix
