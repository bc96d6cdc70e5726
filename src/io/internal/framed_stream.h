// SPDX-License-Identifier: Apache-2.0
// Files that are any number of compressed frames one after the other: what bz2, xz and lz4 share.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "io/internal/codec_stream.h"

namespace headrace::io {

class FrameDecoder {
 public:
  enum class State { kGoesOn, kFrameDone, kDamaged };
  struct Step {
    State state = State::kGoesOn;
    std::size_t taken = 0;  // of the input
    std::size_t made = 0;   // in the output
    std::string fault;      // of kDamaged: "a wrong checksum"
  };

  virtual ~FrameDecoder() = default;
  virtual Codec codec() const = 0;
  // As messages name it: "bz2 stream".
  virtual std::string_view frame_word() const = 0;
  // How many bytes begins_frame() looks at.
  virtual std::size_t magic_bytes() const = 0;
  // Whether a frame may begin with `head`, which is shorter than magic_bytes() at the end of a
  // file.
  virtual bool begins_frame(std::string_view head) const = 0;
  // What may stand between frames and mean nothing.
  virtual std::string_view padding() const { return ""; }
  // Makes ready for a frame.
  virtual Result<void> start() = 0;
  virtual Step step(std::string_view input, std::span<char> output) = 0;
};

std::unique_ptr<InputStream> make_framed_stream(BlockSource source,
                                                std::unique_ptr<FrameDecoder> decoder);

}  // namespace headrace::io
