// SPDX-License-Identifier: Apache-2.0
// tokenizer.json with a WordPiece model. As in tokenizer_json.cc, a field or value that is not
// known is refused by its name.
//
// "truncation" gives the longest sequence. "padding" gives the padding id only: how far a batch is
// padded changes no id of a text.
#include <algorithm>
#include <simdjson.h>

#include "base/error.h"
#include "tokenize/added_token_json.h"
#include "tokenize/json_fields.h"
#include "tokenize/post_processor_json.h"
#include "tokenize/wordpiece_file.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;

Result<std::uint64_t> number_field(const JsonObject& object, std::string_view where,
                                   std::string_view field) {
  std::uint64_t number = 0;
  if (object.at_key(field).get(number) != simdjson::SUCCESS) {
    return corrupt("{}: no number \"{}\"", where, field);
  }
  return number;
}

Result<std::string> type_of(const JsonObject& root, std::string_view part, JsonObject* object) {
  HEADRACE_ASSIGN_OR_RETURN(*object, object_of(root.at_key(part).value(), part));
  return string_field(*object, part, "type");
}

Result<WordPiece::Ids> read_vocabulary(const JsonObject& model) {
  JsonObject vocabulary;
  if (model.at_key("vocab").get(vocabulary) != simdjson::SUCCESS) {
    return corrupt("model: no object \"vocab\"");
  }
  WordPiece::Ids ids;
  ids.reserve(vocabulary.size());
  for (const auto& [text, value] : vocabulary) {
    std::uint64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS || id >= kMostWordPieces) {
      return corrupt("model: id of \"{}\" is {}", text, shown(value));
    }
    if (!ids.emplace(text, static_cast<std::uint32_t>(id)).second) {
      return corrupt("model: \"{}\" stands in the vocabulary twice", text);
    }
  }
  return ids;
}

Result<void> load_model(const JsonObject& root, WordPieceFile* file) {
  if (is_null_or_absent(root, "model")) return corrupt("no \"model\"");
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject model,
                            object_of(root.at_key("model").value(), "model"));
  HEADRACE_ASSIGN_OR_RETURN(file->model, read_wordpiece_model(model, &file->vocabulary_size));
  return {};
}

Result<void> load_normalizer(const JsonObject& root, WordPieceFile* file) {
  if (is_null_or_absent(root, "normalizer")) return {};
  JsonObject object;
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, type_of(root, "normalizer", &object));
  if (type != "BertNormalizer") {
    return unsupported("normalizer \"{}\": only BertNormalizer is supported, or none", type);
  }
  HEADRACE_ASSIGN_OR_RETURN(file->normalizer, read_bert_normalizer(object));
  return {};
}

Result<void> check_pre_tokenizer(const JsonObject& root) {
  if (is_null_or_absent(root, "pre_tokenizer")) {
    return unsupported("no pre_tokenizer: only BertPreTokenizer is supported");
  }
  JsonObject object;
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, type_of(root, "pre_tokenizer", &object));
  if (type != "BertPreTokenizer") {
    return unsupported("pre_tokenizer \"{}\": only BertPreTokenizer is supported", type);
  }
  return check_fields(object, "pre_tokenizer BertPreTokenizer", {"type"});
}

Result<void> load_post_processor(const JsonObject& root, WordPieceFile* file) {
  HEADRACE_ASSIGN_OR_RETURN(const AroundText around, read_post_processor(root));
  file->before.assign(around.before.begin(), around.before.end());
  file->behind.assign(around.behind.begin(), around.behind.end());
  return {};
}

Result<void> load_lengths(const JsonObject& root, WordPieceFile* file) {
  if (!is_null_or_absent(root, "truncation")) {
    HEADRACE_ASSIGN_OR_RETURN(const JsonObject object,
                              object_of(root.at_key("truncation").value(), "truncation"));
    HEADRACE_RETURN_IF_ERROR(
        check_fields(object, "truncation", {"direction", "max_length", "strategy", "stride"}));
    HEADRACE_RETURN_IF_ERROR(check_only(object, "truncation", "direction", {"\"Right\""}));
    HEADRACE_ASSIGN_OR_RETURN(file->max_length, number_field(object, "truncation", "max_length"));
  }
  if (!is_null_or_absent(root, "padding")) {
    HEADRACE_ASSIGN_OR_RETURN(const JsonObject object,
                              object_of(root.at_key("padding").value(), "padding"));
    HEADRACE_RETURN_IF_ERROR(check_only(object, "padding", "direction", {"\"Right\""}));
    HEADRACE_RETURN_IF_ERROR(check_only(object, "padding", "pad_type_id", {"0"}));
    HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t id, number_field(object, "padding", "pad_id"));
    if (id >= file->vocabulary_size) return corrupt("padding: no token has pad_id {}", id);
    file->padding_id = static_cast<std::int64_t>(id);
  } else if (const auto found = file->model.ids().find("[PAD]"); found != file->model.ids().end()) {
    file->padding_id = found->second;
  }
  return {};
}

Result<void> load_added_tokens(const JsonObject& root, WordPieceFile* file) {
  if (is_null_or_absent(root, "added_tokens")) return {};
  JsonArray tokens;
  if (root.at_key("added_tokens").get(tokens) != simdjson::SUCCESS) {
    return corrupt("\"added_tokens\" is not an array");
  }
  const WordPiece::Ids& ids = file->model.ids();
  std::vector<AddedToken> raw;
  std::vector<AddedToken> normalized;
  std::vector<std::string> seen;
  std::uint64_t next_id = ids.size();
  for (const JsonElement value : tokens) {
    std::uint64_t id = 0;
    HEADRACE_ASSIGN_OR_RETURN(AddedToken token, read_added_token(value, &id));
    if (token.content.empty() || std::ranges::find(seen, token.content) != seen.end()) continue;
    seen.push_back(token.content);
    const auto known = ids.find(token.content);
    HEADRACE_RETURN_IF_ERROR(
        check_added_id(token, id, known == ids.end() ? next_id : known->second));
    if (id >= kMostWordPieces) return unsupported("added token id {}", id);
    token.id = static_cast<std::uint32_t>(id);
    next_id = std::max(next_id, id + 1);
    file->vocabulary_size = std::max<std::size_t>(file->vocabulary_size, id + 1);
    if (token.normalized && file->normalizer) {
      std::string content;
      bert_normalize(token.content, *file->normalizer, &content);
      token.content = std::move(content);
      if (token.content.empty()) continue;
    }
    (token.normalized ? normalized : raw).push_back(std::move(token));
  }
  file->raw_added = AddedTokenMatcher(std::move(raw));
  file->normalized_added = AddedTokenMatcher(std::move(normalized));
  return {};
}

}  // namespace

Result<WordPiece> read_wordpiece_model(const JsonObject& model, std::size_t* vocabulary_size) {
  // Older files do not name the type.
  if (!is_null_or_absent(model, "type") || is_null_or_absent(model, "max_input_chars_per_word")) {
    HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(model, "model", "type"));
    if (type != "WordPiece") return unsupported("model \"{}\": only WordPiece is supported", type);
  }
  HEADRACE_RETURN_IF_ERROR(check_fields(
      model, "model",
      {"type", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"}));
  HEADRACE_ASSIGN_OR_RETURN(WordPiece::Ids ids, read_vocabulary(model));
  HEADRACE_ASSIGN_OR_RETURN(const std::string unknown, string_field(model, "model", "unk_token"));
  HEADRACE_ASSIGN_OR_RETURN(const std::string prefix,
                            string_field(model, "model", "continuing_subword_prefix"));
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t longest,
                            number_field(model, "model", "max_input_chars_per_word"));
  const auto found = ids.find(unknown);
  if (found == ids.end()) {
    return corrupt("model: unk_token \"{}\" is not in the vocabulary", unknown);
  }
  for (const auto& [text, id] : ids) {
    *vocabulary_size = std::max<std::size_t>(*vocabulary_size, id + std::size_t{1});
  }
  const std::uint32_t unknown_id = found->second;
  constexpr std::uint64_t kMostCharacters = 1 << 20;
  return WordPiece(std::move(ids), unknown_id, prefix,
                   std::min<std::uint64_t>(longest, kMostCharacters));
}

Result<BertNormalizerOptions> read_bert_normalizer(const JsonObject& object) {
  constexpr std::string_view kWhere = "normalizer BertNormalizer";
  HEADRACE_RETURN_IF_ERROR(
      check_fields(object, kWhere,
                   {"type", "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}));
  BertNormalizerOptions options;
  HEADRACE_ASSIGN_OR_RETURN(options.clean_text, bool_field(object, kWhere, "clean_text", true));
  HEADRACE_ASSIGN_OR_RETURN(options.handle_chinese_chars,
                            bool_field(object, kWhere, "handle_chinese_chars", true));
  HEADRACE_ASSIGN_OR_RETURN(options.lowercase, bool_field(object, kWhere, "lowercase", true));
  options.strip_accents = options.lowercase;
  if (!is_null_or_absent(object, "strip_accents")) {
    HEADRACE_ASSIGN_OR_RETURN(options.strip_accents,
                              bool_field(object, kWhere, "strip_accents", false));
  }
  return options;
}

Result<WordPieceFile> parse_wordpiece_json(std::string_view json) {
  simdjson::dom::parser parser;
  JsonElement document;
  if (const auto error = parser.parse(simdjson::padded_string(json)).get(document)) {
    return corrupt("not whole JSON ({} bytes): {}", json.size(), simdjson::error_message(error));
  }
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject root, object_of(document, "tokenizer.json"));
  HEADRACE_RETURN_IF_ERROR(
      check_fields(root, "tokenizer.json",
                   {"version", "truncation", "padding", "added_tokens", "normalizer",
                    "pre_tokenizer", "post_processor", "decoder", "model"}));
  HEADRACE_RETURN_IF_ERROR(check_only(root, "tokenizer.json", "version", {"\"1.0\""}));
  WordPieceFile file;
  HEADRACE_RETURN_IF_ERROR(load_model(root, &file));
  HEADRACE_RETURN_IF_ERROR(load_normalizer(root, &file));
  HEADRACE_RETURN_IF_ERROR(check_pre_tokenizer(root));
  HEADRACE_RETURN_IF_ERROR(load_post_processor(root, &file));
  HEADRACE_RETURN_IF_ERROR(load_added_tokens(root, &file));
  HEADRACE_RETURN_IF_ERROR(load_lengths(root, &file));
  for (const auto* ids : {&file.before, &file.behind}) {
    for (const std::int64_t id : *ids) {
      if (static_cast<std::size_t>(id) < file.vocabulary_size) continue;
      return corrupt("post_processor: no token has id {}", id);
    }
  }
  return file;
}

}  // namespace headrace::tokenize
