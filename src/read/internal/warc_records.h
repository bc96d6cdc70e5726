// SPDX-License-Identifier: Apache-2.0
// The records of a WARC or ARC file, one after the other, and what lies between them where the file
// is damaged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "read/internal/byte_window.h"
#include "read/internal/header_lines.h"
#include "read/internal/warc_starts.h"
#include "read/reader.h"

namespace headrace::read {

struct WarcRecord {
  enum class Kind { kWarc, kArc, kDamage };
  Kind kind = Kind::kWarc;
  std::uint64_t place = 0;  // in ids
  ArcLine arc;
  std::string_view block;
  std::string_view bytes;   // head and block; the front only when too_long, or of long damage
  bool too_long = false;    // the block is over the limit and empty here
  bool cut_off = false;     // the record is whole, the archive is cut off behind it
  std::string_view reason;  // of damage
  std::string detail;
};

// Single-threaded. Ids' places: in gzip files the member's offset in the file, as CDX indexes have
// it, plus the number of records before it in the member; in other files the record's offset,
// decompressed.
class WarcRecords {
 public:
  // The records that start in the split.
  static Result<WarcRecords> open(const Split& split, std::uint64_t max_record_bytes);

  // Passes over blocks, so that of a plain file only heads are read: their records have no block.
  void pass_over_blocks() { heads_only_ = true; }

  // False behind the last record. Views are valid until the next call.
  Result<bool> next(WarcRecord* record);
  // The fields of the last record of kind kWarc.
  const HeaderLines& headers() const { return headers_; }

  const ByteWindow& window() const { return window_; }
  std::uint64_t bytes_read() const { return bytes_read_; }  // decompressed
  std::vector<FileNote> take_notes() { return std::move(notes_); }

 private:
  static constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

  enum class Start { kRecord, kDamage, kNone };
  struct Head {
    std::size_t bytes = 0;
    std::uint64_t block_bytes = 0;
  };

  WarcRecords(ByteWindow window, std::string path, std::uint64_t limit, std::uint64_t max_bytes)
      : window_(std::move(window)), path_(std::move(path)), limit_(limit), max_bytes_(max_bytes) {}

  // warc_records.cc: the walk.
  Result<Start> find_start(WarcRecord* record);
  Result<Start> end_piece(WarcRecord* record);
  Result<Start> go_on_behind_damage(WarcRecord* record, std::string_view what);
  Result<bool> at_limit(std::uint64_t place) const;
  Result<void> set_place(WarcRecord* record);

  Result<bool> fill_line(std::size_t from);
  Result<bool> read_head(WarcRecord* record, Head* head);
  Result<void> skip_to_record(std::size_t from, WarcRecord* record, std::string_view reason,
                              std::string detail);
  void damage(std::size_t bytes, WarcRecord* record, std::string_view reason, std::string detail);
  void note(std::string kind, const std::string& detail);
  std::size_t find_record(std::size_t from) const;

  // warc_blocks.cc: what is behind a head.
  Result<void> read_block(const Head& head, WarcRecord* record);
  Result<void> start_too_long(const Head& head, WarcRecord* record);
  Result<void> jump_over_block(const Head& head, WarcRecord* record);
  Result<void> skip_block(const Head& head, WarcRecord* record);
  Result<bool> pass_over_block(const Head& head);
  Result<bool> is_followed_well(std::size_t from);
  Result<bool> is_followed_well_at(std::uint64_t place);
  Result<bool> go_on_in_next_member(std::size_t end);
  Result<void> end_early(std::size_t end, const Head& head, WarcRecord* record);

  ByteWindow window_;
  std::string path_;
  std::uint64_t limit_;  // records that start here or later are not ours; 0: to the end
  std::uint64_t max_bytes_;
  bool heads_only_ = false;
  bool is_arc_ = false;
  bool corruption_told_ = false;
  std::uint64_t ordinal_ = 0;  // records begun in the member
  std::size_t taken_ = 0;      // bytes of the window that the last record has
  std::uint64_t bytes_read_ = 0;
  HeaderLines headers_;
  std::string front_;  // of what is longer than the window keeps
  std::vector<FileNote> notes_;
};

}  // namespace headrace::read
