// SPDX-License-Identifier: Apache-2.0
// tokenizer.json, all but the model: the steps a text goes through before it.
//
// The file is a program: each field can change ids. So a field or value that is not known is
// refused by its name; nothing is skipped because it looks harmless. Not refused: decoder null,
// since decode() is defined as the bytes of the ids.
//
// Byte-level BPE behind a known split pattern goes the fast way (encoder.cc); what is said here of
// steps is what that way can do. A file that says anything else goes the general one
// (pipeline_json.cc), which refuses by name what it does not know either.
//
// What the fields mean was taken from huggingface/tokenizers 0.22.2 (tokenizer/serialization.rs,
// tokenizer/added_vocabulary.rs, pre_tokenizers/*).
#include <algorithm>
#include <simdjson.h>

#include "base/error.h"
#include "tokenize/added_token_json.h"
#include "tokenize/json_fields.h"
#include "tokenize/nfc.h"
#include "tokenize/pipeline_json.h"
#include "tokenize/post_processor_json.h"
#include "tokenize/tokenizer_impl.h"
#include "tokenize/tokenizer_json_model.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;

Result<void> check_top_level(const JsonObject& root) {
  HEADRACE_RETURN_IF_ERROR(
      check_fields(root, "tokenizer.json",
                   {"version", "truncation", "padding", "added_tokens", "normalizer",
                    "pre_tokenizer", "post_processor", "decoder", "model"}));
  HEADRACE_RETURN_IF_ERROR(check_only(root, "tokenizer.json", "version", {"\"1.0\""}));
  for (const std::string_view field : {"truncation", "padding"}) {
    if (!is_null_or_absent(root, field)) {
      return unsupported(
          "\"{}\" is set: it would change what encoding a document gives; set it to null in a copy "
          "of the file",
          field);
    }
  }
  return {};
}

Result<void> load_normalizer(const JsonElement& value, Tokenizer::Impl* impl) {
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "normalizer"));
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(object, "normalizer", "type"));
  if (type == "NFC") {
    impl->nfc = true;
    return check_fields(object, "normalizer NFC", {"type"});
  }
  if (type != "Sequence") {
    return unsupported("normalizer \"{}\": only NFC is supported, or none", type);
  }
  HEADRACE_RETURN_IF_ERROR(check_fields(object, "normalizer Sequence", {"type", "normalizers"}));
  JsonArray steps;
  if (object.at_key("normalizers").get(steps) != simdjson::SUCCESS) {
    return corrupt("normalizer Sequence: no array \"normalizers\"");
  }
  for (const JsonElement step : steps) HEADRACE_RETURN_IF_ERROR(load_normalizer(step, impl));
  return {};
}

// The pre-tokenizer as a flat list: Split steps, then one ByteLevel.
struct PreTokenizer {
  std::vector<std::string> patterns;
  bool has_byte_level = false;
  bool use_regex = false;
  bool prefix_space = false;
};

Result<void> read_split(const JsonObject& object, PreTokenizer* steps) {
  HEADRACE_RETURN_IF_ERROR(
      check_fields(object, "pre_tokenizer Split", {"type", "pattern", "behavior", "invert"}));
  HEADRACE_ASSIGN_OR_RETURN(const std::string behavior,
                            string_field(object, "pre_tokenizer Split", "behavior"));
  HEADRACE_ASSIGN_OR_RETURN(const bool invert,
                            bool_field(object, "pre_tokenizer Split", "invert", false));
  std::string_view regex;
  JsonElement pattern;
  if (object.at_key("pattern").get(pattern) != simdjson::SUCCESS) {
    return corrupt("pre_tokenizer Split: no \"pattern\"");
  }
  if (pattern.at_key("Regex").get(regex) != simdjson::SUCCESS) {
    return unsupported("pre_tokenizer Split: pattern {}: only a \"Regex\" is supported",
                       shown(pattern));
  }
  // To remove what does not match is to isolate what does, if everything matches.
  const std::string text(regex);
  const bool removes_nothing = behavior == "Removed" && invert && covers_every_text(text);
  if (!(behavior == "Isolated" && !invert) && !removes_nothing) {
    return unsupported("pre_tokenizer Split: behavior \"{}\" with invert {} for pattern {}",
                       behavior, invert, text);
  }
  steps->patterns.push_back(text);
  return {};
}

Result<void> read_pre_tokenizer(const JsonElement& value, PreTokenizer* steps) {
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "pre_tokenizer"));
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(object, "pre_tokenizer", "type"));
  if (steps->has_byte_level) {
    return unsupported("pre_tokenizer \"{}\" behind ByteLevel", type);
  }
  if (type == "Split") return read_split(object, steps);
  if (type == "ByteLevel") {
    constexpr std::string_view kWhere = "pre_tokenizer ByteLevel";
    HEADRACE_RETURN_IF_ERROR(
        check_fields(object, kWhere, {"type", "add_prefix_space", "trim_offsets", "use_regex"}));
    steps->has_byte_level = true;
    HEADRACE_ASSIGN_OR_RETURN(steps->prefix_space,
                              bool_field(object, kWhere, "add_prefix_space", true));
    HEADRACE_ASSIGN_OR_RETURN(steps->use_regex, bool_field(object, kWhere, "use_regex", true));
    return {};
  }
  if (type != "Sequence") {
    return unsupported("pre_tokenizer \"{}\": only Split and ByteLevel are supported", type);
  }
  HEADRACE_RETURN_IF_ERROR(
      check_fields(object, "pre_tokenizer Sequence", {"type", "pretokenizers"}));
  JsonArray members;
  if (object.at_key("pretokenizers").get(members) != simdjson::SUCCESS) {
    return corrupt("pre_tokenizer Sequence: no array \"pretokenizers\"");
  }
  for (const JsonElement member : members) {
    HEADRACE_RETURN_IF_ERROR(read_pre_tokenizer(member, steps));
  }
  return {};
}

Result<void> load_pre_tokenizer(const JsonObject& root, Tokenizer::Impl* impl) {
  if (is_null_or_absent(root, "pre_tokenizer")) {
    return unsupported("no pre_tokenizer: only byte-level BPE is supported, which needs ByteLevel");
  }
  PreTokenizer steps;
  HEADRACE_RETURN_IF_ERROR(read_pre_tokenizer(root.at_key("pre_tokenizer").value(), &steps));
  if (!steps.has_byte_level) {
    return unsupported("pre_tokenizer without ByteLevel: only byte-level BPE is supported");
  }
  if (steps.patterns.empty()) {
    impl->splitter = steps.use_regex ? make_gpt2_splitter() : make_whole_splitter();
    impl->prefix_space = steps.prefix_space;
    return {};
  }
  if (steps.use_regex || steps.prefix_space) {
    return unsupported("pre_tokenizer ByteLevel with {} behind a Split",
                       steps.use_regex ? "use_regex" : "add_prefix_space");
  }
  HEADRACE_ASSIGN_OR_RETURN(impl->splitter, splitter_for_patterns(steps.patterns));
  return {};
}

std::string normalized_content(const Tokenizer::Impl& impl, const std::string& content) {
  std::string normalized;
  if (impl.pipeline) {
    impl.pipeline->normalize(content, &normalized);
  } else if (!impl.nfc || !to_nfc(content, &normalized)) {
    return content;
  }
  return normalized;
}

Result<void> load_added_tokens(const JsonObject& root, Tokenizer::Impl* impl) {
  if (is_null_or_absent(root, "added_tokens")) return {};
  JsonArray tokens;
  if (root.at_key("added_tokens").get(tokens) != simdjson::SUCCESS) {
    return corrupt("\"added_tokens\" is not an array");
  }
  std::vector<AddedToken> raw;
  std::vector<AddedToken> normalized;
  std::vector<std::string> seen;
  std::uint64_t next_id = impl->ids_by_text.size();
  for (const JsonElement value : tokens) {
    std::uint64_t id = 0;
    HEADRACE_ASSIGN_OR_RETURN(AddedToken token, read_added_token(value, &id));
    if (token.content.empty() || std::ranges::find(seen, token.content) != seen.end()) continue;
    seen.push_back(token.content);
    const auto known = impl->ids_by_text.find(token.content);
    HEADRACE_RETURN_IF_ERROR(
        check_added_id(token, id, known == impl->ids_by_text.end() ? next_id : known->second));
    if (id >= kMostIds) return unsupported("added token id {}: the limit is {}", id, kMostIds - 1);
    token.id = static_cast<std::uint32_t>(id);
    next_id = std::max(next_id, id + 1);
    if (impl->bytes_by_id.size() <= id) impl->bytes_by_id.resize(id + 1);
    if (impl->ids_by_text.emplace(token.content, token.id).second && impl->bytes_by_id[id]) {
      return unsupported("added token \"{}\": its id {} belongs to another token", token.content,
                         id);
    }
    impl->bytes_by_id[id] = token.content;
    if (token.special) impl->special_tokens.push_back(token.content);
    if (token.normalized) token.content = normalized_content(*impl, token.content);
    if (token.content.empty()) continue;
    (token.normalized ? normalized : raw).push_back(std::move(token));
  }
  impl->raw_added = AddedTokenMatcher(std::move(raw));
  impl->normalized_added = AddedTokenMatcher(std::move(normalized));
  return {};
}

Result<void> check_decoder(const JsonObject& root) {
  if (is_null_or_absent(root, "decoder")) return {};
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject object,
                            object_of(root.at_key("decoder").value(), "decoder"));
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(object, "decoder", "type"));
  if (type != "ByteLevel") return unsupported("decoder \"{}\": only ByteLevel is supported", type);
  return check_fields(object, "decoder ByteLevel",
                      {"type", "add_prefix_space", "trim_offsets", "use_regex"});
}

// Byte-level BPE behind steps that scanners are written for.
Result<void> load_fast_way(const JsonObject& root, Tokenizer::Impl* impl) {
  if (!is_null_or_absent(root, "normalizer")) {
    HEADRACE_RETURN_IF_ERROR(load_normalizer(root.at_key("normalizer").value(), impl));
  }
  HEADRACE_RETURN_IF_ERROR(load_pre_tokenizer(root, impl));
  HEADRACE_RETURN_IF_ERROR(check_decoder(root));
  return load_model(root.at_key("model").value(), impl);
}

}  // namespace

Result<void> load_tokenizer_json(std::string_view json, Tokenizer::Impl* impl) {
  simdjson::dom::parser parser;
  JsonElement document;
  if (const auto error = parser.parse(simdjson::padded_string(json)).get(document)) {
    return corrupt("not whole JSON ({} bytes): {}", json.size(), simdjson::error_message(error));
  }
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject root, object_of(document, "tokenizer.json"));
  HEADRACE_RETURN_IF_ERROR(check_top_level(root));
  if (is_null_or_absent(root, "model")) return corrupt("no \"model\"");
  HEADRACE_ASSIGN_OR_RETURN(AroundText around, read_post_processor(root));
  impl->before = std::move(around.before);
  impl->behind = std::move(around.behind);
  auto loaded = load_fast_way(root, impl);
  if (!loaded && loaded.error().code() == Code::kUnsupported) {
    impl->clear_vocabulary();
    impl->nfc = false;
    loaded = load_pipeline(root, impl);
  }
  HEADRACE_RETURN_IF_ERROR(loaded);
  HEADRACE_RETURN_IF_ERROR(load_added_tokens(root, impl));
  for (const auto* ids : {&impl->before, &impl->behind}) {
    for (const std::uint32_t id : *ids) {
      if (id < impl->bytes_by_id.size() && impl->bytes_by_id[id]) continue;
      return corrupt("post_processor: no token has id {}", id);
    }
  }
  return {};
}

}  // namespace headrace::tokenize
