// SPDX-License-Identifier: Apache-2.0
// Text → ids.
//
//   text ─ added tokens ─ normalizer ─ added tokens ─ PieceEncoder (piece_encoder.cc) → ids
//                                                   └ or PipelineEncoder (pipeline.cc), the general
//                                                   way
//
// Where no added token is looked for in normalized text, and the normalizer is NFC, the splitter
// tells by the way whether there is anything to normalize.
#include <algorithm>
#include <optional>
#include <simdjson.h>

#include "headrace/tokenizer.h"

#include "base/error.h"
#include "tokenize/nfc.h"
#include "tokenize/piece_encoder.h"
#include "tokenize/pipeline.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace {
namespace {

constexpr std::size_t kMostBytes = 0x7FFFFFFF;  // offsets are 32 bits wide, ICU's signed

// The offset of the first byte that is not part of valid UTF-8.
std::size_t first_invalid(std::string_view text) {
  // A character is at most four bytes, so a cut of the text is valid up to three bytes before its
  // end: halving finds the place with the fast validator.
  std::size_t good = 0;
  std::size_t bad = text.size();
  while (bad - good > 4) {
    std::size_t middle = good + (bad - good) / 2;
    while (middle > good && (static_cast<unsigned char>(text[middle]) & 0xC0) == 0x80) --middle;
    if (middle == good) break;
    (simdjson::validate_utf8(text.data() + good, middle - good) ? good : bad) = middle;
  }
  for (std::size_t length = 1; good < bad; good += length, length = 1) {
    while (length <= 4 && good + length <= text.size() &&
           !simdjson::validate_utf8(text.data() + good, length)) {
      ++length;
    }
    if (length > 4 || good + length > text.size()) break;
  }
  return good;
}

}  // namespace

struct Encoder::State {
  State(Tokenizer t, EncodeOptions o, SimdLevel level)
      : tokenizer(std::move(t)), impl(tokenizer.impl()), options(o) {
    if (impl.pipeline) {
      pipeline.emplace(*impl.pipeline);
    } else {
      pieces.emplace(
          tokenize::BpeModel{*impl.splitter, impl.junctions, impl.bpe_tables(), impl.unreachable},
          level);
    }
  }

  void encode_raw(std::string_view text);
  void encode_normalized(std::string_view text);
  void encode_pieces(std::string_view text, bool nfc);
  template <class Between>
  void around_added(const tokenize::AddedTokenMatcher& matcher, std::string_view text,
                    const Between& between);

  Tokenizer tokenizer;
  const Tokenizer::Impl& impl;
  EncodeOptions options;
  std::optional<tokenize::PieceEncoder> pieces;       // the fast way
  std::optional<tokenize::PipelineEncoder> pipeline;  // the general way, where a file needs it
  std::vector<std::uint32_t>* ids = nullptr;          // of the call in progress
  bool at_start = false;  // the segment in work stands where the text begins
  std::string normalized;
  std::string prefixed;
};

Encoder::Encoder(Tokenizer tokenizer, EncodeOptions options)
    : Encoder(std::move(tokenizer), options, best_simd_level()) {}
Encoder::Encoder(Tokenizer tokenizer, EncodeOptions options, SimdLevel level)
    : state_(std::make_unique<State>(std::move(tokenizer), options, level)) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

Result<void> Encoder::encode(std::string_view text, std::vector<std::uint32_t>* ids) {
  if (text.size() > kMostBytes) {
    return invalid_argument("encoding a text of {} bytes: the limit is {}; split it", text.size(),
                            kMostBytes);
  }
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return Status(Code::kCorrupt,
                  fmt::format("encoding a text of {} bytes: not UTF-8 at byte {}", text.size(),
                              first_invalid(text)),
                  Reach::kRecord);
  }
  state_->ids = ids;
  state_->encode_raw(text);
  return {};
}

// Calls between(segment) for the text before, between and behind added tokens, and appends the
// tokens.
template <class Between>
void Encoder::State::around_added(const tokenize::AddedTokenMatcher& matcher, std::string_view text,
                                  const Between& between) {
  std::size_t done = 0;
  if (!matcher.empty()) {
    tokenize::AddedMatch match;
    const bool skip_special = !options.special_tokens_in_text;
    for (std::size_t from = 0; matcher.find(text, from, done, skip_special, &match, &from);) {
      if (done < match.begin) between(text.substr(done, match.begin - done));
      ids->push_back(match.id);
      done = match.end;
    }
  }
  if (done < text.size()) between(text.substr(done));
}

void Encoder::State::encode_raw(std::string_view text) {
  around_added(impl.raw_added, text, [this, text](std::string_view segment) {
    at_start = segment.data() == text.data();
    if (pipeline.has_value()) {
      impl.pipeline->normalize(segment, &normalized);
      return encode_normalized(normalized);
    }
    if (impl.normalized_added.empty()) return encode_pieces(segment, impl.nfc);
    const bool changed = impl.nfc && tokenize::to_nfc(segment, &normalized);
    encode_normalized(changed ? std::string_view(normalized) : segment);
  });
}

void Encoder::State::encode_normalized(std::string_view text) {
  around_added(impl.normalized_added, text, [this, text](std::string_view segment) {
    if (pipeline.has_value()) {
      return pipeline->encode(segment, at_start && segment.data() == text.data(), ids);
    }
    encode_pieces(segment, false);
  });
}

void Encoder::State::encode_pieces(std::string_view text, bool nfc) {
  if (impl.prefix_space && !text.starts_with(' ')) {
    prefixed.assign(1, ' ').append(text);
    text = prefixed;
  }
  pieces->encode(text, nfc, ids);
}

}  // namespace headrace
