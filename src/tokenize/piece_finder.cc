// SPDX-License-Identifier: Apache-2.0
// Two ways that take turns. The masks split most of a text; where a character stands that their
// algebra does not know, the pattern's scanner goes on from the start of the piece, and the masks
// take over at the first start behind the character. Both can begin at any start of a piece, since
// what a pattern makes of a text depends on nothing before it. Patterns without masks have the
// scanner alone.
#include "tokenize/piece_finder.h"

#include <algorithm>

#include "base/error.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {
namespace {

MaskClass mask_class(const MaskPattern& pattern, CharClass c) {
  const bool is_o200k = pattern.family == MaskFamily::kO200k;
  const bool is_deepseek = pattern.family == MaskFamily::kDeepseek;
  switch (c) {
    case kUpper:
    case kTitle:
      return is_o200k ? MaskClass::kUpper : MaskClass::kLetter;
    case kLower:
      return MaskClass::kLetter;
    case kModifier:
    case kOtherLetter:
      return is_o200k ? MaskClass::kCaseless : MaskClass::kLetter;
    case kMark:
      if (is_o200k) return MaskClass::kHard;
      return is_deepseek || pattern.marks_in_words ? MaskClass::kLetter : MaskClass::kSign;
    case kNumber:
      return MaskClass::kNumber;
    case kSpace:
    case kNewline:
      return MaskClass::kSpace;
    case kOther:
      return is_deepseek ? MaskClass::kHard : MaskClass::kSign;
    case kPunctuation:
    case kSymbol:
    case kEnd:
      break;
  }
  return MaskClass::kSign;
}

std::uint8_t ascii_bits(MaskClass c, std::uint8_t byte) {
  if (byte == '\r' || byte == '\n') return kAsciiNewline;
  switch (c) {
    case MaskClass::kLetter:
      return kAsciiLetter;
    case MaskClass::kNumber:
      return kAsciiNumber;
    case MaskClass::kUpper:
      return kAsciiUpper;
    case MaskClass::kSpace:
      return kAsciiSpace;
    case MaskClass::kHard:
      return kAsciiHard;
    case MaskClass::kSign:
    case MaskClass::kCaseless:
    case MaskClass::kWall:
      break;
  }
  return kAsciiSign;
}

}  // namespace

PieceFinder::PieceFinder(const Splitter& splitter, const Junctions& junctions, bool mark_parts,
                         SimdLevel level)
    : splitter_(splitter), junctions_(junctions), mark_parts_(mark_parts) {
  tables_.pattern = splitter.mask_pattern();
  split_ = mask_kernels(level).of(tables_.pattern.family);
  tables_.classes = char_classes();
  for (int c = 0; c < kEnd; ++c) {
    tables_.fold[c] = mask_class(tables_.pattern, static_cast<CharClass>(c));
  }
  for (std::uint8_t byte = 0; byte < 128; ++byte) {
    tables_.ascii[byte] = ascii_bits(tables_.fold[tables_.classes[byte] & kClassMask], byte);
  }
  tables_.may_cross = junctions.filter();
  tables_.unlisted = junctions.unlisted();
}

void PieceFinder::start(std::string_view text) {
  HEADRACE_DCHECK(text.size() < kPartBit);
  text_ = text;
  size_ = static_cast<std::uint32_t>(text.size());
  state_.seen = 0;
  ends_count_ = next_in_ends_ = 0;
  begin_masks_at(0);
  if (split_ != nullptr || text.empty()) return;
  scanning_ = true;
  write_begin_ = true;
  scan_until_ = size_;
  piece_begin_ = cut_from_ = 0;
  piece_end_ = next_end(0);
}

std::size_t PieceFinder::next(std::span<std::uint32_t> starts) {
  HEADRACE_DCHECK(starts.size() >= kLeastRoom);
  std::size_t count = 0;
  while (starts.size() - count >= kLeastRoom) {
    const auto rest = starts.subspan(count);
    if (scanning_) {
      count += scan(rest);
      continue;
    }
    if (state_.base >= size_) break;
    const auto result =
        split_(tables_, reinterpret_cast<const std::uint8_t*>(text_.data()), size_, mark_parts_,
               &state_, rest.data(), static_cast<std::uint32_t>(rest.size()));
    count += result.count;
    if (result.stop == MaskStop::kHard) begin_scan_at_hard();
  }
  return count;
}

void PieceFinder::begin_masks_at(std::uint32_t at) {
  const std::uint8_t seen = state_.seen;
  state_ = MaskState();
  state_.base = state_.origin = state_.last = at;
  state_.seen = seen;
  scanning_ = false;
}

// All starts before state_.base are written, cuts too; those behind are not.
void PieceFinder::begin_scan_at_hard() {
  scanning_ = true;
  scan_until_ = state_.hard_end;
  piece_begin_ = state_.last;
  write_begin_ = state_.base == state_.origin;
  ends_count_ = next_in_ends_ = 0;
  piece_end_ = next_end(piece_begin_);
  cut_from_ = piece_begin_;
  if (!write_begin_) {
    cut_from_ = state_.base - 1;
    while ((static_cast<std::uint8_t>(text_[cut_from_]) & 0xC0) == 0x80) --cut_from_;
  }
}

std::uint32_t PieceFinder::next_end(std::uint32_t begin) {
  if (next_in_ends_ == ends_count_) {
    // Where the masks will take over soon, few pieces are looked for at once.
    const std::size_t most = split_ == nullptr ? ends_.size() : 4;
    ends_count_ = splitter_.split(text_, begin, std::span(ends_).first(most));
    next_in_ends_ = 0;
  }
  return ends_[next_in_ends_++];
}

std::size_t PieceFinder::scan(std::span<std::uint32_t> starts) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text_.data());
  std::size_t count = 0;
  while (count < starts.size()) {
    if (write_begin_) {
      starts[count++] = piece_begin_;
      write_begin_ = false;
      continue;
    }
    const std::uint8_t* const end = bytes + piece_end_;
    const std::uint8_t* const cut =
        cut_from_ < piece_end_ ? junctions_.next_cut(bytes + cut_from_, end) : end;
    cut_from_ = static_cast<std::uint32_t>(cut - bytes);
    if (cut < end) {
      starts[count++] = cut_from_ | (mark_parts_ ? kPartBit : 0);
      continue;
    }
    if (piece_end_ >= scan_until_) {
      begin_masks_at(piece_end_);
      break;
    }
    piece_begin_ = cut_from_ = piece_end_;
    write_begin_ = true;
    piece_end_ = next_end(piece_begin_);
  }
  return count;
}

}  // namespace headrace::tokenize
