// SPDX-License-Identifier: Apache-2.0
// Strings by their bytes: which of them does a text start with?
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace headrace::tokenize {

// Built once, then read-only: thread-safe.
class ByteTrie {
 public:
  static constexpr std::uint32_t kNoValue = 0xFFFFFFFF;
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  ByteTrie();
  // `key` is not empty; of two with the same key the later counts.
  void add(std::string_view key, std::uint32_t value);

  bool empty() const { return values_.size() == 1; }
  std::uint32_t child(std::uint32_t node, char byte) const;
  std::uint32_t value(std::uint32_t node) const { return values_[node]; }

  // The length of the longest key at the front of `text`, 0 if there is none.
  std::size_t longest_prefix(std::string_view text, std::uint32_t* value) const;

 private:
  struct Slot {
    std::uint64_t edge = 0;  // node << 8 | byte, + 1; 0: free
    std::uint32_t child = 0;
  };
  void grow();
  std::size_t place(std::uint64_t edge) const;

  std::vector<std::uint32_t> values_;
  std::vector<Slot> slots_;
  std::array<std::uint32_t, 256> first_;  // children of the root
};

}  // namespace headrace::tokenize
