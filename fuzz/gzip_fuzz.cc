// SPDX-License-Identifier: Apache-2.0
// Any bytes as a gzip file and as a body in a gzip or deflate coding, against zlib.
//
// What zlib takes whole must come out whole and equal, in any pieces, member by member, and between
// the points of a frame index. Of damaged data the front must be what zlib gives, as far as both
// give it, and never be called whole.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

#include "check.h"
#include "io/content_coding.h"
#include "io/gzip_member_reader.h"
#include "io/random_file.h"
#include "streams.h"

namespace {

using headrace::fuzz::check;
using headrace::fuzz::kMostDecompressed;
using headrace::fuzz::Reading;
using headrace::io::Decoded;
using headrace::io::StreamEnd;

struct Reference {
  std::string bytes;
  bool whole = false;    // no damage
  bool cut_off = false;  // nothing wrong but that it ends early
  std::size_t taken = 0;
};

// `window_bits` as zlib wants them; members one after the other if `joined`.
Reference inflate_all(std::string_view input, int window_bits, bool joined) {
  Reference reference;
  z_stream state{};
  check(inflateInit2(&state, window_bits) == Z_OK, "zlib starts");
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  state.avail_in = static_cast<uInt>(input.size());
  std::string buffer(1 << 16, '\0');
  for (;;) {
    state.next_out = reinterpret_cast<Bytef*>(buffer.data());
    state.avail_out = static_cast<uInt>(buffer.size());
    const int outcome = inflate(&state, Z_NO_FLUSH);
    reference.bytes.append(buffer.data(), buffer.size() - state.avail_out);
    reference.taken = input.size() - state.avail_in;
    if (reference.bytes.size() > kMostDecompressed + 2) break;
    if (outcome == Z_STREAM_END) {
      const std::string_view rest = input.substr(reference.taken);
      if (joined && rest.starts_with("\x1f\x8b")) {
        inflateReset(&state);
        continue;
      }
      reference.whole = true;
    } else if (outcome == Z_OK) {
      continue;
    } else {
      reference.cut_off = outcome == Z_BUF_ERROR;
    }
    break;
  }
  inflateEnd(&state);
  return reference;
}

bool agree(std::string_view a, std::string_view b) {
  const std::size_t both = std::min(a.size(), b.size());
  return a.substr(0, both) == b.substr(0, both);
}

// All members one after the other, as far as they are good.
Reading read_members(const std::string& path) {
  using headrace::io::GzipMembers;
  Reading reading;
  auto file = headrace::io::RandomFile::open(path);
  check(file.has_value(), "a local file opens");
  const std::uint64_t file_bytes = file->bytes();
  GzipMembers members(std::move(*file));
  std::string buffer(1000, '\0');
  std::uint64_t last = 0;
  for (;;) {
    auto state = members.next();
    check(state.has_value(), "damage is no error");
    check(members.member() >= last && members.member() <= file_bytes, "members ascend");
    last = members.member();
    while (*state == GzipMembers::State::kInside) {
      std::size_t got = 0;
      state = members.read(buffer.data(), buffer.size(), &got);
      check(state.has_value(), "damage is no error");
      reading.bytes.append(buffer.data(), got);
      reading.too_long = reading.bytes.size() > kMostDecompressed;
      if (reading.too_long) return reading;
    }
    if (*state == GzipMembers::State::kBetween) continue;
    reading.end = *state == GzipMembers::State::kGarbage     ? StreamEnd::kTrailingGarbage
                  : *state == GzipMembers::State::kTruncated ? StreamEnd::kTruncated
                  : *state == GzipMembers::State::kCorrupt   ? StreamEnd::kCorrupt
                                                             : StreamEnd::kWhole;
    return reading;
  }
}

void check_file(std::string_view bytes) {
  const headrace::fuzz::InputFile file(".gz", bytes);
  const Reading whole = headrace::fuzz::read_stream(file.path(), 1 << 16);
  if (whole.too_long) return;
  const Reference reference = inflate_all(bytes, 15 + 16, true);
  check(agree(whole.bytes, reference.bytes), "the front is zlib's");
  const bool all = reference.whole && reference.taken == bytes.size();
  if (reference.whole) {
    check(whole.bytes == reference.bytes, "what zlib takes comes out whole");
    check(all ? whole.end == StreamEnd::kWhole : whole.end != StreamEnd::kCorrupt,
          "what zlib takes is not called damaged");
  } else {
    check(whole.end != StreamEnd::kWhole && whole.end != StreamEnd::kTrailingGarbage,
          "what zlib refuses is not called whole");
  }
  check(whole.bytes.size() <= reference.bytes.size(), "no more than zlib gives");
  const std::size_t small = 1 + bytes.size() % 61 + whole.bytes.size() / 1000;
  const Reading again = headrace::fuzz::read_stream(file.path(), small);
  check(again.bytes == whole.bytes && again.end == whole.end, "buffers do not matter");
  const Reading members = read_members(file.path());
  check(members.bytes == whole.bytes && members.end == whole.end, "members give the same");
  headrace::fuzz::check_index(file.path(), bytes.size(), whole);

  const auto random = headrace::io::RandomFile::open(file.path());
  const auto any = [](std::string_view front) { return !front.empty(); };
  // From a few places: each call looks at all that follows.
  std::uint64_t from = 0;
  for (int i = 0; i < 3 && from < bytes.size(); ++i) {
    const auto found = headrace::io::find_gzip_member(*random, from, bytes.size(), any);
    check(found.has_value(), "damage is no error");
    if (!*found) break;
    check(**found >= from && **found < bytes.size(), "a member is found where it was looked for");
    check(bytes.substr(**found).starts_with("\x1f\x8b"), "a member begins there");
    from = **found + 1;
  }
}

void check_body(std::string_view coding, std::string_view bytes, const Reference& reference) {
  std::string body;
  const Decoded outcome = headrace::io::decode_content(coding, bytes, kMostDecompressed, &body);
  if (outcome == Decoded::kTooLong) return;
  check(outcome != Decoded::kUnknown, "the coding is known");
  check(agree(body, reference.bytes), "the front is zlib's");
  check((outcome == Decoded::kWhole) == reference.whole, "whole is what zlib calls whole");
  if (reference.whole) check(body == reference.bytes, "what zlib takes comes out whole");
  check(body.size() <= reference.bytes.size(), "no more than zlib gives");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  if (bytes.starts_with("\x1f\x8b")) {
    check_file(bytes);
    const Reference reference = inflate_all(bytes, 15 + 16, true);
    if (reference.bytes.size() <= kMostDecompressed) check_body("gzip", bytes, reference);
    return 0;
  }
  // Servers send deflate with and without zlib's header.
  Reference reference = inflate_all(bytes, 15, false);
  if (reference.bytes.empty() && !reference.whole) reference = inflate_all(bytes, -15, false);
  if (reference.bytes.size() <= kMostDecompressed) check_body("deflate", bytes, reference);
  return 0;
}
