// SPDX-License-Identifier: Apache-2.0
// Pieces of texts that occur again: by their 128-bit hashes alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"

namespace headrace::dedup {

// A piece of a document: its hash, and its bytes [begin, end).
struct Occurrence {
  Hash128 hash;
  std::uint64_t id = 0;  // DocumentId
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const Occurrence&) const = default;
};

// Bytes of a document that stand elsewhere too, in an earlier document or before them in their own.
struct Repeat {
  std::uint64_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint64_t first_id = 0;  // where they stand first
  std::uint32_t first_begin = 0;
  std::uint32_t unused = 0;  // no byte of an entry is left open: they go into files

  bool operator==(const Repeat&) const = default;
};

// Appends a Repeat for every occurrence of a hash but the first, by (id, begin), and to `rest`
// those that are none. One that begins inside of the first is none: of a row of equal letters not
// all but the first go. Neither depends on the order of `occurrences`; they are sorted.
//
// In two rounds: what is left of each of several sets is put together, and the function called
// again. The repeats of the second round say where the firsts of the first one stand first.
void find_repeats(std::span<Occurrence> occurrences, std::vector<Repeat>* repeats,
                  std::vector<Occurrence>* rest);

// Puts repeats of one document that touch or overlap together where what they repeat stands in that
// document too: a row of a million equal letters is one repeat, not a million. Sorts by (id,
// begin).
void join_own_repeats(std::vector<Repeat>* repeats);

// Of all repeats of a set of documents, none of which begins where another of the same document
// does: sorts them by (id, begin) and makes each point to the very first, where several rounds made
// chains.
void resolve_chains(std::vector<Repeat>* repeats);

}  // namespace headrace::dedup
