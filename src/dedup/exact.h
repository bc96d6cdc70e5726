// SPDX-License-Identifier: Apache-2.0
// Exact duplicates: equal 128-bit hashes of a view of the text. The stored text is never changed
// for hashing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"

namespace headrace::dedup {

class ViewTable;

// What is hashed: the text after some of these steps, applied in this order whatever the order they
// are named in.
//   nfkc         Unicode form NFKC: full-width → half-width, ligatures apart, accents joined
//   casefold     full Unicode case folding
//   punctuation  code points of the general categories P* are removed
//   whitespace   runs of white space (blanks, line ends) become one space, none at the ends
// Text is valid UTF-8; other bytes get some hash, the same each time. Thread-compatible: one per
// thread.
class HashView {
 public:
  // No steps: the text as it is. invalid_argument with a suggestion for any other name.
  static Result<HashView> make(const std::vector<std::string>& steps);

  // XXH3-128 of the view of `text`.
  Hash128 hash(std::string_view text) { return hash128(view(text)); }

  // The view itself; valid until the next call, and no longer than `text` is.
  std::string_view view(std::string_view text);

 private:
  const ViewTable* table_ = nullptr;  // of the process; null without steps
  std::string scratch_;
};

// One candidate document.
struct ExactEntry {
  Hash128 view;               // hash of the view: equal = duplicates
  std::uint64_t id = 0;       // DocumentId
  std::uint64_t content = 0;  // XXH3-64 of the stored text
  std::uint32_t code_points = 0;
  float score = 0;  // higher survives, NaN is lowest; 0 for all when there are no scores
};

// One document that is not its cluster's survivor.
struct ExactDuplicate {
  std::uint64_t id = 0;
  std::uint64_t survivor = 0;
};

// Finds all duplicates; the survivor of a cluster has the higher score, then more code points, then
// the smaller content hash, then the smaller id. Ids are unique. Sorted by id. The result does not
// depend on the order of `entries`; they are reordered.
std::vector<ExactDuplicate> find_exact_duplicates(std::span<ExactEntry> entries);

}  // namespace headrace::dedup
