// SPDX-License-Identifier: Apache-2.0
#include "tokenize/code_point_set.h"

#include <algorithm>

namespace headrace::tokenize {

CodePointSet::CodePointSet(std::initializer_list<Range> ranges) {
  for (const Range& range : ranges) add(range.first, range.last);
}

void CodePointSet::add(std::uint32_t first, std::uint32_t last) {
  // All that the new range touches becomes part of it.
  const auto from = std::ranges::lower_bound(ranges_, first, {},
                                             [](const Range& range) { return range.last + 1; });
  auto to = from;
  for (; to != ranges_.end() && to->first <= last + 1; ++to) {
    first = std::min(first, to->first);
    last = std::max(last, to->last);
  }
  ranges_.insert(ranges_.erase(from, to), {first, last});
}

void CodePointSet::add(const CodePointSet& other) {
  for (const Range& range : other.ranges_) add(range.first, range.last);
}

CodePointSet CodePointSet::inverted() const {
  CodePointSet inverse;
  std::uint32_t next = 0;
  for (const Range& range : ranges_) {
    if (next < range.first) inverse.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) inverse.ranges_.push_back({next, kLastCodePoint});
  return inverse;
}

CodePointSet CodePointSet::intersected(const CodePointSet& other) const {
  CodePointSet both = inverted();
  both.add(other.inverted());
  return both.inverted();
}

bool CodePointSet::contains(std::uint32_t c) const {
  const auto found = std::ranges::lower_bound(ranges_, c, {}, &Range::last);
  return found != ranges_.end() && found->first <= c;
}

}  // namespace headrace::tokenize
