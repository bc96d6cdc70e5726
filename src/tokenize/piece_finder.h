// SPDX-License-Identifier: Apache-2.0
// Text → where its pieces start, and the parts that pieces are cut into.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "record/simd_level.h"
#include "tokenize/junctions.h"
#include "tokenize/mask_split.h"
#include "tokenize/splitter.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {

// Single-threaded; usable for any number of texts, one after the other.
class PieceFinder {
 public:
  // With `mark_parts` a start that is a cut has kPartBit: what stands before and behind it is no
  // whole piece. Both objects must outlive this.
  PieceFinder(const Splitter& splitter, const Junctions& junctions, bool mark_parts,
              SimdLevel level);

  // `text`: valid UTF-8, less than 2 GiB; it must stay until next() has returned 0.
  void start(std::string_view text);

  // Writes the next starts, in order; 0: there are no more. `starts` has room for kLeastRoom.
  std::size_t next(std::span<std::uint32_t> starts);

  // Whether a character that NFC may change (kMayChangeUnderNfc) was among those up to the last
  // start, or directly behind it. Always true if the pattern is not one of the masks.
  bool saw_nfc_sensitive() const {
    return split_ == nullptr || (state_.seen & kMayChangeUnderNfc) != 0;
  }

  // Whether next() has no more to give.
  bool at_end() const { return !scanning_ && state_.base >= size_; }

  static constexpr std::size_t kLeastRoom = 2 * kMaskSlack;

 private:
  void begin_masks_at(std::uint32_t at);
  void begin_scan_at_hard();
  std::size_t scan(std::span<std::uint32_t> starts);
  std::uint32_t next_end(std::uint32_t begin);

  const Splitter& splitter_;
  const Junctions& junctions_;
  bool mark_parts_;
  MaskTables tables_;
  MaskSplit split_ = nullptr;

  std::string_view text_;
  std::uint32_t size_ = 0;
  MaskState state_;
  // While the scanner is at work: up to the first start at or behind scan_until_.
  bool scanning_ = false;
  bool write_begin_ = false;  // whether the start of the piece is still to be written
  std::uint32_t scan_until_ = 0;
  std::uint32_t piece_begin_ = 0;
  std::uint32_t piece_end_ = 0;
  std::uint32_t cut_from_ = 0;           // the character behind which the next cut is looked for
  std::array<std::uint32_t, 256> ends_;  // read ahead
  std::size_t next_in_ends_ = 0;
  std::size_t ends_count_ = 0;
};

}  // namespace headrace::tokenize
