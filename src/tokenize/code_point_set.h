// SPDX-License-Identifier: Apache-2.0
// Sets of characters, as regular expressions have them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headrace::tokenize {

inline constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

class CodePointSet {
 public:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool operator==(const Range&) const = default;
  };

  CodePointSet() = default;
  CodePointSet(std::initializer_list<Range> ranges);

  void add(std::uint32_t first, std::uint32_t last);
  void add(const CodePointSet& other);
  CodePointSet inverted() const;
  CodePointSet intersected(const CodePointSet& other) const;

  // Ascending, apart from each other.
  std::span<const Range> ranges() const { return ranges_; }
  bool contains(std::uint32_t c) const;
  bool operator==(const CodePointSet&) const = default;

 private:
  std::vector<Range> ranges_;
};

}  // namespace headrace::tokenize
