// SPDX-License-Identifier: Apache-2.0
// SentencePiece `.model` files: their two models and what stands before (decision 59).
//
// Semantics are those of SentencePiece 0.2: the whole text is normalized with its dummy prefix, cut
// into pieces, and pieces that are unknown become bytes or one <unk> for a run of them. Control
// tokens (<s>, </s>) never stand in a text; who wants them asks for their ids by name.
#include <algorithm>
#include <functional>
#include <limits>
#include <simdjson.h>

#include "base/error.h"
#include "tokenize/byte_pieces.h"
#include "tokenize/char_bpe.h"
#include "tokenize/sentencepiece_normalizer.h"
#include "tokenize/tokenizer_impl.h"
#include "tokenize/unigram.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr std::string_view kMetaspace = "\xE2\x96\x81";
constexpr double kUnknownPenalty = 10;
constexpr std::size_t kLongestPiece = 8000;  // SentencePiece's own limit

std::unique_ptr<const PieceModel> make_model(
    const SentencePieceModel& model, std::uint32_t unknown,
    const std::array<std::optional<std::uint32_t>, 256>& bytes) {
  UnigramSpec spec{.unknown = unknown, .bytes = bytes, .single_precision = true};
  float least = std::numeric_limits<float>::max();
  float most = std::numeric_limits<float>::min();
  for (std::uint32_t id = 0; id < model.pieces.size(); ++id) {
    const SentencePieceModel::Piece& piece = model.pieces[id];
    spec.pieces.push_back({static_cast<double>(piece.score), piece.type == kUserDefined});
    if (piece.type == kNormal) {
      least = std::min(least, piece.score);
      most = std::max(most, piece.score);
    }
    if (piece.type == kNormal || piece.type == kUserDefined) spec.trie.add(piece.text, id);
  }
  spec.unknown_score = static_cast<double>(least - static_cast<float>(kUnknownPenalty));
  spec.user_defined_score = static_cast<double>(most);
  return make_unigram(std::move(spec));
}

// Characters of pieces that are no pieces themselves get ids behind all others, so that pairs with
// them can be told.
class Helpers {
 public:
  explicit Helpers(CharBpeSpec* spec, std::size_t first)
      : spec_(*spec), next_(static_cast<std::uint32_t>(first)) {
    spec_.first_helper = next_;
  }

  std::optional<std::uint32_t> id(const std::string& text) {
    const auto found = spec_.ids.find(text);
    if (found != spec_.ids.end()) return found->second;
    if (utf8_length(static_cast<std::uint8_t>(text[0])) != text.size()) return std::nullopt;
    spec_.ids.emplace(text, next_);
    return next_++;
  }

 private:
  CharBpeSpec& spec_;
  std::uint32_t next_;
};

std::unique_ptr<const PieceModel> make_bpe_model(
    const SentencePieceModel& model, std::uint32_t unknown,
    const std::array<std::optional<std::uint32_t>, 256>& bytes, const ByteTrie& atoms) {
  CharBpeSpec spec;
  spec.kind = CharBpeSpec::Kind::kSentencePiece;
  spec.unknown = unknown;
  spec.bytes = bytes;
  spec.atoms = atoms;
  std::vector<float> scores;
  for (std::uint32_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].type != kNormal) continue;
    spec.ids.emplace(model.pieces[id].text, id);
    scores.push_back(model.pieces[id].score);
  }
  std::ranges::sort(scores, std::greater<>());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  Helpers helpers(&spec, model.pieces.size());
  for (std::uint32_t id = 0; id < model.pieces.size(); ++id) {
    const SentencePieceModel::Piece& piece = model.pieces[id];
    if (piece.type != kNormal) continue;
    const auto rank = static_cast<std::uint32_t>(
        std::ranges::lower_bound(scores, piece.score, std::greater<>()) - scores.begin());
    for (std::size_t cut = utf8_length(static_cast<std::uint8_t>(piece.text[0]));
         cut < piece.text.size(); cut += utf8_length(static_cast<std::uint8_t>(piece.text[cut]))) {
      const auto left = helpers.id(piece.text.substr(0, cut));
      const auto right = helpers.id(piece.text.substr(cut));
      if (left && right) spec.merges.push_back({*left, *right, id, rank});
    }
  }
  return make_char_bpe(std::move(spec));
}

std::string bytes_of_piece(const SentencePieceModel::Piece& piece) {
  if (const auto byte = byte_of_piece(piece.text); piece.type == kByte && byte) {
    return std::string(1, static_cast<char>(*byte));
  }
  std::string bytes;
  for (std::size_t at = 0; at < piece.text.size();) {
    const bool is_blank = std::string_view(piece.text).substr(at).starts_with(kMetaspace);
    bytes += is_blank ? ' ' : piece.text[at];
    at += is_blank ? kMetaspace.size() : 1;
  }
  return bytes;
}

Result<void> check_piece(const SentencePieceModel& model, std::size_t id) {
  const SentencePieceModel::Piece& piece = model.pieces[id];
  if (piece.text.empty() || piece.text.size() >= kLongestPiece ||
      !simdjson::validate_utf8(piece.text.data(), piece.text.size())) {
    return corrupt("piece {} is empty, longer than {} bytes or not UTF-8", id, kLongestPiece);
  }
  if (piece.type < kNormal || piece.type > kByte) {
    return unsupported("piece {} \"{}\" has type {}", id, piece.text, piece.type);
  }
  if (piece.type == kUnused && model.type == 2) {
    return unsupported("piece {} \"{}\" is unused, in a BPE model", id, piece.text);
  }
  return {};
}

}  // namespace

Result<void> load_sentencepiece(std::string_view bytes, Tokenizer::Impl* impl) {
  HEADRACE_ASSIGN_OR_RETURN(const SentencePieceModel model, read_sentencepiece_model(bytes));
  if (model.pieces.empty()) return corrupt("no pieces: not a SentencePiece model");
  if (model.pieces.size() >= kMostIds) {
    return unsupported("{} pieces: the limit is {}", model.pieces.size(), kMostIds - 1);
  }
  if (model.type != 1 && model.type != 2) {
    return unsupported("trainer_spec: model_type {} (1 is unigram, 2 is BPE)", model.type);
  }
  std::array<std::optional<std::uint32_t>, 256> byte_ids{};
  std::optional<std::uint32_t> unknown;
  ByteTrie atoms;
  for (std::uint32_t id = 0; id < model.pieces.size(); ++id) {
    HEADRACE_RETURN_IF_ERROR(check_piece(model, id));
    const SentencePieceModel::Piece& piece = model.pieces[id];
    if (!impl->ids_by_text.emplace(piece.text, id).second) {
      return corrupt("piece {} \"{}\" is there twice", id, piece.text);
    }
    if (piece.type == kUnknown) unknown = id;
    if (piece.type == kUserDefined) atoms.add(piece.text, id);
    if (piece.type == kControl || piece.type == kUnknown) {
      impl->special_tokens.push_back(piece.text);
    }
    if (piece.type == kByte) {
      const auto byte = byte_of_piece(piece.text);
      if (!byte) return corrupt("piece {} \"{}\" is not a byte", id, piece.text);
      byte_ids[*byte] = id;
    }
    impl->bytes_by_id.emplace_back(bytes_of_piece(piece));
  }
  if (!unknown) return corrupt("no piece is the unknown one");
  const auto has = std::ranges::count_if(byte_ids, [](const auto& id) { return id.has_value(); });
  if (model.byte_fallback ? has != 256 : has != 0) {
    return corrupt("byte_fallback is {} with {} byte pieces", model.byte_fallback, has);
  }
  impl->blanks_to_strip = model.dummy_prefix && !model.whitespace_as_suffix ? 1 : 0;

  HEADRACE_ASSIGN_OR_RETURN(CharsMap map, CharsMap::parse(model.charsmap));
  auto pipeline = std::make_unique<Pipeline>();
  pipeline->model = model.type == 1 ? make_model(model, *unknown, byte_ids)
                                    : make_bpe_model(model, *unknown, byte_ids, atoms);
  pipeline->normalizers.push_back(
      make_sentencepiece_normalizer(model, std::move(map), std::move(atoms)));
  impl->pipeline = std::move(pipeline);
  return {};
}

}  // namespace headrace::tokenize
