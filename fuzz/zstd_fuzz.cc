// SPDX-License-Identifier: Apache-2.0
// Any bytes as a zstd file and as a body in the zstd coding, against the library frame by frame:
// what it takes whole must come out whole and equal, in any pieces and between the points of a
// frame index; of damaged data the front must agree and the end be told.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <zstd.h>

#include "check.h"
#include "io/content_coding.h"
#include "io/internal/frames.h"
#include "streams.h"

namespace {

using headrace::fuzz::check;
using headrace::fuzz::kMostDecompressed;
using headrace::fuzz::Reading;
using headrace::io::Decoded;
using headrace::io::StreamEnd;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

struct Reference {
  std::string bytes;
  bool whole = true;      // no frame is damaged
  std::size_t taken = 0;  // by frames that are whole
  std::string first_frame;
  bool first_whole = false;
};

// The frame asks for a window above 2^`log` bytes (RFC 8878, 3.1.1.1.2). Streams have a largest one
// that they give; only the call with all its room at once does without a window.
bool window_above(std::string_view frame, unsigned log) {
  if (!frame.starts_with("\x28\xb5\x2f\xfd") || frame.size() < 6) return false;
  const auto descriptor = static_cast<unsigned char>(frame[4]);
  const auto window = static_cast<unsigned char>(frame[5]);
  constexpr unsigned kSingleSegment = 0x20;
  return (descriptor & kSingleSegment) == 0 && window > (log - 10) << 3;
}

constexpr unsigned kFileWindowLog = 31;
constexpr unsigned kBodyWindowLog = 27;

// Decompresses the frame that `input` begins with into `room`; how much of `input` it took and how
// much it made, or nothing where the library refuses it. By the call that needs a frame and all its
// room at once, which shares no buffering with the streaming one; that one comes second because it
// alone takes a compressed block of no bytes.
struct Frame {
  std::size_t taken;
  std::size_t made;
};
std::optional<Frame> decompress_frame(ZSTD_DCtx* context, std::string_view input,
                                      std::span<char> room) {
  if (window_above(input, kFileWindowLog)) return std::nullopt;
  const std::size_t size = ZSTD_findFrameCompressedSize(input.data(), input.size());
  if (ZSTD_isError(size) == 0) {
    const std::size_t made =
        ZSTD_decompressDCtx(context, room.data(), room.size(), input.data(), size);
    if (ZSTD_isError(made) == 0) return Frame{size, made};
  }
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_inBuffer in{input.data(), input.size(), 0};
  ZSTD_outBuffer out{room.data(), room.size(), 0};
  if (ZSTD_decompressStream(context, &out, &in) != 0) return std::nullopt;
  return Frame{in.pos, out.pos};
}

Reference decompress_all(std::string_view input) {
  Reference reference;
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  std::string room(kMostDecompressed + 1, '\0');
  while (reference.taken < input.size()) {
    const auto frame =
        decompress_frame(context.get(), input.substr(reference.taken),
                         std::span(room).first(room.size() - reference.bytes.size()));
    if (!frame) {
      reference.whole = false;
      return reference;
    }
    reference.bytes.append(room.data(), frame->made);
    if (reference.taken == 0) {
      reference.first_frame = reference.bytes;
      reference.first_whole = true;
    }
    reference.taken += frame->taken;
  }
  return reference;
}

void check_file(std::string_view bytes, const Reference& reference) {
  const headrace::fuzz::InputFile file(".zst", bytes);
  const Reading whole = headrace::fuzz::read_stream(file.path(), 1 << 16);
  if (whole.too_long) return;
  check(whole.bytes.starts_with(reference.bytes), "whole frames come out whole");
  if (reference.whole) {
    check(whole.bytes == reference.bytes && whole.end == StreamEnd::kWhole,
          "what the library takes comes out whole");
  } else {
    check(whole.end != StreamEnd::kWhole, "what the library refuses is not called whole");
  }
  const std::size_t small = 1 + bytes.size() % 61 + whole.bytes.size() / 1000;
  const Reading again = headrace::fuzz::read_stream(file.path(), small);
  check(again.bytes == whole.bytes && again.end == whole.end, "buffers do not matter");
  headrace::fuzz::check_index(file.path(), bytes.size(), whole);

  const auto random = headrace::io::RandomFile::open(file.path());
  const auto frames = headrace::io::walk_zstd_frames(*random);
  check(frames.has_value(), "damage is no error");
  for (const auto& frame : *frames) {
    const std::string_view rest = bytes.substr(frame.begin);
    const std::size_t size = ZSTD_findFrameCompressedSize(rest.data(), rest.size());
    if (ZSTD_isError(size) == 0) check(frame.end - frame.begin == size, "frames end where they do");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  const Reference reference = decompress_all(bytes);
  if (headrace::io::codec_of(bytes) == headrace::io::Codec::kZstd) check_file(bytes, reference);
  std::string body;
  const Decoded outcome = headrace::io::decode_content("zstd", bytes, kMostDecompressed, &body);
  if (outcome == Decoded::kTooLong) return 0;
  if (reference.first_whole && !window_above(bytes, kBodyWindowLog)) {
    check(outcome == Decoded::kWhole && body == reference.first_frame,
          "what the library takes comes out whole");
  } else if (!reference.first_whole) {
    check(outcome != Decoded::kWhole, "what the library refuses is not called whole");
  }
  return 0;
}
