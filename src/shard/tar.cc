// SPDX-License-Identifier: Apache-2.0
#include "shard/tar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/error.h"

namespace headrace::shard {
namespace {

using Header = std::array<char, kTarBlock>;

constexpr std::uint64_t kMostExtension = 1 << 20;
constexpr std::uint64_t kArchiveUnit = 10240;

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + kTarBlock - 1) / kTarBlock * kTarBlock;
}

// The sum of its bytes, with blanks where the sum stands.
unsigned checksum(const char* header) {
  unsigned sum = 8 * ' ';
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    if (i < 148 || i >= 156) sum += static_cast<unsigned char>(header[i]);
  }
  return sum;
}

void put_octal(char* to, std::size_t digits, std::uint64_t value) {
  for (std::size_t i = digits; i-- > 0; value >>= 3) to[i] = static_cast<char>('0' + (value & 7));
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

void append_header(std::string_view name, char type, std::uint64_t bytes, std::string_view prefix,
                   std::string* out) {
  Header header{};
  std::memcpy(header.data(), name.data(), name.size());
  std::memcpy(header.data() + 100, "0000444", 7);
  std::memcpy(header.data() + 108, "0000000", 7);
  std::memcpy(header.data() + 116, "0000000", 7);
  put_octal(header.data() + 124, 11, bytes);
  put_octal(header.data() + 136, 11, 0);  // the same samples give the same bytes at any time
  header[156] = type;
  std::memcpy(header.data() + 257,
              "ustar\0"
              "00",
              8);
  std::memcpy(header.data() + 345, prefix.data(), prefix.size());
  put_octal(header.data() + 148, 6, checksum(header.data()));
  header[155] = ' ';
  out->append(header.data(), header.size());
}

void append_padded(std::string_view data, std::string* out) {
  out->append(data);
  out->append(padded(data.size()) - data.size(), '\0');
}

// "LENGTH KEY=VALUE\n", where LENGTH counts its own digits.
std::string pax_record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (rest + std::to_string(length).size() != length) ++length;
  return fmt::format("{} {}={}\n", length, key, value);
}

std::optional<std::uint64_t> number(const char* field, std::size_t width) {
  if (static_cast<unsigned char>(field[0]) == 0x80) {
    std::uint64_t value = 0;
    for (std::size_t i = 1; i < width; ++i) {
      if (value >> 55 != 0) return std::nullopt;
      value = (value << 8) | static_cast<unsigned char>(field[i]);
    }
    return value;
  }
  std::uint64_t value = 0;
  bool digits = false;
  for (std::size_t i = 0; i < width; ++i) {
    const char c = field[i];
    if (c == ' ' && !digits) continue;
    if (c == ' ' || c == '\0') break;
    if (c < '0' || c > '7') return std::nullopt;
    value = (value << 3) | static_cast<std::uint64_t>(c - '0');
    digits = true;
  }
  return value;
}

std::string_view text(const char* field, std::size_t width) {
  const std::string_view all(field, width);
  return all.substr(0, all.find('\0'));
}

}  // namespace

void append_tar_member(std::string_view name, std::string_view data, std::string* out) {
  std::string_view last = name;
  std::string_view prefix;
  bool fits = is_ascii(name);
  if (fits && name.size() > 100) {
    // Behind the first '/' that leaves at most 100 bytes.
    const std::size_t cut = name.find('/', name.size() - 101);
    fits = cut != std::string_view::npos && cut > 0 && cut <= 155 && cut + 1 < name.size();
    if (fits) {
      prefix = name.substr(0, cut);
      last = name.substr(cut + 1);
    }
  }
  if (!fits) {
    const std::string record = pax_record("path", name);
    append_header("././@PaxHeader", 'x', record.size(), "", out);
    append_padded(record, out);
    last = "member";  // readers of ustar alone see this
  }
  append_header(last, '0', data.size(), prefix, out);
  append_padded(data, out);
}

std::string tar_end(std::uint64_t bytes) {
  const std::uint64_t least = bytes + 2 * kTarBlock;
  const std::uint64_t whole = (least + kArchiveUnit - 1) / kArchiveUnit * kArchiveUnit;
  return std::string(whole - bytes, '\0');
}

Result<void> TarWalk::read(std::uint64_t offset, char* to, std::uint64_t bytes) const {
  if (file_ != nullptr) return file_->read(offset, {to, bytes});
  std::memcpy(to, memory_.data() + offset, bytes);
  return {};
}

// 'x' and 'g': records of pax; 'L': a name of GNU tar.
Result<void> TarWalk::read_extension(char type, std::uint64_t bytes) {
  if (bytes > kMostExtension) {
    return corrupt("offset {}: an extension header of {} bytes", at_, bytes);
  }
  std::string content(bytes, '\0');
  HEADRACE_RETURN_IF_ERROR(read(at_ + kTarBlock, content.data(), bytes));
  if (type == 'L') {
    long_name_ = std::string(text(content.data(), content.size()));
    return {};
  }
  std::string_view rest = content;
  while (!rest.empty()) {
    std::uint64_t length = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const auto digits = static_cast<std::size_t>(parsed.ptr - rest.data());
    const std::size_t equals = rest.find('=');
    if (parsed.ec != std::errc() || length > rest.size() || length < digits + 3 ||
        equals >= length || equals <= digits) {
      return corrupt("offset {}: a pax header that is none", at_);
    }
    const std::string_view key = rest.substr(digits + 1, equals - digits - 1);
    const std::string_view value = rest.substr(equals + 1, length - equals - 2);
    if (type == 'x' && key == "path") long_name_ = std::string(value);
    if (type == 'x' && key == "size") {
      const auto size = std::from_chars(value.data(), value.data() + value.size(), long_size_);
      if (size.ec != std::errc() || long_size_ > (std::uint64_t{1} << 50)) {
        return corrupt("offset {}: a pax header with the size '{}'", at_, value);
      }
      has_size_ = true;
    }
    rest.remove_prefix(length);
  }
  return {};
}

Result<bool> TarWalk::next(TarMember* member, bool open_end) {
  member->offset = at_;
  long_name_.clear();
  has_size_ = false;
  while (true) {
    if (at_ == end_ && open_end && member->offset == at_) return false;
    if (end_ - at_ < kTarBlock) {
      return corrupt("offset {}: cut: the archive has no end there", at_);
    }
    Header header;
    HEADRACE_RETURN_IF_ERROR(read(at_, header.data(), header.size()));
    const auto stated = number(header.data() + 148, 8);
    if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) {
      if (member->offset == at_) return false;
      return corrupt("offset {}: the archive ends behind an extension header", at_);
    }
    if (!stated || *stated != checksum(header.data())) {
      return corrupt("offset {}: no tar header (its checksum does not fit)", at_);
    }
    auto bytes = number(header.data() + 124, 12);
    const char type = header[156];
    const bool extension = type == 'x' || type == 'g' || type == 'L' || type == 'K';
    if (bytes && has_size_ && !extension) bytes = long_size_;
    if (!bytes || *bytes > end_ - at_ - kTarBlock || padded(*bytes) > end_ - at_ - kTarBlock) {
      return corrupt("offset {}: cut: the member has {} bytes, the archive {} more", at_,
                     bytes.value_or(0), end_ - at_ - kTarBlock);
    }
    if (extension) {
      if (type != 'K') HEADRACE_RETURN_IF_ERROR(read_extension(type, *bytes));
      at_ += kTarBlock + padded(*bytes);
      continue;
    }
    member->data_offset = at_ + kTarBlock;
    member->bytes = *bytes;
    member->regular = type == '0' || type == '\0';
    at_ = member->end = member->data_offset + padded(*bytes);
    if (!long_name_.empty()) {
      member->name = long_name_;
      return true;
    }
    const bool ustar = std::memcmp(header.data() + 257, "ustar", 6) == 0;
    const std::string_view prefix = ustar ? text(header.data() + 345, 155) : "";
    member->name = std::string(prefix);
    if (!prefix.empty()) member->name += '/';
    member->name += text(header.data(), 100);
    return true;
  }
}

}  // namespace headrace::shard
