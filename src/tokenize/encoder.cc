// SPDX-License-Identifier: Apache-2.0
// Text → ids.
//
//   text ─ added tokens ─ normalizer ─ added tokens ─ splitter ─ exact cut → pieces
//   pieces ─ cache ─ miss ─ merge → ids
//                  └ hit ─────────→ ids
//
// Pieces go through in batches: first all keys and hashes, with a prefetch of each cache line, then
// all look-ups, so that the loads of a batch overlap. What is not in the cache is merged and, if
// small, put there. Cost: one cache line per piece for text that repeats itself; the merge, about
// n log n of the piece, for the rest. Memory: the cache (9 MiB), scratch as large as the longest
// piece, and the ids.
#include <algorithm>
#include <array>
#include <simdjson.h>

#include "headrace/tokenizer.h"

#include "base/error.h"
#include "base/hash.h"
#include "tokenize/nfc.h"
#include "tokenize/piece_cache.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace {
namespace {

using tokenize::PieceCache;

constexpr std::size_t kBatch = 256;
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

// A piece of the batch, with what the cache needs.
struct Lookup {
  std::string_view piece;
  PieceCache::Key key;  // of short ones, and the next
  std::uint64_t hash = 0;
  bool is_whole = true;

  bool is_short() const { return piece.size() <= PieceCache::kMostShort; }
};

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; });
}

}  // namespace

struct Encoder::State {
  State(Tokenizer t, EncodeOptions o)
      : tokenizer(std::move(t)), impl(tokenizer.impl()), options(o) {
    if (impl.pipeline) pipeline.emplace(*impl.pipeline);
  }

  void encode_raw(std::string_view text);
  void encode_normalized(std::string_view text);
  void encode_pieces(std::string_view text);
  // Puts the piece into the batch, cut where it can be. `text_end`: what may be read.
  void add_piece(std::string_view piece, const char* text_end);
  const Lookup& add_lookup(std::string_view piece, const char* text_end, bool is_whole);
  // Appends the ids of the batch and empties it.
  void look_up();
  std::span<const std::uint32_t> merge(const Lookup& lookup);
  template <class Between>
  void around_added(const tokenize::AddedTokenMatcher& matcher, std::string_view text,
                    const Between& between);

  void append(std::span<const std::uint32_t> more) {
    ids->insert(ids->end(), more.begin(), more.end());
  }

  Tokenizer tokenizer;
  const Tokenizer::Impl& impl;
  EncodeOptions options;
  std::vector<std::uint32_t>* ids = nullptr;          // of the call in progress
  std::optional<tokenize::PipelineEncoder> pipeline;  // the general way, where a file needs it
  bool at_start = false;  // the segment in work stands where the text begins
  PieceCache cache;
  tokenize::MergeScratch scratch;
  std::vector<std::uint32_t> merged;
  std::string normalized;
  std::string prefixed;
  std::array<std::uint32_t, kBatch> ends{};
  std::array<Lookup, kBatch> lookups{};
  std::size_t lookup_count = 0;
};

Encoder::Encoder(Tokenizer tokenizer, EncodeOptions options)
    : state_(std::make_unique<State>(std::move(tokenizer), options)) {}
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
    const bool changed = impl.nfc && tokenize::to_nfc(segment, &normalized);
    encode_normalized(changed ? std::string_view(normalized) : segment);
  });
}

void Encoder::State::encode_normalized(std::string_view text) {
  around_added(impl.normalized_added, text, [this, text](std::string_view segment) {
    if (pipeline.has_value()) {
      return pipeline->encode(segment, at_start && segment.data() == text.data(), ids);
    }
    if (impl.prefix_space && !segment.starts_with(' ')) {
      prefixed.assign(1, ' ').append(segment);
      segment = prefixed;
    }
    encode_pieces(segment);
  });
}

void Encoder::State::encode_pieces(std::string_view text) {
  const char* const text_end = text.data() + text.size();
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t pieces = impl.splitter->split(text, begin, ends);
    for (std::size_t i = 0; i < pieces; ++i) {
      add_piece(text.substr(begin, ends[i] - begin), text_end);
      begin = ends[i];
    }
  }
  look_up();
}

void Encoder::State::add_piece(std::string_view piece, const char* text_end) {
  const Lookup& whole = add_lookup(piece, text_end, true);
  if (whole.is_short() ? PieceCache::is_ascii(whole.key) : is_ascii(piece)) return;
  const auto* p = reinterpret_cast<const std::uint8_t*>(piece.data());
  const auto* const end = p + piece.size();
  const std::uint8_t* cut = impl.junctions.next_cut(p, end);
  if (cut == end) return;
  --lookup_count;
  for (; p < end; p = cut, cut = p < end ? impl.junctions.next_cut(p, end) : end) {
    const auto* part = reinterpret_cast<const char*>(p);
    add_lookup({part, static_cast<std::size_t>(cut - p)}, text_end, false);
  }
}

const Lookup& Encoder::State::add_lookup(std::string_view piece, const char* text_end,
                                         bool is_whole) {
  if (lookup_count == kBatch) look_up();
  Lookup& lookup = lookups[lookup_count++];
  lookup.piece = piece;
  // With ignore_merges a part and a whole piece of the same bytes may have different ids.
  lookup.is_whole = is_whole || impl.unreachable.empty();
  if (lookup.is_short()) {
    const auto readable = static_cast<std::size_t>(text_end - piece.data());
    lookup.key = PieceCache::key(piece, readable, !lookup.is_whole);
    lookup.hash = PieceCache::hash(lookup.key);
    cache.prefetch(lookup.hash);
  }
  return lookup;
}

void Encoder::State::look_up() {
  for (Lookup& lookup : std::span(lookups).first(lookup_count)) {
    if (lookup.is_short()) {
      const auto found = cache.find(lookup.key, lookup.hash);
      if (found.empty()) {
        const auto made = merge(lookup);
        if (made.size() <= PieceCache::kMostShortIds) cache.insert(lookup.key, lookup.hash, made);
        append(made);
      } else {
        append(found);
      }
    } else if (lookup.piece.size() <= PieceCache::kMostLong) {
      // Parts live in other places than whole pieces: the bit decides the place.
      const std::uint64_t hash = hash64(lookup.piece) ^ (lookup.is_whole ? 0 : 1);
      const auto found = cache.find_long(lookup.piece, hash);
      if (found.empty()) {
        const auto made = merge(lookup);
        if (made.size() <= PieceCache::kMostLongIds) cache.insert_long(lookup.piece, hash, made);
        append(made);
      } else {
        append(found);
      }
    } else {
      append(merge(lookup));
    }
  }
  lookup_count = 0;
}

std::span<const std::uint32_t> Encoder::State::merge(const Lookup& lookup) {
  const std::string_view piece = lookup.piece;
  if (merged.size() < piece.size()) merged.resize(piece.size());
  if (lookup.is_whole && !impl.unreachable.empty()) {
    const auto whole = impl.unreachable.find(std::string(piece));
    if (whole != impl.unreachable.end()) {
      merged[0] = whole->second;
      return {merged.data(), 1};
    }
  }
  return {merged.data(), impl.bpe->merge(piece, &scratch, merged.data())};
}

}  // namespace headrace
