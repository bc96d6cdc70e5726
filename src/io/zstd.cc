// SPDX-License-Identifier: Apache-2.0
// Zstandard: any number of frames, skippable and empty ones among them (RFC 8878).
//
// Windows up to 2 GiB are accepted: `zstd --long=31` files are common among text dumps and the
// library's own limit of 128 MiB refuses them. The memory is taken only when a frame asks for it.
//
// Of a damaged frame the blocks in front of the damage are given out. A wrong checksum is known
// only after its frame's bytes have been handed out.
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "io/internal/codec_stream.h"
#include "io/internal/zstd_pieces.h"

namespace headrace::io {
namespace {

constexpr std::size_t kMagicBytes = 4;
constexpr int kLargestWindowLog = 31;

class ZstdStream final : public InputStream {
 public:
  ZstdStream(BlockSource source, ZstdPieces decoder)
      : source_(std::move(source)), decoder_(std::move(decoder)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    ZSTD_outBuffer output{buffer, size, 0};
    while (output.pos < size && !finished_) {
      if (between_frames_) {
        HEADRACE_RETURN_IF_ERROR(start_frame());
      } else {
        HEADRACE_RETURN_IF_ERROR(decompress(&output));
      }
    }
    return output.pos;
  }

  StreamEnd end() const override { return end_; }
  std::string end_detail() const override { return detail_; }
  std::uint64_t position() const override { return source_.position(); }
  Codec codec() const override { return Codec::kZstd; }

 private:
  Result<void> decompress(ZSTD_outBuffer* output) {
    if (source_.data().empty()) HEADRACE_RETURN_IF_ERROR(source_.refill(1));
    const std::size_t before = output->pos;
    std::size_t taken = 0;
    const std::size_t outcome = decoder_.step(source_.data(), output, &taken);
    source_.consume(taken);
    if (ZSTD_isError(outcome) != 0) {
      finish(StreamEnd::kCorrupt,
             fmt::format("{} in the zstd frame that starts at offset {}, near offset {}",
                         ZSTD_getErrorName(outcome), frame_, source_.position()));
    } else if (outcome == 0) {
      between_frames_ = true;
    } else if (output->pos == before && source_.data().empty() && source_.at_end_of_file()) {
      finish(
          StreamEnd::kTruncated,
          fmt::format("the file ends at offset {} inside the zstd frame that starts at offset {}",
                      source_.position(), frame_));
    }
    return {};
  }

  Result<void> start_frame() {
    HEADRACE_RETURN_IF_ERROR(source_.refill(kMagicBytes));
    const std::string_view head = source_.data().substr(0, kMagicBytes);
    frame_ = source_.position();
    if (head.empty()) {
      finish(StreamEnd::kWhole, "");
    } else if (!may_begin_zstd_frame(head)) {
      finish(StreamEnd::kTrailingGarbage,
             fmt::format("the bytes from offset {} on are not a zstd frame", frame_));
    } else {
      // A header that is cut off is found by decompress().
      decoder_.start_frame();
      between_frames_ = false;
    }
    return {};
  }

  void finish(StreamEnd end, std::string detail) {
    finished_ = true;
    end_ = end;
    detail_ = std::move(detail);
  }

  BlockSource source_;
  ZstdPieces decoder_;
  std::uint64_t frame_ = 0;  // offset of the frame's magic number
  bool between_frames_ = true;
  bool finished_ = false;
  StreamEnd end_ = StreamEnd::kWhole;
  std::string detail_;
};

}  // namespace

bool may_begin_zstd_frame(std::string_view head) {
  const auto agrees = [&](unsigned mask, unsigned first, std::string_view rest) {
    if (head.empty() || (static_cast<unsigned char>(head[0]) & mask) != first) return false;
    return rest.starts_with(head.substr(1, kMagicBytes - 1));
  };
  return agrees(0xFF, 0x28, "\xB5\x2F\xFD") || agrees(0xF0, 0x50, "\x2A\x4D\x18");
}

Result<std::unique_ptr<InputStream>> make_zstd_stream(BlockSource source) {
  ZstdPieces decoder(kLargestWindowLog);
  if (!decoder.has_memory()) {
    return resource_exhausted("reading {}: no memory for a zstd decoder", source.path());
  }
  return std::make_unique<ZstdStream>(std::move(source), std::move(decoder));
}

}  // namespace headrace::io
