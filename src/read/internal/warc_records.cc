// SPDX-License-Identifier: Apache-2.0
// Framing of WARC 0.17 to 1.1 (ISO 28500) and ARC 1 and 2.
//
// A record is a head of lines, an empty line, a block of as many bytes as the head says, and empty
// lines. Only the length says where a block ends: text may hold "WARC/1.0". So a length is believed
// when another record, or the end, follows it. Where something else follows, or the file ends
// before, the record is set aside whole, from its start to the next head that can be found, and
// reading goes on there: a wrong length never swallows its neighbours.
//
// Line ends may be LF, CRLF or with more CRs; any number of empty lines may stand between records.
//
// In gzip files members are the second frame. The bytes of a damaged one are set aside, and reading
// goes on at the next member that begins with a record. A record may go on in the next member when
// that does not begin with one (files that were cut into blocks).
#include "read/internal/warc_records.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "io/uri.h"

namespace headrace::read {
namespace {

// No file is longer: places in it are numbers of 40 bits (record/document.h).
constexpr std::uint64_t kLongestBlock = DocumentId::kMaxPlace;

// A stated length; 0 where there is none, or none that can be.
std::uint64_t length_of(std::string_view digits) {
  const std::uint64_t length = parse_digits(digits).value_or(0);
  return length <= kLongestBlock ? length : 0;
}

constexpr std::size_t kMostHeadBytes = std::size_t{1} << 20;
constexpr std::size_t kMostNotes = 16;

}  // namespace

Result<WarcRecords> WarcRecords::open(const Split& split, std::uint64_t max_record_bytes) {
  HEADRACE_ASSIGN_OR_RETURN(ByteWindow window,
                            ByteWindow::open(split.path, split.begin, starts_record));
  const bool has_limit = window.has_members() || window.is_plain();
  WarcRecords records(std::move(window), split.path, has_limit ? split.end : 0, max_record_bytes);
  std::string_view name = io::without_query(split.path);
  name.remove_suffix(io::compression_extension(name).size());
  records.is_arc_ = name.ends_with(".arc");
  return records;
}

void WarcRecords::note(std::string kind, const std::string& detail) {
  if (notes_.size() < kMostNotes) notes_.push_back({std::move(kind), detail});
}

Result<bool> WarcRecords::next(WarcRecord* record) {
  *record = {};
  bytes_read_ += taken_;
  window_.consume(std::exchange(taken_, 0));
  HEADRACE_ASSIGN_OR_RETURN(const Start start, find_start(record));
  if (start != Start::kRecord) return start == Start::kDamage;
  HEADRACE_RETURN_IF_ERROR(set_place(record));
  ++ordinal_;
  Head head;
  HEADRACE_ASSIGN_OR_RETURN(const bool has_head, read_head(record, &head));
  if (!has_head) return true;
  if (head.block_bytes > max_bytes_) {
    HEADRACE_RETURN_IF_ERROR(window_.is_plain() ? jump_over_block(head, record)
                                                : skip_block(head, record));
    return true;
  }
  if (heads_only_) {
    HEADRACE_ASSIGN_OR_RETURN(const bool passed, pass_over_block(head));
    if (passed) return true;
  }
  HEADRACE_RETURN_IF_ERROR(read_block(head, record));
  return true;
}

// Whether what starts at `place` belongs to the next split, which was cut at a record's start: this
// walk must come by there, too.
Result<bool> WarcRecords::at_limit(std::uint64_t place) const {
  if (limit_ == 0 || place < limit_) return false;
  if (place == limit_) return true;
  return corrupt(
      "{}: what looks like the start of a record at offset {} lies inside another one (an archive "
      "in an archive): decompress the file, or read it alone",
      path_, limit_);
}

Result<WarcRecords::Start> WarcRecords::find_start(WarcRecord* record) {
  for (;;) {
    const std::string_view bytes = window_.bytes();
    std::size_t blank = 0;
    while (blank < bytes.size() && is_line_end(bytes[blank])) ++blank;
    window_.consume(blank);
    bytes_read_ += blank;
    if (blank < bytes.size()) {
      if (!window_.is_plain()) return Start::kRecord;
      HEADRACE_ASSIGN_OR_RETURN(const bool done, at_limit(window_.offset()));
      return done ? Start::kNone : Start::kRecord;
    }
    HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.fill());
    if (more) continue;
    HEADRACE_ASSIGN_OR_RETURN(const Start start, end_piece(record));
    if (start != Start::kRecord) return start;
  }
}

// The piece has ended, and nothing of it is left. kRecord: the next one was begun.
Result<WarcRecords::Start> WarcRecords::end_piece(WarcRecord* record) {
  switch (window_.piece()) {
    case ByteWindow::Piece::kTruncated:
      note("truncated", window_.end_detail());
      return Start::kNone;
    case ByteWindow::Piece::kCorrupt:
      note("corrupt", window_.end_detail());
      return go_on_behind_damage(record, std::exchange(corruption_told_, false)
                                             ? std::string_view()
                                             : std::string_view(window_.end_detail()));
    default:
      break;
  }
  if (window_.has_members()) {
    const std::uint64_t next = window_.position();
    if (ordinal_ > next - window_.piece_begin()) {
      return unsupported(
          "{}: the gzip member at offset {} holds more records than it has bytes, so that ids "
          "cannot name them: decompress the file",
          path_, window_.piece_begin());
    }
    HEADRACE_ASSIGN_OR_RETURN(const bool done, at_limit(next));
    if (done) return Start::kNone;
  }
  HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.next_piece());
  ordinal_ = 0;
  if (more) return Start::kRecord;
  if (window_.end() == io::StreamEnd::kTruncated) note("truncated", window_.end_detail());
  if (window_.end() != io::StreamEnd::kTrailingGarbage) return Start::kNone;
  note("trailing_garbage", window_.end_detail());
  return go_on_behind_damage(record, window_.end_detail());
}

// Looks for the next good member. `what`, if not "", is told as one record without bytes.
Result<WarcRecords::Start> WarcRecords::go_on_behind_damage(WarcRecord* record,
                                                            std::string_view what) {
  const bool is_garbage = window_.end() == io::StreamEnd::kTrailingGarbage;
  const bool was_begun = ordinal_ > 0;
  HEADRACE_RETURN_IF_ERROR(set_place(record));
  std::optional<std::uint64_t> next;
  std::string detail(what);
  if (window_.has_members()) {
    const std::uint64_t limit = limit_ == 0 ? ~std::uint64_t{0} : limit_;
    HEADRACE_ASSIGN_OR_RETURN(next, window_.find_member(limit));
    // The next split begins with a good member.
    const bool goes_on = next.has_value() || (limit_ != 0 && limit_ < window_.file_bytes());
    const bool tell = !what.empty() && !was_begun && (goes_on || !is_garbage);
    if (goes_on) detail += fmt::format("; reading goes on at offset {}", next.value_or(limit_));
    if (next) {
      window_.seek(*next);
      ordinal_ = 0;
    } else {
      window_.seek(limit_ == 0 ? window_.position() : limit_);
      limit_ = window_.position();
    }
    if (tell) {
      damage(0, record, "corrupt", std::move(detail));
      return Start::kDamage;
    }
    if (!next) return Start::kNone;
    HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.next_piece());
    return more ? Start::kRecord : Start::kNone;
  }
  return Start::kNone;
}

Result<void> WarcRecords::set_place(WarcRecord* record) {
  record->place = window_.has_members() ? window_.piece_begin() + ordinal_ : window_.offset();
  if (record->place <= DocumentId::kMaxPlace) return {};
  return unsupported("{} is longer than the 1 TiB that ids can name; split the file", path_);
}

// Reads on until a whole line lies at `from`, or what passes for one.
Result<bool> WarcRecords::fill_line(std::size_t from) {
  std::size_t searched = from;
  for (;;) {
    const std::string_view bytes = window_.bytes();
    if (searched < bytes.size() && bytes.find('\n', searched) != bytes.npos) return true;
    searched = std::max(searched, bytes.size());
    if (bytes.size() > from + kMostLineBytes) return false;
    HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.fill());
    if (more) continue;
    HEADRACE_ASSIGN_OR_RETURN(const bool goes_on, go_on_in_next_member(searched));
    if (!goes_on) return false;
  }
}

// False if the record turned out to be damage.
Result<bool> WarcRecords::read_head(WarcRecord* record, Head* head) {
  HEADRACE_RETURN_IF_ERROR(fill_line(0));
  const std::size_t newline = window_.bytes().find('\n');
  const bool is_cut = window_.piece() != ByteWindow::Piece::kOpen;
  if (!starts_record(window_.bytes())) {
    const bool is_front =
        is_arc_ || std::string_view("WARC/").starts_with(window_.bytes().substr(0, 5));
    if (newline == std::string_view::npos && is_cut && is_front) {
      HEADRACE_RETURN_IF_ERROR(end_early(window_.bytes().size(), *head, record));
      return false;
    }
    HEADRACE_RETURN_IF_ERROR(skip_to_record(
        1, record, "not_warc", fmt::format("no WARC or ARC record starts at {}", record->place)));
    return false;
  }
  // By the record at hand: a split knows no other.
  is_arc_ = !is_version_line(window_.bytes());
  if (is_arc_) {
    record->kind = WarcRecord::Kind::kArc;
    parse_arc_line(window_.bytes().substr(0, newline), &record->arc);
    head->bytes = newline + 1;
    head->block_bytes = length_of(record->arc.length);
    return true;
  }
  // To the empty line.
  std::size_t line = newline + 1;
  for (;;) {
    HEADRACE_ASSIGN_OR_RETURN(const bool whole, fill_line(line));
    const std::string_view bytes = window_.bytes();
    const std::size_t end = bytes.find('\n', line);
    if (!whole || end == bytes.npos || line > kMostHeadBytes) {
      HEADRACE_RETURN_IF_ERROR(
          line > kMostHeadBytes || window_.piece() == ByteWindow::Piece::kOpen
              ? skip_to_record(1, record, "not_warc", "the head of the record does not end")
              : end_early(bytes.size(), *head, record));
      return false;
    }
    const bool is_empty = trim_line_end(bytes.substr(line, end + 1 - line)).empty();
    line = end + 1;
    if (is_empty) break;
  }
  headers_.parse(window_.bytes().substr(newline + 1, line - newline - 1));
  head->bytes = line;
  head->block_bytes = length_of(headers_.get("Content-Length"));
  return true;
}

// Where in the window a record starts at the beginning of a line, at or behind `from`.
std::size_t WarcRecords::find_record(std::size_t from) const {
  const std::string_view bytes = window_.bytes();
  if (is_arc_) {
    for (std::size_t line = from; line < bytes.size();) {
      if (starts_record(bytes.substr(line))) return line;
      const std::size_t newline = bytes.find('\n', line);
      if (newline == bytes.npos) break;
      line = newline + 1;
    }
    return std::string_view::npos;
  }
  for (std::size_t at = bytes.find("WARC/", from); at != bytes.npos;
       at = bytes.find("WARC/", at + 1)) {
    if ((at == 0 || bytes[at - 1] == '\n') && is_version_line(bytes.substr(at))) return at;
  }
  return std::string_view::npos;
}

// Sets aside what lies before the next record in the piece; the piece may end first.
Result<void> WarcRecords::skip_to_record(std::size_t from, WarcRecord* record,
                                         std::string_view reason, std::string detail) {
  front_.clear();
  std::uint64_t skipped = 0;
  const auto pass = [&](std::size_t bytes) {
    if (front_.size() < kFrontBytes) {
      front_ += window_.bytes().substr(0, std::min(bytes, kFrontBytes - front_.size()));
    }
    window_.consume(bytes);
    bytes_read_ += bytes;
    skipped += bytes;
  };
  for (;;) {
    const std::size_t found = find_record(from);
    if (found != std::string_view::npos) {
      pass(found);
      break;
    }
    // A line that is not all there yet is looked at again; one that is too long is none.
    std::size_t keep = 0;
    const std::string_view bytes = window_.bytes();
    if (const std::size_t line = bytes.rfind('\n'); line != bytes.npos) {
      keep = bytes.size() - line - 1;
    } else {
      keep = bytes.size();
    }
    if (keep > kMostLineBytes) keep = 1;
    if (bytes.size() > keep + 1) pass(bytes.size() - keep - 1);
    from = 1;
    HEADRACE_ASSIGN_OR_RETURN(const bool more, window_.fill());
    if (!more && find_record(from) == std::string_view::npos) {
      if (window_.piece() == ByteWindow::Piece::kCorrupt) corruption_told_ = true;
      pass(window_.bytes().size());
      break;
    }
  }
  if (window_.piece() == ByteWindow::Piece::kCorrupt) {
    reason = "corrupt";
    detail = window_.end_detail();
  }
  damage(0, record, reason, fmt::format("{}; {} bytes are set aside", detail, skipped));
  record->bytes = front_;
  return {};
}

void WarcRecords::damage(std::size_t bytes, WarcRecord* record, std::string_view reason,
                         std::string detail) {
  record->kind = WarcRecord::Kind::kDamage;
  record->reason = reason;
  record->detail = std::move(detail);
  record->block = {};
  record->bytes = window_.bytes().substr(0, bytes);
  taken_ = bytes;
}

}  // namespace headrace::read
