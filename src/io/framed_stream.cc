// SPDX-License-Identifier: Apache-2.0
#include "io/internal/framed_stream.h"

#include <utility>

#include "base/error.h"

namespace headrace::io {
namespace {

class FramedStream final : public InputStream {
 public:
  FramedStream(BlockSource source, std::unique_ptr<FrameDecoder> decoder)
      : source_(std::move(source)), decoder_(std::move(decoder)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    std::size_t done = 0;
    while (done < size && !finished_) {
      if (between_frames_) {
        HEADRACE_RETURN_IF_ERROR(start_frame());
        continue;
      }
      HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                                decompress(std::span(buffer + done, size - done)));
      done += got;
    }
    return done;
  }

  StreamEnd end() const override { return end_; }
  std::string end_detail() const override { return detail_; }
  std::uint64_t position() const override { return source_.position(); }
  Codec codec() const override { return decoder_->codec(); }

 private:
  Result<std::size_t> decompress(std::span<char> output) {
    if (source_.data().empty()) HEADRACE_RETURN_IF_ERROR(source_.refill(1));
    const FrameDecoder::Step step = decoder_->step(source_.data(), output);
    source_.consume(step.taken);
    if (step.state == FrameDecoder::State::kDamaged) {
      finish(StreamEnd::kCorrupt,
             fmt::format("{} in the {} that starts at offset {}, near offset {}", step.fault,
                         decoder_->frame_word(), frame_, source_.position()));
    } else if (step.state == FrameDecoder::State::kFrameDone) {
      between_frames_ = true;
    } else if (step.made == 0 && step.taken == 0 && source_.data().empty() &&
               source_.at_end_of_file()) {
      finish(StreamEnd::kTruncated,
             fmt::format("the file ends at offset {} inside the {} that starts at offset {}",
                         source_.position(), decoder_->frame_word(), frame_));
    }
    return step.made;
  }

  Result<void> start_frame() {
    HEADRACE_RETURN_IF_ERROR(source_.refill(decoder_->magic_bytes()));
    const std::string_view padding = decoder_->padding();
    if (!first_ && !padding.empty() && source_.data().starts_with(padding)) {
      source_.consume(padding.size());
      return {};
    }
    const std::string_view head = source_.data().substr(0, decoder_->magic_bytes());
    frame_ = source_.position();
    if (head.empty()) {
      finish(StreamEnd::kWhole, "");
    } else if (!decoder_->begins_frame(head)) {
      finish(StreamEnd::kTrailingGarbage, fmt::format("the bytes from offset {} on are not a {}",
                                                      frame_, decoder_->frame_word()));
    } else {
      // A head that is cut off is found by decompress().
      HEADRACE_RETURN_IF_ERROR(decoder_->start());
      between_frames_ = false;
    }
    first_ = false;
    return {};
  }

  void finish(StreamEnd end, std::string detail) {
    finished_ = true;
    end_ = end;
    detail_ = std::move(detail);
  }

  BlockSource source_;
  std::unique_ptr<FrameDecoder> decoder_;
  std::uint64_t frame_ = 0;  // where it starts
  bool first_ = true;
  bool between_frames_ = true;
  bool finished_ = false;
  StreamEnd end_ = StreamEnd::kWhole;
  std::string detail_;
};

}  // namespace

std::unique_ptr<InputStream> make_framed_stream(BlockSource source,
                                                std::unique_ptr<FrameDecoder> decoder) {
  return std::make_unique<FramedStream>(std::move(source), std::move(decoder));
}

}  // namespace headrace::io
