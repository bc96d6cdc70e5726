// SPDX-License-Identifier: Apache-2.0
// Members of a gzip file (RFC 1952), one at a time.
//
// isa-l's inflate, as in gzip.cc. Its decoder gives back up to eight bytes when a member ends, also
// bytes of the block before: the file is read by position, so these are read again.
#include "io/gzip_member_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "io/internal/exact_inflate.h"
#include "io/internal/inflate.h"

namespace headrace::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::string_view kMagic = "\x1f\x8b";
// Compressed bytes that give kMemberFrontBytes: a name in the header may come before them.
constexpr std::size_t kTrialBytes = std::size_t{1} << 13;

// Magic number, method and flags as in every member.
bool may_begin_member(std::string_view bytes) {
  return bytes.size() >= kFlagsEnd && bytes.starts_with(kMagic) && bytes[2] == '\x08' &&
         !has_reserved_flags(bytes);
}

std::string_view front_of_member(std::string_view input, inflate_state* state, char* front) {
  start_inflate(state, ISAL_GZIP);
  state->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(input.data()));
  state->avail_in = static_cast<std::uint32_t>(input.size());
  state->next_out = reinterpret_cast<std::uint8_t*>(front);
  state->avail_out = kMemberFrontBytes;
  // Damage right behind the front does not count here: reading will find it.
  isal_inflate(state);
  return {front, kMemberFrontBytes - state->avail_out};
}

}  // namespace

struct GzipMembers::Inflate {
  inflate_state state;
  std::optional<ExactInflate> exact;  // of a member in which `state` met an error
  std::uint64_t made = 0;             // of the member
};

Result<std::optional<std::uint64_t>> find_gzip_member(const RandomFile& file, std::uint64_t from,
                                                      std::uint64_t limit,
                                                      const AcceptMember& accept) {
  limit = std::min(limit, file.bytes());
  const auto state = std::make_unique<inflate_state>();
  std::string block;
  char front[kMemberFrontBytes];
  while (from < limit) {
    // Blocks overlap, so that a member that begins in one has its front in it, too.
    block.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(kBlockBytes + kTrialBytes, file.bytes() - from)));
    HEADRACE_RETURN_IF_ERROR(file.read(from, block));
    const std::string_view bytes = block;
    const auto reach = static_cast<std::size_t>(std::min<std::uint64_t>(kBlockBytes, limit - from));
    for (std::size_t at = bytes.find(kMagic); at < reach; at = bytes.find(kMagic, at + 1)) {
      if (may_begin_member(bytes.substr(at)) &&
          accept(front_of_member(bytes.substr(at, kTrialBytes), state.get(), front))) {
        return std::optional(from + at);
      }
    }
    from += reach;
  }
  return std::optional<std::uint64_t>();
}

GzipMembers::GzipMembers(RandomFile file, std::uint64_t begin)
    : file_(std::move(file)),
      inflate_(std::make_unique<Inflate>()),
      block_(std::make_unique_for_overwrite<char[]>(kBlockBytes)),
      block_end_(begin),
      member_(begin) {}

GzipMembers::~GzipMembers() = default;
GzipMembers::GzipMembers(GzipMembers&&) noexcept = default;

std::uint64_t GzipMembers::position() const { return block_end_ - (end_ - begin_); }

void GzipMembers::seek(std::uint64_t offset) {
  begin_ = end_ = 0;
  block_end_ = offset;
  detail_.clear();
}

// Makes `bytes` lie in input(), or all that the file has.
Result<void> GzipMembers::refill(std::size_t bytes) {
  if (end_ - begin_ >= bytes || block_end_ >= file_.bytes()) return {};
  const std::uint64_t from = position();
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(kBlockBytes, file_.bytes() - from));
  HEADRACE_RETURN_IF_ERROR(file_.read(from, {block_.get(), size}));
  begin_ = 0;
  end_ = size;
  block_end_ = from + size;
  return {};
}

Result<GzipMembers::State> GzipMembers::next() {
  HEADRACE_RETURN_IF_ERROR(refill(kFlagsEnd));
  member_ = position();
  if (input().empty()) return State::kEnd;
  if (input().starts_with(kMagic)) {
    start_inflate(&inflate_->state, ISAL_GZIP);
    inflate_->exact.reset();
    inflate_->made = 0;
    return State::kInside;
  }
  if (kMagic.starts_with(input())) {
    detail_ = fmt::format("the file ends at offset {} inside a gzip header", file_.bytes());
    return State::kTruncated;
  }
  detail_ = fmt::format("the bytes from offset {} on are not a gzip member", member_);
  return State::kGarbage;
}

// One call of isa-l or, once that has met an error in the member, of zlib.
GzipMembers::Step GzipMembers::step(std::span<char> output) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  const std::string_view bytes = input();
  if (inflate_->exact) {
    const ExactInflate::Step exact = inflate_->exact->step(bytes, output);
    begin_ += exact.taken;
    return {exact.made, exact.state == ExactInflate::State::kEnded,
            exact.state == ExactInflate::State::kDamaged};
  }
  inflate_state& state = inflate_->state;
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  state.next_in = const_cast<std::uint8_t*>(first);
  state.avail_in = static_cast<std::uint32_t>(bytes.size());
  state.next_out = reinterpret_cast<std::uint8_t*>(output.data());
  const auto room = static_cast<std::uint32_t>(std::min(output.size(), kMost));
  state.avail_out = room;
  if (isal_inflate(&state) < 0) {
    inflate_->exact.emplace(ExactInflate::Wrapper::kGzip, inflate_->made);
    seek(member_);
    return {};
  }
  const std::ptrdiff_t taken = state.next_in - first;
  if (taken >= 0) {
    begin_ += static_cast<std::size_t>(taken);
  } else {
    seek(position() + static_cast<std::uint64_t>(taken));
  }
  return {room - state.avail_out, state.block_state == ISAL_BLOCK_FINISH, false};
}

Result<GzipMembers::State> GzipMembers::read(char* buffer, std::size_t size, std::size_t* got) {
  *got = 0;
  const auto damaged = [&](std::string_view fault) {
    detail_ = fmt::format("{} in the gzip member that starts at offset {}, near offset {}", fault,
                          member_, position());
    return State::kCorrupt;
  };
  while (*got < size) {
    HEADRACE_RETURN_IF_ERROR(refill(1));
    if (position() == member_ && has_reserved_flags(input())) return damaged("a damaged header");
    const Step step = this->step({buffer + *got, size - *got});
    *got += step.made;
    inflate_->made += step.made;
    if (step.damaged) return damaged(inflate_->exact->fault());
    if (step.ended) return State::kBetween;
    if (step.made == 0 && position() >= file_.bytes()) {
      detail_ =
          fmt::format("the file ends at offset {} inside the gzip member that starts at offset {}",
                      position(), member_);
      return State::kTruncated;
    }
  }
  return State::kInside;
}

}  // namespace headrace::io
