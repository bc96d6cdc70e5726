// SPDX-License-Identifier: Apache-2.0
#include "io/internal/exact_inflate.h"

#include <algorithm>
#include <limits>
#include <zlib.h>

namespace headrace::io {
namespace {

constexpr std::size_t kScratchBytes = std::size_t{1} << 16;
constexpr std::size_t kMost = std::numeric_limits<uInt>::max() / 2;

int window_bits(ExactInflate::Wrapper wrapper) {
  switch (wrapper) {
    case ExactInflate::Wrapper::kGzip:
      return MAX_WBITS + 16;
    case ExactInflate::Wrapper::kZlib:
      return MAX_WBITS;
    case ExactInflate::Wrapper::kNone:
      break;
  }
  return -MAX_WBITS;
}

}  // namespace

struct ExactInflate::Stream {
  z_stream state{};
  bool good = false;
};

void ExactInflate::Free::operator()(Stream* stream) const {
  ::inflateEnd(&stream->state);
  delete stream;
}

ExactInflate::ExactInflate(Wrapper wrapper, std::uint64_t passed)
    : stream_(new Stream), passed_(passed) {
  stream_->good = ::inflateInit2(&stream_->state, window_bits(wrapper)) == Z_OK;
}

ExactInflate::Step ExactInflate::step(std::string_view input, std::span<char> output) {
  if (!stream_->good) return {State::kDamaged, 0, 0};
  const bool passes = passed_ > 0;
  if (passes) {
    scratch_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(passed_, kScratchBytes)));
    output = scratch_;
  }
  z_stream& state = stream_->state;
  const std::size_t given = std::min(input.size(), kMost);
  const std::size_t room = std::min(output.size(), kMost);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  state.avail_in = static_cast<uInt>(given);
  state.next_out = reinterpret_cast<Bytef*>(output.data());
  state.avail_out = static_cast<uInt>(room);
  const int outcome = ::inflate(&state, Z_NO_FLUSH);
  Step step{State::kGoesOn, given - state.avail_in, room - state.avail_out};
  if (outcome == Z_STREAM_END) {
    step.state = State::kEnded;
  } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {  // that: no input
    step.state = State::kDamaged;
  }
  if (passes) {
    passed_ -= step.made;
    step.made = 0;
  }
  return step;
}

std::string_view ExactInflate::fault() const {
  if (!stream_->good) return "no memory for a decoder";
  const std::string_view message =
      stream_->state.msg == nullptr ? std::string_view() : stream_->state.msg;
  if (message.ends_with("data check") || message.ends_with("length check")) {
    return "a wrong checksum or length";
  }
  const bool is_header = message.find("header") != message.npos ||
                         message == "unknown compression method" ||
                         message == "invalid window size";
  return is_header ? "a damaged header" : "a damaged block";
}

}  // namespace headrace::io
