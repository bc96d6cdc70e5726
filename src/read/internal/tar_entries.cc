// SPDX-License-Identifier: Apache-2.0
// tar (POSIX.1-2001, 'pax' and 'ustar'; GNU's long names and binary sizes; the old V7 form).
//
// Everything lies in blocks of 512 bytes. A header has a checksum, so that blocks that are none can
// be told: they are passed over to the next good header, and told as damage. Names and sizes that
// do not fit come in members of their own before the one they speak of: pax records (type x), or
// GNU's type L. Global pax headers (type g) hold nothing that is needed here.
#include "read/internal/tar_entries.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"

namespace headrace::read {
namespace {

// Names and pax records are shorter; a longer one is damage.
constexpr std::uint64_t kMostExtensionBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60;

std::string_view up_to_zero(std::string_view text) { return text.substr(0, text.find('\0')); }

// Octal digits, or GNU's base 256; kNone if neither.
std::uint64_t parse_number(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if ((byte(0) & 0x80) != 0) {
    if ((byte(0) & 0x7F) != 0) return kNone;
    std::uint64_t value = 0;
    for (std::size_t i = 1; i < bytes.size(); ++i) {
      if (value >= kMostBytes / 256) return kNone;
      value = value * 256 + byte(i);
    }
    return value;
  }
  const std::size_t begin = bytes.find_first_not_of(' ');
  if (begin == bytes.npos) return 0;
  bytes.remove_prefix(begin);
  const std::string_view digits = bytes.substr(0, bytes.find_first_of(std::string_view("\0 ", 2)));
  if (digits.empty()) return 0;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  return error == std::errc() && end == digits.data() + digits.size() && value < kMostBytes ? value
                                                                                            : kNone;
}

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 511) / 512 * 512; }

}  // namespace

Result<bool> TarEntries::read_bytes(char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, archive_->read(to + done, size - done));
    if (got == 0) break;
    done += got;
  }
  offset_ += done;
  std::memset(to + done, 0, size - done);
  return done == size;
}

// False at the end of the archive, also inside a block.
Result<bool> TarEntries::read_block() {
  const std::uint64_t before = offset_;
  HEADRACE_ASSIGN_OR_RETURN(const bool whole, read_bytes(block_, kBlockBytes));
  if (!whole && offset_ > before) cut_off_ = true;
  return whole;
}

Result<bool> TarEntries::pass(std::uint64_t bytes) {
  std::string scratch(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 18)), '\0');
  while (bytes > 0) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, scratch.size()));
    HEADRACE_ASSIGN_OR_RETURN(const bool whole, read_bytes(scratch.data(), size));
    if (!whole) {
      cut_off_ = true;
      return false;
    }
    bytes -= size;
  }
  return true;
}

std::string_view TarEntries::field(std::size_t begin, std::size_t size) const {
  return std::string_view(block_, kBlockBytes).substr(begin, size);
}

// Of all bytes, with blanks for the checksum itself; some old writers summed signed bytes.
bool TarEntries::has_good_checksum() const {
  constexpr std::size_t kBegin = 148;
  constexpr std::size_t kEnd = 156;
  std::int64_t plain = 0;
  std::int64_t with_sign = 0;
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    const char c = i >= kBegin && i < kEnd ? ' ' : block_[i];
    plain += static_cast<unsigned char>(c);
    with_sign += static_cast<signed char>(c);
  }
  const std::uint64_t stated = parse_number(field(kBegin, kEnd - kBegin));
  return stated == static_cast<std::uint64_t>(plain) ||
         stated == static_cast<std::uint64_t>(with_sign);
}

std::string TarEntries::header_name() const {
  if (!pax_path_.empty()) return pax_path_;
  if (!long_name_.empty()) return long_name_;
  const std::string name(up_to_zero(field(0, 100)));
  // GNU's own form has times where ustar has the prefix.
  const bool has_prefix = field(257, 6) == std::string_view("ustar\0", 6);
  const std::string_view prefix = has_prefix ? up_to_zero(field(345, 155)) : std::string_view();
  return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

// "LENGTH KEY=VALUE\n", where LENGTH counts all of it.
void TarEntries::parse_pax(std::string_view records) {
  while (!records.empty()) {
    std::size_t length = 0;
    const auto [end, error] =
        std::from_chars(records.data(), records.data() + records.size(), length);
    const auto digits = static_cast<std::size_t>(end - records.data());
    if (error != std::errc() || length > records.size() || length < digits + 2) return;
    const std::string_view record = records.substr(digits + 1, length - digits - 2);
    const std::size_t equals = record.find('=');
    if (equals != record.npos) {
      const std::string_view key = record.substr(0, equals);
      const std::string_view value = record.substr(equals + 1);
      if (key == "path" || key == "GNU.sparse.name") pax_path_ = value;
      if (key == "size") {
        const auto [last, fault] =
            std::from_chars(value.data(), value.data() + value.size(), pax_size_);
        bad_pax_size_ =
            fault != std::errc() || last != value.data() + value.size() || pax_size_ >= kMostBytes;
      }
    }
    records.remove_prefix(length);
  }
}

// True if the block was an extension header, which is then taken in.
Result<bool> TarEntries::take_extension(char type, std::uint64_t size) {
  if (type != 'x' && type != 'g' && type != 'L' && type != 'K' && type != 'X') return false;
  if (type == 'g' || type == 'K' || size > kMostExtensionBytes) {
    HEADRACE_RETURN_IF_ERROR(pass(padded(size)));
    return true;
  }
  std::string data(static_cast<std::size_t>(padded(size)), '\0');
  HEADRACE_ASSIGN_OR_RETURN(const bool whole, read_bytes(data.data(), data.size()));
  if (!whole) cut_off_ = true;
  data.resize(static_cast<std::size_t>(size));
  if (type == 'L') {
    long_name_ = up_to_zero(data);
  } else {
    parse_pax(data);
  }
  return true;
}

// Reads on to a block with a good checksum; false if there is none. What is passed over is told in
// `entry->fault`, unless it is of zeros.
Result<bool> TarEntries::find_header(TarEntry* entry) {
  std::uint64_t bad = 0;
  for (;;) {
    const std::uint64_t offset = offset_;
    HEADRACE_ASSIGN_OR_RETURN(const bool whole, read_block());
    const bool good = whole && has_good_checksum();
    if (whole && !good) {
      const bool zeros = std::all_of(block_, block_ + kBlockBytes, [](char c) { return c == 0; });
      ended_ = zeros;
      if (zeros && bad == 0) continue;
      if (bad++ == 0) entry->offset = offset;
      continue;
    }
    if (!whole && !any_ && offset_ > offset && bad++ == 0) entry->offset = offset;
    if (bad > 0) {
      entry->fault =
          fmt::format("{} blocks from offset {} on hold no tar header", bad, entry->offset);
    }
    return good;
  }
}

Result<bool> TarEntries::next(TarEntry* entry) {
  *entry = {};
  long_name_.clear();
  pax_path_.clear();
  pax_size_ = kNone;
  bad_pax_size_ = false;
  if (left_ == kNone) {
    // The block at hand is the header behind damage that was told.
    left_ = 0;
  } else {
    HEADRACE_ASSIGN_OR_RETURN(const bool whole, pass(left_));
    left_ = data_left_ = 0;
    if (!whole) return false;
    HEADRACE_ASSIGN_OR_RETURN(const bool found, find_header(entry));
    if (!entry->fault.empty()) {
      entry->kind = TarEntry::Kind::kDamage;
      if (found) left_ = kNone;
      return true;
    }
    if (!found) {
      if (any_ && !ended_) cut_off_ = true;
      return false;
    }
  }
  for (;;) {
    const char type = block_[156];
    std::uint64_t size = parse_number(field(124, 12));
    if (bad_pax_size_) size = kNone;
    entry->offset = offset_ - kBlockBytes;
    any_ = true;
    ended_ = false;
    if (size == kNone) {
      entry->kind = TarEntry::Kind::kDamage;
      entry->name = header_name();
      entry->fault = "its size is no number that a file can have";
      return true;
    }
    HEADRACE_ASSIGN_OR_RETURN(const bool is_extension, take_extension(type, size));
    if (!is_extension) {
      entry->name = header_name();
      entry->size = pax_size_ != kNone ? pax_size_ : size;
      break;
    }
    HEADRACE_ASSIGN_OR_RETURN(const bool found, find_header(entry));
    if (!entry->fault.empty()) {
      entry->kind = TarEntry::Kind::kDamage;
      if (found) left_ = kNone;
      return true;
    }
    if (!found) {
      cut_off_ = true;
      return false;
    }
  }
  const char type = block_[156];
  const bool is_folder = entry->name.ends_with('/');
  if (type == '0' || type == '\0' || type == '7') {
    entry->kind = is_folder ? TarEntry::Kind::kOther : TarEntry::Kind::kFile;
  } else if (type >= '1' && type <= '6') {
    entry->kind = TarEntry::Kind::kOther;
  } else {
    entry->kind = TarEntry::Kind::kUnknown;
  }
  // Links and devices have no data, whatever size they state.
  const bool has_data = entry->kind != TarEntry::Kind::kOther;
  data_left_ = has_data ? std::min(entry->size, kMostBytes) : 0;
  left_ = padded(data_left_);
  return true;
}

Result<bool> TarEntries::pass_data() {
  HEADRACE_ASSIGN_OR_RETURN(const bool whole, pass(data_left_));
  left_ = whole ? left_ - data_left_ : 0;
  data_left_ = 0;
  return whole;
}

Result<bool> TarEntries::read(std::uint64_t limit, std::string* data) {
  const std::uint64_t wanted = std::min(limit, data_left_);
  // A size is believed block by block: it may be damage.
  constexpr std::uint64_t kStep = std::uint64_t{1} << 20;
  data->clear();
  for (std::uint64_t left = wanted; left > 0;) {
    const auto step = static_cast<std::size_t>(std::min(left, kStep));
    const std::size_t before = data->size();
    data->resize(before + step);
    const std::uint64_t from = offset_;
    HEADRACE_ASSIGN_OR_RETURN(const bool whole, read_bytes(data->data() + before, step));
    const auto got = static_cast<std::size_t>(offset_ - from);
    left_ -= got;
    data_left_ -= got;
    left -= got;
    if (!whole) {
      data->resize(before + got);
      cut_off_ = true;
      return false;
    }
  }
  return true;
}

}  // namespace headrace::read
