// SPDX-License-Identifier: Apache-2.0
// Texts in lines and paragraphs, for duplicates below the document.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dedup/exact.h"
#include "dedup/repeats.h"

namespace headrace::dedup {

enum class PieceLevel : std::uint8_t {
  kParagraph,  // a run of lines that are not blank
  kLine,       // what lies between '\n' bytes and is not blank
};

// A line or paragraph of a text.
struct Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // without the last line break
  // What goes when the piece goes is [begin, cut_end): with it its line break; with a paragraph,
  // and with a line that a blank one stands before, the blank lines behind it.
  std::uint32_t cut_end = 0;
};

// The pieces of `text` in order; replaces what `pieces` holds. A line is blank when it holds ASCII
// white space and U+3000 alone.
void find_pieces(std::string_view text, PieceLevel level, std::vector<Piece>* pieces);

// Hashes pieces by a view. Thread-compatible: one per thread.
class PieceHasher {
 public:
  // Pieces whose view has fewer code points are passed over.
  PieceHasher(HashView view, std::uint32_t min_code_points)
      : view_(std::move(view)), min_code_points_(min_code_points) {}

  // Appends an occurrence for each piece of the text of document `id`: its bytes are [begin,
  // cut_end).
  void add(std::string_view text, std::uint64_t id, PieceLevel level,
           std::vector<Occurrence>* occurrences);

 private:
  HashView view_;
  std::uint32_t min_code_points_;
  std::vector<Piece> pieces_;  // its memory kept
};

}  // namespace headrace::dedup
