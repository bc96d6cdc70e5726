// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of bz2, xz or lz4, and any other as a body in brotli, against the libraries
// called with all input and all room at once: what they take whole must come out whole and equal,
// in any pieces; of damaged data the front must agree and the end be told.
#include <algorithm>
#include <bzlib.h>
#include <cstdint>
#include <lzma.h>
#include <string>
#include <string_view>

#include <brotli/decode.h>
#include <lz4frame.h>

#include "check.h"
#include "io/content_coding.h"
#include "streams.h"

namespace {

using headrace::fuzz::check;
using headrace::fuzz::kMostDecompressed;
using headrace::fuzz::Reading;
using headrace::io::Codec;
using headrace::io::StreamEnd;

// One frame at the start of `input`: its bytes are appended to `out`.
struct Frame {
  bool whole = false;
  std::size_t taken = 0;
};

Frame bz2_frame(std::string_view input, std::string* out) {
  bz_stream state{};
  check(BZ2_bzDecompressInit(&state, 0, 0) == BZ_OK, "bz2 starts");
  std::string room(kMostDecompressed, '\0');
  state.next_in = const_cast<char*>(input.data());
  state.avail_in = static_cast<unsigned>(input.size());
  state.next_out = room.data();
  state.avail_out = static_cast<unsigned>(room.size());
  const int outcome = BZ2_bzDecompress(&state);
  const Frame frame{outcome == BZ_STREAM_END, input.size() - state.avail_in};
  out->append(room, 0, room.size() - state.avail_out);
  BZ2_bzDecompressEnd(&state);
  return frame;
}

Frame xz_frame(std::string_view input, std::string* out) {
  std::string room(kMostDecompressed, '\0');
  std::uint64_t memory = UINT64_MAX;
  std::size_t taken = 0;
  std::size_t made = 0;
  const lzma_ret outcome = lzma_stream_buffer_decode(
      &memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(input.data()), &taken,
      input.size(), reinterpret_cast<std::uint8_t*>(room.data()), &made, room.size());
  out->append(room, 0, made);
  return {outcome == LZMA_OK, taken};
}

Frame lz4_frame(std::string_view input, std::string* out) {
  LZ4F_dctx* state = nullptr;
  check(LZ4F_isError(LZ4F_createDecompressionContext(&state, LZ4F_VERSION)) == 0, "lz4 starts");
  std::string room(kMostDecompressed, '\0');
  Frame frame;
  for (;;) {
    std::size_t made = room.size();
    std::size_t taken = input.size() - frame.taken;
    const std::size_t outcome =
        LZ4F_decompress(state, room.data(), &made, input.data() + frame.taken, &taken, nullptr);
    if (LZ4F_isError(outcome) != 0) break;
    out->append(room, 0, made);
    frame.taken += taken;
    frame.whole = outcome == 0;
    if (frame.whole || (made == 0 && taken == 0)) break;
  }
  LZ4F_freeDecompressionContext(state);
  return frame;
}

void check_file(Codec codec, std::string_view bytes) {
  const headrace::fuzz::InputFile file("-frames", bytes);
  const Reading whole = headrace::fuzz::read_stream(file.path(), 1 << 16);
  if (whole.too_long) return;
  // The frames that are whole.
  std::string expected;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    std::string out;
    const Frame frame = codec == Codec::kBz2  ? bz2_frame(rest, &out)
                        : codec == Codec::kXz ? xz_frame(rest, &out)
                                              : lz4_frame(rest, &out);
    if (!frame.whole) break;
    expected += out;
    at += frame.taken;
    while (codec == Codec::kXz && bytes.substr(at).starts_with(std::string_view("\0\0\0\0", 4))) {
      at += 4;
    }
  }
  check(whole.bytes.starts_with(expected), "whole frames come out whole");
  const bool all = at == bytes.size();
  check(all == (whole.end == StreamEnd::kWhole), "whole is what the library calls whole");
  if (all) check(whole.bytes == expected, "no more than the library gives");
  const std::size_t small = 1 + bytes.size() % 61 + whole.bytes.size() / 1000;
  const Reading again = headrace::fuzz::read_stream(file.path(), small);
  check(again.end == whole.end, "buffers do not matter for the end");
  check(again.bytes.starts_with(expected), "whole frames come out whole");
  if (whole.end == StreamEnd::kWhole) check(again.bytes == whole.bytes, "buffers do not matter");
}

void check_body(std::string_view bytes) {
  std::string room(kMostDecompressed, '\0');
  std::size_t made = room.size();
  const auto outcome =
      BrotliDecoderDecompress(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                              &made, reinterpret_cast<std::uint8_t*>(room.data()));
  std::string body;
  const auto decoded = headrace::io::decode_content("br", bytes, kMostDecompressed, &body);
  if (decoded == headrace::io::Decoded::kTooLong) return;
  if (outcome == BROTLI_DECODER_RESULT_SUCCESS) {
    check(decoded == headrace::io::Decoded::kWhole, "what the library takes is whole");
    check(body == room.substr(0, made), "what the library takes comes out whole");
  }
  // What was decoded before must not show.
  std::string other(std::size_t{1} << 19, 'x');
  check(headrace::io::decode_content("br", bytes, kMostDecompressed, &other) == decoded,
        "buffers do not matter for the end");
  check(other == body, "buffers do not matter");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  const Codec codec = headrace::io::codec_of(bytes);
  if (codec == Codec::kBz2 || codec == Codec::kXz || codec == Codec::kLz4) {
    check_file(codec, bytes);
  } else if (codec == Codec::kNone) {
    check_body(bytes);
  }
  return 0;
}
