// SPDX-License-Identifier: Apache-2.0
#include "tokenize/models_json.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "tokenize/byte_pieces.h"
#include "tokenize/char_bpe.h"
#include "tokenize/tokenizer_json_model.h"
#include "tokenize/unigram.h"
#include "tokenize/wordpiece_file.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;
using ByteIds = std::array<std::optional<std::uint32_t>, 256>;

constexpr std::string_view kWhere = "model";
constexpr double kUnknownPenalty = 10;

Result<void> add_token(std::string_view text, std::uint64_t id, Tokenizer::Impl* impl) {
  if (id >= kMostIds) {
    return unsupported("model: id {} of \"{}\": the limit is {}", id, text, kMostIds - 1);
  }
  if (impl->bytes_by_id.size() <= id) impl->bytes_by_id.resize(id + 1);
  const bool is_new = impl->ids_by_text.emplace(text, static_cast<std::uint32_t>(id)).second;
  if (!is_new || impl->bytes_by_id[id].has_value()) {
    return corrupt("model: \"{}\" with id {}: token or id stands in the vocabulary twice", text,
                   id);
  }
  impl->bytes_by_id[id] = std::string(text);
  return {};
}

Result<void> read_vocabulary(const JsonObject& model, Tokenizer::Impl* impl) {
  JsonObject vocabulary;
  if (model.at_key("vocab").get(vocabulary) != simdjson::SUCCESS) {
    return corrupt("model: no object \"vocab\"");
  }
  for (const auto& [text, value] : vocabulary) {
    std::uint64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS) {
      return corrupt("model: id of \"{}\" is {}", text, shown(value));
    }
    HEADRACE_RETURN_IF_ERROR(add_token(text, id, impl));
  }
  return {};
}

ByteIds byte_ids(const Tokenizer::Impl& impl) {
  ByteIds ids{};
  for (unsigned byte = 0; byte < ids.size(); ++byte) {
    const auto found = impl.ids_by_text.find(byte_piece(byte));
    if (found != impl.ids_by_text.end()) ids[byte] = found->second;
  }
  return ids;
}

Result<std::optional<std::uint32_t>> unknown_token(const JsonObject& model,
                                                   const Tokenizer::Impl& impl) {
  if (is_null_or_absent(model, "unk_token")) return std::optional<std::uint32_t>();
  HEADRACE_ASSIGN_OR_RETURN(const std::string text, string_field(model, kWhere, "unk_token"));
  const auto found = impl.ids_by_text.find(text);
  if (found == impl.ids_by_text.end()) {
    return corrupt("model: unk_token \"{}\" is not in the vocabulary", text);
  }
  return std::optional(found->second);
}

class WordPieceModel final : public PieceModel {
 public:
  explicit WordPieceModel(WordPiece model) : model_(std::move(model)) {}

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Ids>(); }

  void encode(std::string_view piece, Scratch* scratch,
              std::vector<std::uint32_t>* ids) const override {
    std::vector<std::int64_t>& made = static_cast<Ids&>(*scratch).ids;
    made.clear();
    model_.encode(piece, &made);
    for (const std::int64_t id : made) ids->push_back(static_cast<std::uint32_t>(id));
  }

 private:
  struct Ids final : Scratch {
    std::vector<std::int64_t> ids;
  };
  WordPiece model_;
};

}  // namespace

Result<std::string> model_type(const JsonObject& model) {
  if (!is_null_or_absent(model, "type")) return string_field(model, kWhere, "type");
  if (!is_null_or_absent(model, "merges")) return std::string("BPE");
  if (!is_null_or_absent(model, "max_input_chars_per_word")) return std::string("WordPiece");
  return unsupported("model without a type");
}

Result<std::unique_ptr<const PieceModel>> load_char_bpe(const JsonObject& model,
                                                        Tokenizer::Impl* impl) {
  HEADRACE_RETURN_IF_ERROR(check_fields(
      model, kWhere,
      {"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
       "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"}));
  HEADRACE_RETURN_IF_ERROR(check_only(model, kWhere, "dropout", {"0.0", "0"}));
  HEADRACE_RETURN_IF_ERROR(check_only(model, kWhere, "continuing_subword_prefix", {"\"\""}));
  HEADRACE_RETURN_IF_ERROR(read_vocabulary(model, impl));
  CharBpeSpec spec;
  HEADRACE_ASSIGN_OR_RETURN(spec.unknown, unknown_token(model, *impl));
  HEADRACE_ASSIGN_OR_RETURN(spec.fuse_unknown, bool_field(model, kWhere, "fuse_unk", false));
  HEADRACE_ASSIGN_OR_RETURN(spec.whole_first, bool_field(model, kWhere, "ignore_merges", false));
  HEADRACE_ASSIGN_OR_RETURN(const bool has_bytes,
                            bool_field(model, kWhere, "byte_fallback", false));
  if (has_bytes) spec.bytes = byte_ids(*impl);
  if (!is_null_or_absent(model, "end_of_word_suffix")) {
    HEADRACE_ASSIGN_OR_RETURN(spec.suffix, string_field(model, kWhere, "end_of_word_suffix"));
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Merge> merges, read_merges(model, impl->ids_by_text));
  for (std::uint32_t rank = 0; rank < merges.size(); ++rank) {
    spec.merges.push_back({merges[rank].left, merges[rank].right, merges[rank].merged, rank});
  }
  spec.ids = impl->ids_by_text;
  return make_char_bpe(std::move(spec));
}

Result<std::unique_ptr<const PieceModel>> load_unigram(const JsonObject& model,
                                                       Tokenizer::Impl* impl) {
  HEADRACE_RETURN_IF_ERROR(
      check_fields(model, kWhere, {"type", "unk_id", "vocab", "byte_fallback"}));
  JsonArray vocabulary;
  if (model.at_key("vocab").get(vocabulary) != simdjson::SUCCESS) {
    return corrupt("model: no array \"vocab\"");
  }
  UnigramSpec spec{.looks_up_unknown = true};
  double least = std::numeric_limits<double>::infinity();
  for (const JsonElement value : vocabulary) {
    JsonArray pair;
    std::string_view text;
    double score = 0;
    if (value.get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
        pair.at(0).get(text) != simdjson::SUCCESS || pair.at(1).get(score) != simdjson::SUCCESS) {
      return corrupt("model: {} in \"vocab\" is not a piece and its score", shown(value));
    }
    const auto id = static_cast<std::uint32_t>(spec.pieces.size());
    HEADRACE_RETURN_IF_ERROR(add_token(text, id, impl));
    spec.pieces.push_back({score, false});
    if (!text.empty()) spec.trie.add(text, id);
    least = std::min(least, score);
  }
  if (is_null_or_absent(model, "unk_id")) {
    return unsupported("model: no \"unk_id\": what a character becomes that is no piece?");
  }
  std::uint64_t unknown = 0;
  if (model.at_key("unk_id").get(unknown) != simdjson::SUCCESS || unknown >= spec.pieces.size()) {
    return corrupt("model: \"unk_id\" is not an id of its vocabulary");
  }
  spec.unknown = static_cast<std::uint32_t>(unknown);
  spec.unknown_score = least - kUnknownPenalty;
  HEADRACE_ASSIGN_OR_RETURN(const bool has_bytes,
                            bool_field(model, kWhere, "byte_fallback", false));
  if (has_bytes) spec.bytes = byte_ids(*impl);
  return make_unigram(std::move(spec));
}

Result<std::unique_ptr<const PieceModel>> load_wordpiece(const JsonObject& model,
                                                         Tokenizer::Impl* impl) {
  std::size_t size = 0;
  HEADRACE_ASSIGN_OR_RETURN(WordPiece pieces, read_wordpiece_model(model, &size));
  for (const auto& [text, id] : pieces.ids()) HEADRACE_RETURN_IF_ERROR(add_token(text, id, impl));
  return make_wordpiece_model(std::move(pieces));
}

std::unique_ptr<const PieceModel> make_wordpiece_model(WordPiece pieces) {
  return std::make_unique<WordPieceModel>(std::move(pieces));
}

}  // namespace headrace::tokenize
