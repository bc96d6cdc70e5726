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

// What is hashed: the text after some of "nfkc", "casefold", "whitespace" (runs of blanks and line
// ends become one space, ends trimmed), "punctuation" (removed), applied in this fixed order
// whatever the order they are named in. Thread-compatible: one per thread.
class HashView {
 public:
  static Result<HashView> make(const std::vector<std::string>& steps);

  // XXH3-128 of the view of `text`.
  Hash128 hash(std::string_view text);

 private:
  bool nfkc_ = false;
  bool casefold_ = false;
  bool whitespace_ = false;
  bool punctuation_ = false;
  std::string scratch_;
};

// One candidate document.
struct ExactEntry {
  Hash128 view;               // hash of the view: equal = duplicates
  std::uint64_t id = 0;       // DocumentId
  std::uint64_t content = 0;  // XXH3-64 of the stored text
  std::uint32_t code_points = 0;
  float score = 0;  // higher survives; 0 for all when there are no scores
};

// One document that is not its cluster's survivor.
struct ExactDuplicate {
  std::uint64_t id = 0;
  std::uint64_t survivor = 0;
};

// Finds all duplicates; the survivor of a cluster has the higher score, then more code points, then
// the smaller content hash, then the smaller id. Sorted by id. The result does not depend on the
// order of `entries`; they are reordered.
std::vector<ExactDuplicate> find_exact_duplicates(std::span<ExactEntry> entries);

}  // namespace headrace::dedup
