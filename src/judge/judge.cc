// SPDX-License-Identifier: Apache-2.0
// Columns → verdicts: check after check over blocks of rows.
//
// Moving a threshold must not cost a look at the text, so this is a scan of doubles, and what
// matters is memory bandwidth. A block's verdicts stay in the first-level cache while one column
// after the other streams past them. A check compares one column with one limit per domain; rows
// of one part nearly always share a domain, and then the limit is a constant and the loop
// vectorises. A comparison with NaN is false, so null breaks no bound; a domain without the bound
// has an infinite limit, which nothing breaks.
//
// Buckets cost where they are: their conditions give a byte a row, and a check that some bucket of
// the block changes gets its limits row by row, the domain's first, then each bucket's in order.
// Everything else is compared with its constant as before.
//
// Late columns are judged the same way into bits of their own, of which only the rows stay that no
// earlier group has a reason for.
//
// Cost: 8 bytes read per row and check; about as much again per bucket that changes it.
#include "judge/judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace headrace::judge {
namespace {

constexpr std::size_t kBlockRows = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Breaks>
void mark(std::span<const double> values, std::uint64_t* bits, std::size_t reason, Breaks breaks) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    bits[i] |= static_cast<std::uint64_t>(breaks(values[i], i)) << (reason % 64);
  }
}

std::size_t index_of(const std::vector<std::string>& columns, const std::string& column) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) -
                                  columns.begin());
}

}  // namespace

// What the judging of one block needs beside the columns. Kept from block to block.
struct Judge::Block {
  std::size_t begin = 0;
  std::span<const std::uint32_t> domains;
  bool one_domain = false;
  std::vector<std::array<std::uint8_t, kBlockRows>> inside;  // by bucket
  std::vector<std::uint8_t> any;                             // by bucket: has it a row here
  std::array<double, kBlockRows> limits;
  std::size_t group = 0;                        // that `open` is of
  std::array<std::uint64_t, kBlockRows> open;   // all ones for rows that come to this group
  std::array<std::uint64_t, kBlockRows> marks;  // of one late check
};

Verdicts::Verdicts(std::size_t rows, std::size_t reasons)
    : rows_(rows), words_((reasons + 63) / 64), bits_(rows * words_) {}

void Judge::add_checks(const std::string& name, std::size_t column, const LateColumn* late,
                       const std::vector<RuleSet>& domains) {
  bool has_min = false;
  bool has_max = false;
  bool has_null = false;
  const auto look = [&](const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      if (rule.column != name) continue;
      has_min = has_min || rule.min;
      has_max = has_max || rule.max;
      has_null = has_null || rule.drop_null;
    }
  };
  for (const RuleSet& set : domains) {
    look(set.rules);
    for (const Bucket& bucket : set.buckets) look(bucket.rules);
  }
  const auto add = [&](Kind kind, double unbounded, std::string reason) {
    checks_.push_back({column,
                       kind,
                       late == nullptr ? 0 : late->group,
                       std::vector(domains.size(), unbounded),
                       {}});
    reasons_.push_back(std::move(reason));
  };
  const auto named = [&](std::string LateColumn::* own, std::string usual) {
    return late == nullptr || (late->*own).empty() ? std::move(usual) : late->*own;
  };
  if (has_min) add(Kind::kMin, -kInfinity, reason_below_min(name));
  if (has_max) add(Kind::kMax, kInfinity, named(&LateColumn::above_max, reason_above_max(name)));
  if (has_null) add(Kind::kNull, 0, named(&LateColumn::null, reason_null(name)));
}

void Judge::add_bucket(const Bucket& bucket, std::uint32_t domain,
                       const std::vector<std::string>& columns) {
  CompiledBucket compiled{domain, {}};
  for (const Condition& condition : bucket.when) {
    compiled.when.push_back({index_of(columns, condition.column),
                             condition.min.value_or(-kInfinity),
                             condition.max.value_or(kInfinity)});
  }
  for (Check& check : checks_) {
    std::optional<double> limit;  // the tightest of the bucket's rules on this column
    for (const Rule& rule : bucket.rules) {
      if (rule.column != columns[check.column]) continue;
      switch (check.kind) {
        case Kind::kMin:
          limit = std::max(limit.value_or(-kInfinity), rule.min.value_or(-kInfinity));
          break;
        case Kind::kMax:
          limit = std::min(limit.value_or(kInfinity), rule.max.value_or(kInfinity));
          break;
        case Kind::kNull:
          limit = std::max(limit.value_or(0), rule.drop_null ? 1.0 : 0.0);
          break;
      }
    }
    if (limit) check.overrides.push_back({buckets_.size(), *limit});
  }
  buckets_.push_back(std::move(compiled));
}

Result<Judge> Judge::make(const std::vector<std::string>& measures,
                          const std::vector<RuleSet>& domains,
                          const std::vector<LateColumn>& late) {
  std::vector<std::string> columns = measures;
  for (const LateColumn& column : late) columns.push_back(column.name);
  HEADRACE_RETURN_IF_ERROR(check_rules(columns, domains));
  Judge judge;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    judge.add_checks(columns[i], i, i < measures.size() ? nullptr : &late[i - measures.size()],
                     domains);
  }
  for (std::size_t domain = 0; domain < domains.size(); ++domain) {
    for (const Rule& rule : domains[domain].rules) {
      for (Check& check : judge.checks_) {
        if (columns[check.column] != rule.column) continue;
        double& limit = check.limits[domain];
        if (check.kind == Kind::kMin && rule.min) limit = std::max(limit, *rule.min);
        if (check.kind == Kind::kMax && rule.max) limit = std::min(limit, *rule.max);
        if (check.kind == Kind::kNull && rule.drop_null) limit = 1;
      }
    }
    for (const Bucket& bucket : domains[domain].buckets)
      judge.add_bucket(bucket, static_cast<std::uint32_t>(domain), columns);
  }
  return judge;
}

std::vector<std::size_t> Judge::columns() const {
  std::vector<std::size_t> columns;
  for (const Check& check : checks_) columns.push_back(check.column);
  for (const CompiledBucket& bucket : buckets_) {
    for (const Term& term : bucket.when) columns.push_back(term.column);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

void Judge::find_buckets(std::span<const std::span<const double>> values, Block& block) const {
  const std::size_t n = block.domains.size();
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const CompiledBucket& bucket = buckets_[b];
    block.any[b] = 0;
    if (block.one_domain && bucket.domain != block.domains[0]) continue;
    std::uint8_t* const inside = block.inside[b].data();
    for (std::size_t i = 0; i < n; ++i) inside[i] = block.domains[i] == bucket.domain;
    for (const Term& term : bucket.when) {
      const auto column = values[term.column].subspan(block.begin, n);
      for (std::size_t i = 0; i < n; ++i)
        inside[i] &= static_cast<std::uint8_t>(column[i] >= term.min && column[i] <= term.max);
    }
    block.any[b] = std::find(inside, inside + n, 1) != inside + n;
  }
}

void Judge::judge_block(const Check& check, std::size_t reason, std::span<const double> column,
                        Block& block, std::uint64_t* bits) const {
  const bool bucketed = std::any_of(check.overrides.begin(), check.overrides.end(),
                                    [&](const Override& o) { return block.any[o.bucket] != 0; });
  if (block.one_domain && !bucketed) {
    const double limit = check.limits[block.domains[0]];
    switch (check.kind) {
      case Kind::kMin:
        return mark(column, bits, reason, [=](double v, std::size_t) { return v < limit; });
      case Kind::kMax:
        return mark(column, bits, reason, [=](double v, std::size_t) { return v > limit; });
      case Kind::kNull:
        if (limit == 0) return;
        return mark(column, bits, reason, [](double v, std::size_t) { return std::isnan(v); });
    }
  }
  double* const limits = block.limits.data();
  for (std::size_t i = 0; i < column.size(); ++i) limits[i] = check.limits[block.domains[i]];
  for (const Override& o : check.overrides) {
    if (block.any[o.bucket] == 0) continue;
    const std::uint8_t* const inside = block.inside[o.bucket].data();
    for (std::size_t i = 0; i < column.size(); ++i)
      limits[i] = inside[i] != 0 ? o.limit : limits[i];
  }
  switch (check.kind) {
    case Kind::kMin:
      return mark(column, bits, reason, [=](double v, std::size_t i) { return v < limits[i]; });
    case Kind::kMax:
      return mark(column, bits, reason, [=](double v, std::size_t i) { return v > limits[i]; });
    case Kind::kNull:
      return mark(column, bits, reason,
                  [=](double v, std::size_t i) { return std::isnan(v) && limits[i] > 0; });
  }
}

void Judge::judge_late(const Check& check, std::size_t reason, std::span<const double> column,
                       Block& block, Verdicts& verdicts) const {
  const std::size_t n = block.domains.size();
  if (check.group != block.group) {
    block.group = check.group;
    for (std::size_t i = 0; i < n; ++i)
      block.open[i] = verdicts.kept(block.begin + i) ? ~std::uint64_t{0} : 0;
  }
  std::fill_n(block.marks.data(), n, 0);
  judge_block(check, reason, column, block, block.marks.data());
  std::uint64_t* const bits = verdicts.word(reason / 64).data() + block.begin;
  for (std::size_t i = 0; i < n; ++i) bits[i] |= block.marks[i] & block.open[i];
}

Verdicts Judge::judge(std::span<const std::span<const double>> values,
                      std::span<const std::uint32_t> domain) const {
  Verdicts verdicts(domain.size(), reasons_.size());
  Block block;
  block.inside.resize(buckets_.size());
  block.any.resize(buckets_.size());
  for (std::size_t begin = 0; begin < domain.size(); begin += kBlockRows) {
    const std::size_t n = std::min(kBlockRows, domain.size() - begin);
    block.begin = begin;
    block.domains = domain.subspan(begin, n);
    block.one_domain = std::all_of(block.domains.begin(), block.domains.end(),
                                   [&](std::uint32_t d) { return d == block.domains[0]; });
    block.group = 0;
    find_buckets(values, block);
    for (std::size_t reason = 0; reason < checks_.size(); ++reason) {
      const Check& check = checks_[reason];
      const auto column = values[check.column].subspan(begin, n);
      if (check.group == 0) {
        judge_block(check, reason, column, block, verdicts.word(reason / 64).data() + begin);
      } else {
        judge_late(check, reason, column, block, verdicts);
      }
    }
  }
  return verdicts;
}

}  // namespace headrace::judge
