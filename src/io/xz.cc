// SPDX-License-Identifier: Apache-2.0
// xz: any number of streams one after the other, with padding of four zero bytes between them
// (the .xz file format, 1.2.1, section 2).
//
// The memory is taken that the dictionary of a stream asks for (up to 1.5 GiB by `xz`'s presets and
// options); most ask for 8 MiB. A block's checksum is known after its bytes have been handed out.
#include <lzma.h>
#include <utility>

#include "base/error.h"
#include "io/internal/framed_stream.h"

namespace headrace::io {
namespace {

constexpr std::string_view kMagic(
    "\xFD"
    "7zXZ\0",
    6);
constexpr std::string_view kPadding("\0\0\0\0", 4);

std::string_view fault_name(lzma_ret outcome) {
  switch (outcome) {
    case LZMA_FORMAT_ERROR:
      return "a damaged header";
    case LZMA_OPTIONS_ERROR:
      return "an option that this version does not know";
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR:
      return "no memory for the dictionary";
    default:
      return "a wrong checksum or damaged block";
  }
}

class XzDecoder final : public FrameDecoder {
 public:
  XzDecoder() = default;
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;
  ~XzDecoder() override { ::lzma_end(&state_); }

  Codec codec() const override { return Codec::kXz; }
  std::string_view frame_word() const override { return "xz stream"; }
  std::size_t magic_bytes() const override { return kMagic.size(); }
  bool begins_frame(std::string_view head) const override { return kMagic.starts_with(head); }
  std::string_view padding() const override { return kPadding; }

  Result<void> start() override {
    if (::lzma_stream_decoder(&state_, UINT64_MAX, 0) != LZMA_OK) {
      return resource_exhausted("no memory for an xz decoder");
    }
    return {};
  }

  Step step(std::string_view input, std::span<char> output) override {
    state_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    state_.avail_in = input.size();
    state_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    state_.avail_out = output.size();
    const lzma_ret outcome = ::lzma_code(&state_, LZMA_RUN);
    Step step{.state = State::kGoesOn,
              .taken = input.size() - state_.avail_in,
              .made = output.size() - state_.avail_out,
              .fault = ""};
    if (outcome == LZMA_STREAM_END) {
      step.state = State::kFrameDone;
    } else if (outcome != LZMA_OK && outcome != LZMA_BUF_ERROR) {  // that: no input
      step.state = State::kDamaged;
      step.fault = fault_name(outcome);
    }
    return step;
  }

 private:
  lzma_stream state_ = LZMA_STREAM_INIT;
};

}  // namespace

Result<std::unique_ptr<InputStream>> make_xz_stream(BlockSource source) {
  return make_framed_stream(std::move(source), std::make_unique<XzDecoder>());
}

}  // namespace headrace::io
