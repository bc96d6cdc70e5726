// SPDX-License-Identifier: Apache-2.0
// One hash table of edges, and an array for those of the root, where most walks end.
#include "tokenize/byte_trie.h"

namespace headrace::tokenize {

ByteTrie::ByteTrie() : values_(1, kNoValue), slots_(64) { first_.fill(kNowhere); }

std::size_t ByteTrie::place(std::uint64_t edge) const {
  std::uint64_t hash = edge * 0x9E3779B97F4A7C15U;
  hash ^= hash >> 32;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].edge != 0 && slots_[at].edge != edge) at = (at + 1) & mask;
  return at;
}

void ByteTrie::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.edge != 0) slots_[place(slot.edge)] = slot;
  }
}

void ByteTrie::add(std::string_view key, std::uint32_t value) {
  std::uint32_t node = kRoot;
  for (const char c : key) {
    std::uint32_t next = child(node, c);
    if (next == kNowhere) {
      next = static_cast<std::uint32_t>(values_.size());
      values_.push_back(kNoValue);
      const auto byte = static_cast<std::uint8_t>(c);
      if (node == kRoot) {
        first_[byte] = next;
      } else {
        if (values_.size() * 2 > slots_.size()) grow();
        const std::uint64_t edge = (std::uint64_t{node} << 8 | byte) + 1;
        slots_[place(edge)] = {edge, next};
      }
    }
    node = next;
  }
  values_[node] = value;
}

std::uint32_t ByteTrie::child(std::uint32_t node, char byte) const {
  if (node == kRoot) return first_[static_cast<std::uint8_t>(byte)];
  const Slot& slot =
      slots_[place((std::uint64_t{node} << 8 | static_cast<std::uint8_t>(byte)) + 1)];
  return slot.edge == 0 ? kNowhere : slot.child;
}

std::size_t ByteTrie::longest_prefix(std::string_view text, std::uint32_t* found) const {
  std::size_t longest = 0;
  std::uint32_t node = kRoot;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = child(node, text[i]);
    if (node == kNowhere) break;
    if (values_[node] == kNoValue) continue;
    longest = i + 1;
    *found = values_[node];
  }
  return longest;
}

}  // namespace headrace::tokenize
