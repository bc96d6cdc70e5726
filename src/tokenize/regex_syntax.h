// SPDX-License-Identifier: Apache-2.0
// A pattern as a tree.
#pragma once

#include <algorithm>
#include <limits>

#include "tokenize/regex.h"

namespace headrace::tokenize {

struct RegexNode {
  enum class Kind { kSet, kSequence, kChoice, kRepeat, kLook, kAtomic, kPlace };
  enum class Mode { kGreedy, kLazy, kPossessive };
  Kind kind = Kind::kSequence;
  CodePointSet set = {};
  std::vector<RegexNode> parts = {};
  std::uint32_t min = 1;
  std::uint32_t max = 1;
  Mode mode = Mode::kGreedy;
  bool negated = false;
  Regex::Op place = Regex::Op::kTextBegin;

  bool may_be_empty() const {
    const auto empty = [](const RegexNode& part) { return part.may_be_empty(); };
    switch (kind) {
      case Kind::kSet:
        return false;
      case Kind::kChoice:
        return std::ranges::any_of(parts, empty);
      case Kind::kRepeat:
        return min == 0 || empty(parts[0]);
      case Kind::kSequence:
      case Kind::kAtomic:
        return std::ranges::all_of(parts, empty);
      default:
        return true;
    }
  }
};

inline constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

// Unsupported: what is not known, with its place.
Result<RegexNode> parse_regex(std::string_view pattern, RegexDialect dialect);

}  // namespace headrace::tokenize
