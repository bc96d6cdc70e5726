// SPDX-License-Identifier: Apache-2.0
// One loop over the libraries: each step takes input, makes output and says how it stands.
#include "io/content_coding.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <brotli/decode.h>

#include "io/internal/exact_inflate.h"
#include "io/internal/inflate.h"
#include "io/internal/zstd_pieces.h"

namespace headrace::io {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 16;
constexpr int kLargestWindowLog = 27;

enum class Step { kGoesOn, kEnded, kBad };

// What is left of input and output.
struct Buffers {
  std::string_view input;
  char* output;
  std::size_t room;
};

class IsalStep {
 public:
  explicit IsalStep(std::uint32_t wrapper)
      : wrapper_(wrapper), state_(std::make_unique<inflate_state>()) {
    start_inflate(state_.get(), wrapper);
  }

  Step operator()(Buffers* buffers) {
    if (std::exchange(at_header_, false) && wrapper_ == ISAL_GZIP &&
        has_reserved_flags(buffers->input)) {
      return Step::kBad;
    }
    const auto most = [](std::size_t size) {
      return static_cast<std::uint32_t>(std::min<std::size_t>(size, std::size_t{1} << 30));
    };
    state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(buffers->input.data()));
    state_->avail_in = most(buffers->input.size());
    state_->next_out = reinterpret_cast<std::uint8_t*>(buffers->output);
    state_->avail_out = most(buffers->room);
    const std::uint32_t room = state_->avail_out;
    const int outcome = isal_inflate(state_.get());
    const std::size_t made = room - state_->avail_out;
    buffers->output += made;
    buffers->room -= made;
    // Bytes that were taken earlier may be given back: `next_in` can go backwards.
    const auto* next = reinterpret_cast<const char*>(state_->next_in);
    const char* end = buffers->input.data() + buffers->input.size();
    buffers->input = {next, static_cast<std::size_t>(end - next)};
    if (outcome < 0 || outcome == ISAL_NEED_DICT) return Step::kBad;
    if (state_->block_state != ISAL_BLOCK_FINISH) return Step::kGoesOn;
    if (wrapper_ != ISAL_GZIP || !buffers->input.starts_with("\x1f\x8b")) return Step::kEnded;
    start_inflate(state_.get(), wrapper_);
    at_header_ = true;
    return Step::kGoesOn;
  }

 private:
  std::uint32_t wrapper_;
  std::unique_ptr<inflate_state> state_;
  bool at_header_ = true;
};

class ExactStep {
 public:
  explicit ExactStep(ExactInflate::Wrapper wrapper)
      : wrapper_(wrapper), inflate_(std::make_unique<ExactInflate>(wrapper, 0)) {}

  Step operator()(Buffers* buffers) {
    const ExactInflate::Step step =
        inflate_->step(buffers->input, std::span(buffers->output, buffers->room));
    buffers->input.remove_prefix(step.taken);
    buffers->output += step.made;
    buffers->room -= step.made;
    if (step.state == ExactInflate::State::kDamaged) return Step::kBad;
    if (step.state == ExactInflate::State::kGoesOn) return Step::kGoesOn;
    const bool goes_on =
        wrapper_ == ExactInflate::Wrapper::kGzip && buffers->input.starts_with("\x1f\x8b");
    if (!goes_on) return Step::kEnded;
    inflate_ = std::make_unique<ExactInflate>(wrapper_, 0);
    return Step::kGoesOn;
  }

 private:
  ExactInflate::Wrapper wrapper_;
  std::unique_ptr<ExactInflate> inflate_;
};

class BrotliStep {
 public:
  BrotliStep() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}

  Step operator()(Buffers* buffers) {
    if (state_ == nullptr) return Step::kBad;
    std::size_t left = buffers->input.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(buffers->input.data());
    auto* output = reinterpret_cast<std::uint8_t*>(buffers->output);
    const auto outcome =
        BrotliDecoderDecompressStream(state_.get(), &left, &next, &buffers->room, &output, nullptr);
    buffers->output = reinterpret_cast<char*>(output);
    buffers->input.remove_prefix(buffers->input.size() - left);
    if (outcome == BROTLI_DECODER_RESULT_ERROR) return Step::kBad;
    return outcome == BROTLI_DECODER_RESULT_SUCCESS ? Step::kEnded : Step::kGoesOn;
  }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  std::unique_ptr<BrotliDecoderState, Free> state_;
};

class ZstdStep {
 public:
  Step operator()(Buffers* buffers) {
    if (!decoder_.has_memory()) return Step::kBad;
    ZSTD_outBuffer output{buffers->output, buffers->room, 0};
    std::size_t taken = 0;
    const std::size_t outcome = decoder_.step(buffers->input, &output, &taken);
    buffers->input.remove_prefix(taken);
    buffers->output += output.pos;
    buffers->room -= output.pos;
    if (ZSTD_isError(outcome) != 0) return Step::kBad;
    return outcome == 0 ? Step::kEnded : Step::kGoesOn;
  }

 private:
  ZstdPieces decoder_{kLargestWindowLog};
};

template <class Decoder>
Decoded decode(Decoder decoder, std::string_view bytes, std::uint64_t limit, std::string* body) {
  body->resize(std::max(kFirstBytes, std::min(body->capacity(), 8 * bytes.size())));
  std::size_t done = 0;
  std::string_view input = bytes;
  for (;;) {
    Buffers buffers{input, body->data() + done, body->size() - done};
    const Step step = decoder(&buffers);
    const std::size_t made = static_cast<std::size_t>(buffers.output - body->data()) - done;
    const std::size_t taken = input.size() - buffers.input.size();
    done += made;
    input = buffers.input;
    if (done > limit) {
      body->clear();
      return Decoded::kTooLong;
    }
    if (step != Step::kGoesOn) {
      body->resize(done);
      if (step == Step::kEnded) return Decoded::kWhole;
      return done == 0 ? Decoded::kNotCoded : Decoded::kDamaged;
    }
    if (buffers.room == 0) {
      body->resize(2 * body->size());
    } else if (made == 0 && taken == 0) {
      body->resize(done);
      return Decoded::kCutOff;
    }
  }
}

Decoded decode_deflate(std::uint32_t fast, ExactInflate::Wrapper exact, std::string_view bytes,
                       std::uint64_t limit, std::string* body) {
  const Decoded outcome = decode(IsalStep(fast), bytes, limit, body);
  if (outcome != Decoded::kDamaged && outcome != Decoded::kNotCoded) return outcome;
  return decode(ExactStep(exact), bytes, limit, body);
}

bool is(std::string_view coding, std::string_view lower_case) {
  return std::equal(coding.begin(), coding.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) {
                      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
                    });
}

}  // namespace

Decoded decode_content(std::string_view coding, std::string_view bytes, std::uint64_t limit,
                       std::string* body) {
  if (is(coding, "gzip") || is(coding, "x-gzip")) {
    return decode_deflate(ISAL_GZIP, ExactInflate::Wrapper::kGzip, bytes, limit, body);
  }
  if (is(coding, "deflate")) {
    const Decoded outcome =
        decode_deflate(ISAL_ZLIB, ExactInflate::Wrapper::kZlib, bytes, limit, body);
    if (outcome != Decoded::kNotCoded) return outcome;
    return decode_deflate(ISAL_DEFLATE, ExactInflate::Wrapper::kNone, bytes, limit, body);
  }
  if (is(coding, "br")) return decode(BrotliStep(), bytes, limit, body);
  if (is(coding, "zstd")) return decode(ZstdStep(), bytes, limit, body);
  return Decoded::kUnknown;
}

}  // namespace headrace::io
