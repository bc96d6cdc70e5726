// SPDX-License-Identifier: Apache-2.0
// bzip2: any number of streams one after the other, as pbzip2 writes them.
//
// A block's checksum is compared before its bytes are handed out, so what comes is good.
#include <algorithm>
#include <bzlib.h>
#include <limits>
#include <utility>

#include "base/error.h"
#include "io/internal/framed_stream.h"

namespace headrace::io {
namespace {

constexpr std::string_view kMagic = "BZh";
constexpr std::size_t kMost = std::numeric_limits<unsigned>::max() / 2;

class Bz2Decoder final : public FrameDecoder {
 public:
  ~Bz2Decoder() override { close(); }

  Codec codec() const override { return Codec::kBz2; }
  std::string_view frame_word() const override { return "bz2 stream"; }
  std::size_t magic_bytes() const override { return kMagic.size(); }
  bool begins_frame(std::string_view head) const override { return kMagic.starts_with(head); }

  Result<void> start() override {
    close();
    state_ = {};
    if (::BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) {
      return resource_exhausted("no memory for a bz2 decoder");
    }
    open_ = true;
    return {};
  }

  Step step(std::string_view input, std::span<char> output) override {
    const auto given = static_cast<unsigned>(std::min(input.size(), kMost));
    const auto room = static_cast<unsigned>(std::min(output.size(), kMost));
    state_.next_in = const_cast<char*>(input.data());
    state_.avail_in = given;
    state_.next_out = output.data();
    state_.avail_out = room;
    const int outcome = ::BZ2_bzDecompress(&state_);
    Step step{.state = State::kGoesOn,
              .taken = given - state_.avail_in,
              .made = room - state_.avail_out,
              .fault = ""};
    if (outcome == BZ_STREAM_END) {
      step.state = State::kFrameDone;
    } else if (outcome != BZ_OK) {
      step.state = State::kDamaged;
      step.fault = outcome == BZ_DATA_ERROR_MAGIC ? "a damaged header"
                   : outcome == BZ_MEM_ERROR      ? "no memory for a block"
                                                  : "a wrong checksum or damaged block";
    }
    return step;
  }

 private:
  void close() {
    if (open_) ::BZ2_bzDecompressEnd(&state_);
    open_ = false;
  }

  bz_stream state_{};
  bool open_ = false;
};

}  // namespace

Result<std::unique_ptr<InputStream>> make_bz2_stream(BlockSource source) {
  return make_framed_stream(std::move(source), std::make_unique<Bz2Decoder>());
}

}  // namespace headrace::io
