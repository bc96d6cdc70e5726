// SPDX-License-Identifier: Apache-2.0
// lz4: any number of frames, skippable ones among them (LZ4 frame format 1.6.3).
//
// The old format of `lz4 -l`, which has no checksums, is not read.
#include <utility>

#include <lz4frame.h>

#include "base/error.h"
#include "io/internal/framed_stream.h"

namespace headrace::io {
namespace {

constexpr std::string_view kMagic = "\x04\x22\x4D\x18";
constexpr std::string_view kSkippableTail = "\x2A\x4D\x18";

class Lz4Decoder final : public FrameDecoder {
 public:
  explicit Lz4Decoder(LZ4F_dctx* state) : state_(state) {}
  Lz4Decoder(const Lz4Decoder&) = delete;
  Lz4Decoder& operator=(const Lz4Decoder&) = delete;
  ~Lz4Decoder() override { ::LZ4F_freeDecompressionContext(state_); }

  Codec codec() const override { return Codec::kLz4; }
  std::string_view frame_word() const override { return "lz4 frame"; }
  std::size_t magic_bytes() const override { return kMagic.size(); }
  bool begins_frame(std::string_view head) const override {
    if (kMagic.starts_with(head)) return true;
    return (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50 &&
           kSkippableTail.starts_with(head.substr(1));
  }

  Result<void> start() override {
    ::LZ4F_resetDecompressionContext(state_);
    return {};
  }

  Step step(std::string_view input, std::span<char> output) override {
    Step step{.state = State::kGoesOn, .taken = input.size(), .made = output.size(), .fault = ""};
    const std::size_t outcome =
        ::LZ4F_decompress(state_, output.data(), &step.made, input.data(), &step.taken, nullptr);
    if (::LZ4F_isError(outcome) != 0) {
      step = {
          .state = State::kDamaged, .taken = 0, .made = 0, .fault = ::LZ4F_getErrorName(outcome)};
    } else if (outcome == 0) {
      step.state = State::kFrameDone;
    }
    return step;
  }

 private:
  LZ4F_dctx* state_;
};

}  // namespace

Result<std::unique_ptr<InputStream>> make_lz4_stream(BlockSource source) {
  LZ4F_dctx* state = nullptr;
  if (::LZ4F_isError(::LZ4F_createDecompressionContext(&state, LZ4F_VERSION)) != 0) {
    return resource_exhausted("reading {}: no memory for an lz4 decoder", source.path());
  }
  return make_framed_stream(std::move(source), std::make_unique<Lz4Decoder>(state));
}

}  // namespace headrace::io
