// SPDX-License-Identifier: Apache-2.0
// The pieces of a window, longest first, each into the open sequence that it leaves least room in;
// if none has room, into a new one.
//
// Lengths and rooms are whole numbers up to the sequence length, so nothing is compared: pieces are
// sorted by counting, open sequences hang in one list per room, and a bitmap of the rooms that have
// any, with a bitmap over its words and so on, finds the smallest that is large enough in a few
// steps. Cost: constant per document, whatever its length.
//
// Best-fit decreasing needs at most 11/9 of the sequences of the best packing; with documents as
// they are found it comes within a few per mille of no padding, since short ones fill what long
// ones leave. The same is "Fewer Truncations Improve Language Modeling" (arXiv 2404.10830).
//
// Sequences are numbered by their first document, and documents inside stand in stream order: what
// a sequence holds has nothing to do with when it was filled.
#include "pack/best_fit.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace headrace::pack {
namespace {

// A set of numbers below `size` that finds the smallest from a given one on.
class NumberSet {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  explicit NumberSet(std::uint32_t size) {
    do {
      size = (size + 63) / 64;
      levels_.emplace_back(size);
    } while (size > 1);
  }

  void insert(std::uint32_t number) {
    for (auto& level : levels_) {
      std::uint64_t& word = level[number / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << number % 64;
      if (!was_empty) return;
      number /= 64;
    }
  }

  void erase(std::uint32_t number) {
    for (auto& level : levels_) {
      std::uint64_t& word = level[number / 64];
      word &= ~(std::uint64_t{1} << number % 64);
      if (word != 0) return;
      number /= 64;
    }
  }

  // The smallest that is at least `number`.
  std::uint32_t find(std::uint32_t number) const {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (number / 64 >= levels_[i].size()) return kNone;
      const std::uint64_t word = levels_[i][number / 64] >> number % 64;
      if (word != 0) {
        number += static_cast<std::uint32_t>(std::countr_zero(word));
        for (; i > 0; --i) {
          number =
              number * 64 + static_cast<std::uint32_t>(std::countr_zero(levels_[i - 1][number]));
        }
        return number;
      }
      number = number / 64 + 1;
    }
    return kNone;
  }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;  // a bit for each word of the level below
};

constexpr std::uint32_t kNothing = 0xFFFFFFFF;

}  // namespace

class BestFit::Window {
 public:
  explicit Window(std::uint32_t length)
      : length_(length), rooms_(length + 1), first_open_(length + 1, kNothing) {}

  void add(std::uint64_t document, std::uint64_t tokens) {
    std::uint64_t begin = 0;
    for (; tokens - begin >= length_; begin += length_)
      pieces_.push_back({document, begin, length_});
    if (begin < tokens) {
      pieces_.push_back({document, begin, static_cast<std::uint32_t>(tokens - begin)});
    }
  }

  // Appends the sequences and forgets the pieces.
  void pack(std::vector<Piece>* pieces, std::vector<std::uint64_t>* ends) {
    std::vector<std::uint32_t> sequence_of(pieces_.size());
    sequences_.clear();
    for (const std::uint32_t piece : longest_first())
      sequence_of[piece] = place(pieces_[piece].length);
    for (std::uint32_t room = rooms_.find(0); room != NumberSet::kNone; room = rooms_.find(0)) {
      rooms_.erase(room);
      first_open_[room] = kNothing;
    }
    // Sequences by their first document, pieces of each in stream order: one pass over pieces in
    // that order gives both.
    std::vector<std::uint64_t> begins(sequences_.size() + 1);
    std::vector<std::uint32_t> number(sequences_.size(), kNothing);
    std::uint32_t next = 0;
    for (std::uint32_t& sequence : sequence_of) {
      if (number[sequence] == kNothing) number[sequence] = next++;
      sequence = number[sequence];
      ++begins[sequence + std::size_t{1}];
    }
    for (std::size_t s = 0; s < sequences_.size(); ++s) begins[s + 1] += begins[s];
    const std::uint64_t base = pieces->size();
    for (std::size_t s = 0; s < sequences_.size(); ++s) ends->push_back(base + begins[s + 1]);
    pieces->resize(base + pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      (*pieces)[base + begins[sequence_of[i]]++] = pieces_[i];
    }
    pieces_.clear();
  }

 private:
  struct Open {
    std::uint32_t room = 0;
    std::uint32_t next = kNothing;  // with the same room
  };

  // Numbers of the pieces; of equal ones the first in the stream goes first.
  std::vector<std::uint32_t> longest_first() const {
    std::vector<std::uint32_t> begins(length_ + std::size_t{2});
    for (const Piece& piece : pieces_) ++begins[length_ - piece.length + std::size_t{1}];
    for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    std::vector<std::uint32_t> order(pieces_.size());
    for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
      order[begins[length_ - pieces_[i].length]++] = i;
    }
    return order;
  }

  // The sequence that takes a piece of so many tokens.
  std::uint32_t place(std::uint32_t tokens) {
    std::uint32_t sequence = 0;
    const std::uint32_t room = rooms_.find(tokens);
    if (room == NumberSet::kNone) {
      sequence = static_cast<std::uint32_t>(sequences_.size());
      sequences_.push_back({length_, kNothing});
    } else {
      sequence = first_open_[room];
      first_open_[room] = sequences_[sequence].next;
      if (first_open_[room] == kNothing) rooms_.erase(room);
    }
    Open& open = sequences_[sequence];
    open.room -= tokens;
    if (open.room > 0) {
      open.next = first_open_[open.room];
      if (open.next == kNothing) rooms_.insert(open.room);
      first_open_[open.room] = sequence;
    }
    return sequence;
  }

  std::uint32_t length_;
  std::vector<Piece> pieces_;
  std::vector<Open> sequences_;
  NumberSet rooms_;                        // of which sequences are open
  std::vector<std::uint32_t> first_open_;  // by room
};

BestFit::BestFit(std::span<const std::uint64_t> document_tokens, std::uint32_t sequence_length,
                 std::size_t window)
    : sequence_length_(sequence_length) {
  HEADRACE_DCHECK(sequence_length > 0 && window > 0);
  Window open(sequence_length);
  for (std::uint64_t document = 0; document < document_tokens.size(); ++document) {
    open.add(document, document_tokens[document]);
    total_ += document_tokens[document];
    if ((document + 1) % window == 0) open.pack(&pieces_, &ends_);
  }
  open.pack(&pieces_, &ends_);
}

void BestFit::pieces(std::uint64_t s, std::vector<Piece>* pieces) const {
  HEADRACE_DCHECK(s < sequences());
  const std::uint64_t begin = s == 0 ? 0 : ends_[s - 1];
  pieces->assign(pieces_.begin() + static_cast<std::ptrdiff_t>(begin),
                 pieces_.begin() + static_cast<std::ptrdiff_t>(ends_[s]));
}

}  // namespace headrace::pack
