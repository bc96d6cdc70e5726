// SPDX-License-Identifier: Apache-2.0
// A zstd decoder that gives out the same in front of damage, however large the buffers are.
//
// A call of ZSTD_decompressStream() that meets damage does not say what it gave out before, so what
// comes of a damaged frame would depend on how much one call sees and has room for. Here no call
// meets two parts of a frame: each gets the header, a block's header, a block or the checksum alone
// (libzstd says how long the next one is), and none until what was decoded before is handed out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <zstd.h>

namespace headrace::io {

// Single-threaded.
class ZstdPieces {
 public:
  // Windows up to 2^`largest_window_log` bytes.
  explicit ZstdPieces(int largest_window_log) : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) return;
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_window_log);
  }

  bool has_memory() const { return context_ != nullptr; }

  void start_frame() {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    wanted_ = kFirstBytes;
    is_full_ = false;
  }

  // As ZSTD_decompressStream(): 0 at the end of a frame, else an error or more to come. `taken`: of
  // the input.
  std::size_t step(std::string_view input, ZSTD_outBuffer* output, std::size_t* taken) {
    // The header of the next block is asked for together with a block: it comes by itself.
    const std::size_t piece = wanted_ > kBlockHeaderBytes ? wanted_ - kBlockHeaderBytes : wanted_;
    ZSTD_inBuffer part{input.data(), is_full_ ? 0 : std::min(piece, input.size()), 0};
    const std::size_t outcome = ZSTD_decompressStream(context_.get(), output, &part);
    *taken = part.pos;
    is_full_ = output->pos == output->size;
    if (ZSTD_isError(outcome) == 0) wanted_ = std::max<std::size_t>(outcome, 1);
    return outcome;
  }

 private:
  static constexpr std::size_t kBlockHeaderBytes = 3;
  // The magic number must come in one piece: libzstd looks for those of older versions in what it
  // is given, not in what it has.
  static constexpr std::size_t kFirstBytes = 4 + kBlockHeaderBytes;

  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::size_t wanted_ = kFirstBytes;
  bool is_full_ = false;  // the output of the last call: more may wait
};

}  // namespace headrace::io
