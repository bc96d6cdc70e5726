// SPDX-License-Identifier: Apache-2.0
#include "dedup/pieces.h"

#include <algorithm>

namespace headrace::dedup {
namespace {

bool is_blank(std::string_view line) {
  while (!line.empty()) {
    if (line.starts_with("　")) {
      line.remove_prefix(3);
    } else if (line.front() == ' ' || (line.front() >= '\t' && line.front() <= '\r')) {
      line.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

std::uint32_t count_code_points(std::string_view text) {
  return static_cast<std::uint32_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<signed char>(c)) >= -64; }));
}

}  // namespace

void find_pieces(std::string_view text, PieceLevel level, std::vector<Piece>* pieces) {
  pieces->clear();
  bool open = false;          // the last piece may go on: a paragraph whose last line was not blank
  bool takes_blanks = false;  // blank lines go with the last piece
  bool after_blank = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto next = static_cast<std::uint32_t>(std::min(end + 1, text.size()));
    if (is_blank(text.substr(begin, end - begin))) {
      open = false;
      after_blank = true;
      if (takes_blanks) pieces->back().cut_end = next;
    } else {
      if (!open) pieces->push_back({.begin = static_cast<std::uint32_t>(begin)});
      pieces->back().end = static_cast<std::uint32_t>(end);
      pieces->back().cut_end = next;
      open = level == PieceLevel::kParagraph;
      takes_blanks = open || after_blank;
      after_blank = false;
    }
    begin = next;
  }
}

void PieceHasher::add(std::string_view text, std::uint64_t id, PieceLevel level,
                      std::vector<Occurrence>* occurrences) {
  find_pieces(text, level, &pieces_);
  for (const Piece& piece : pieces_) {
    const std::string_view view = view_.view(text.substr(piece.begin, piece.end - piece.begin));
    if (count_code_points(view) < min_code_points_) continue;
    occurrences->push_back(
        {.hash = hash128(view), .id = id, .begin = piece.begin, .end = piece.cut_end});
  }
}

}  // namespace headrace::dedup
