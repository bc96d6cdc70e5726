// SPDX-License-Identifier: Apache-2.0
// Blocks of WARC and ARC records: whether their length is right, and those that are too long to
// hold.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "read/internal/warc_records.h"

namespace headrace::read {

// Whether, behind empty lines at `from`, a record starts or the piece ends.
Result<bool> WarcRecords::is_followed_well(std::size_t from) {
  for (;;) {
    const std::string_view bytes = window_.bytes();
    while (from < bytes.size() && is_line_end(bytes[from])) ++from;
    if (from < bytes.size()) break;
    HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.fill());
    if (!more) return true;
  }
  HEADRACE_RETURN_IF_ERROR(fill_line(from));
  const std::string_view rest = window_.bytes().substr(from);
  if (starts_record(rest)) return true;
  // The front of a line that the piece's end cuts off.
  const bool has_line = rest.substr(0, kMostLineBytes).find('\n') != rest.npos;
  return !has_line && window_.piece() != ByteWindow::Piece::kOpen &&
         (is_arc_ || std::string_view("WARC/1.0").starts_with(rest.substr(0, 8)));
}

// The same at a place of a plain file that is not in the window.
Result<bool> WarcRecords::is_followed_well_at(std::uint64_t place) {
  if (place > window_.file_bytes()) return false;
  HEADRACE_ASSIGN_OR_RETURN(const std::string front, window_.peek(place, 2 * kMostLineBytes));
  const bool to_end = place + front.size() == window_.file_bytes();
  const std::size_t begin = front.find_first_not_of("\r\n");
  if (begin == front.npos) return to_end;
  const std::string_view rest = std::string_view(front).substr(begin);
  if (starts_record(rest)) return true;
  return to_end && rest.find('\n') == rest.npos &&
         (is_arc_ || std::string_view("WARC/1.0").starts_with(rest.substr(0, 8)));
}

Result<bool> WarcRecords::go_on_in_next_member(std::size_t end) {
  if (!window_.has_members() || window_.piece() != ByteWindow::Piece::kWhole) return false;
  if (limit_ != 0 && window_.position() >= limit_) return false;
  HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.next_piece());
  ordinal_ = 0;
  if (!more) return false;
  // As much of a first line as the member has.
  while (window_.bytes().find('\n', end) == std::string_view::npos &&
         window_.bytes().size() <= end + kMostLineBytes) {
    HEADRACE_ASSIGN_OR_RETURN(const bool line_goes_on, window_.fill());
    if (!line_goes_on) break;
  }
  return !starts_record(window_.bytes().substr(end));
}

Result<void> WarcRecords::read_block(const Head& head, WarcRecord* record) {
  const std::size_t total = head.bytes + static_cast<std::size_t>(head.block_bytes);
  for (;;) {
    HEADRACE_ASSIGN_OR_RETURN(const bool whole, window_.fill_to(total));
    if (whole) break;
    const std::size_t end = window_.bytes().size();
    HEADRACE_ASSIGN_OR_RETURN(const bool goes_on, go_on_in_next_member(end));
    if (!goes_on) return end_early(end, head, record);
  }
  HEADRACE_ASSIGN_OR_RETURN(const bool good, is_followed_well(total));
  if (!good) {
    return skip_to_record(head.bytes, record, "wrong_length",
                          fmt::format("no record follows the {} bytes that the record at {} says "
                                      "it has",
                                      head.block_bytes, record->place));
  }
  const std::string_view rest = window_.bytes().substr(total);
  const bool is_last = std::all_of(rest.begin(), rest.end(), is_line_end);
  if (is_last && window_.piece() == ByteWindow::Piece::kCorrupt) {
    corruption_told_ = true;
    damage(window_.bytes().size(), record, "corrupt", window_.end_detail());
    return {};
  }
  // Views move when the window is filled, so they are taken last.
  const std::string_view bytes = window_.bytes();
  const std::size_t line = bytes.find('\n') + 1;
  if (record->kind == WarcRecord::Kind::kArc) {
    parse_arc_line(bytes.substr(0, line), &record->arc);
  } else {
    headers_.parse(bytes.substr(line, head.bytes - line));
  }
  record->cut_off = is_last && window_.piece() == ByteWindow::Piece::kTruncated;
  record->bytes = bytes.substr(0, total);
  record->block = record->bytes.substr(head.bytes);
  taken_ = total;
  return {};
}

// The piece ends at `end`, before the record does.
Result<void> WarcRecords::end_early(std::size_t end, const Head& head, WarcRecord* record) {
  const std::string_view bytes = window_.bytes();
  if (window_.piece() == ByteWindow::Piece::kCorrupt && end == bytes.size()) {
    corruption_told_ = true;
    damage(end, record, "corrupt", window_.end_detail());
    return {};
  }
  if (head.bytes > 0 && find_record(head.bytes) < end) {
    return skip_to_record(head.bytes, record, "wrong_length",
                          fmt::format("another record starts inside the {} bytes that the record "
                                      "at {} says it has",
                                      head.block_bytes, record->place));
  }
  std::string detail =
      fmt::format("the record at {} is cut off: {} bytes of it are there", record->place, end);
  // An archive that is cut off is noted when its piece ends.
  if (window_.piece() != ByteWindow::Piece::kTruncated) note("truncated", detail);
  damage(end, record, "truncated", std::move(detail));
  return {};
}

Result<void> WarcRecords::start_too_long(const Head& head, WarcRecord* record) {
  HEADRACE_RETURN_IF_ERROR(window_.fill_to(kFrontBytes));
  front_ = window_.bytes().substr(0, kFrontBytes);
  record->too_long = true;
  record->bytes = front_;
  record->detail =
      fmt::format("the block has {} bytes, more than {}", head.block_bytes, max_bytes_);
  return {};
}

// Drops a record of a plain file that is over the limit. Whether it is as long as it says is seen
// at its end; if not, what follows its head is looked through for the next one.
Result<void> WarcRecords::jump_over_block(const Head& head, WarcRecord* record) {
  const std::uint64_t total = head.bytes + head.block_bytes;
  const std::uint64_t end = window_.offset() + total;
  HEADRACE_ASSIGN_OR_RETURN(const bool good, is_followed_well_at(end));
  if (good) {
    HEADRACE_RETURN_IF_ERROR(start_too_long(head, record));
    bytes_read_ += total;
    window_.seek(end);
    return {};
  }
  HEADRACE_RETURN_IF_ERROR(
      skip_to_record(head.bytes, record, "wrong_length",
                     fmt::format("no record follows the {} bytes that the record at {} says it has",
                                 head.block_bytes, record->place)));
  if (end > window_.file_bytes() && window_.bytes().empty()) {
    record->reason = "truncated";
    note("truncated", record->detail);
  }
  return {};
}

// Drops a record that is over the limit, as it streams by. What it took along, if it is not as long
// as it says, cannot be read again.
Result<void> WarcRecords::skip_block(const Head& head, WarcRecord* record) {
  HEADRACE_RETURN_IF_ERROR(start_too_long(head, record));
  std::uint64_t left = head.bytes + head.block_bytes;
  std::uint64_t passed = 0;
  bool ends_early = false;
  while (left > 0 && !ends_early) {
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(left, window_.bytes().size()));
    window_.consume(step);
    bytes_read_ += step;
    passed += step;
    left -= step;
    if (left == 0) break;
    HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.fill());
    if (more) continue;
    HEADRACE_ASSIGN_OR_RETURN(const bool goes_on, go_on_in_next_member(0));
    ends_early = !goes_on;
  }
  const bool whole =
      window_.piece() == ByteWindow::Piece::kWhole || window_.piece() == ByteWindow::Piece::kOpen;
  bool good = !ends_early;
  if (good) {
    HEADRACE_ASSIGN_OR_RETURN(good, is_followed_well(0));
  }
  if (good || !whole) return {};
  record->too_long = false;
  damage(0, record, "wrong_length",
         fmt::format("no record follows the {} bytes that the record at {} says it has; {} bytes "
                     "are set aside",
                     head.block_bytes, record->place, passed));
  record->bytes = front_;
  return {};
}

Result<bool> WarcRecords::pass_over_block(const Head& head) {
  const std::uint64_t total = head.bytes + head.block_bytes;
  if (!window_.is_plain() || total <= window_.bytes().size()) return false;
  const std::uint64_t start = window_.offset();
  window_.seek(start + total);
  HEADRACE_ASSIGN_OR_RETURN(const bool good, is_followed_well(0));
  if (!good) window_.seek(start);
  return good;
}

}  // namespace headrace::read
