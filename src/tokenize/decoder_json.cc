// SPDX-License-Identifier: Apache-2.0
// A decoder turns tokens to text one by one, but for what it strips from the front of the whole.
// Bytes stay bytes: a character may be cut between tokens, and who decodes it all sees it whole.
#include "tokenize/decoder_json.h"

#include <functional>

#include "base/error.h"
#include "tokenize/byte_chars.h"
#include "tokenize/byte_pieces.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;

void replace_all(std::string* text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) {
    text->replace(at, from.size(), to);
  }
}

class Decoding {
 public:
  explicit Decoding(Tokenizer::Impl* impl) : impl_(*impl) {}

  Result<void> apply(const JsonElement& value) {
    HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "decoder"));
    HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(object, "decoder", "type"));
    where_ = "decoder " + type;
    if (type == "Sequence") return sequence(object);
    if (type == "ByteLevel") {
      HEADRACE_RETURN_IF_ERROR(
          check_fields(object, where_, {"type", "add_prefix_space", "trim_offsets", "use_regex"}));
      each([](std::string* token) { *token = bytes_of_chars(*token).value_or(*token); });
      return {};
    }
    if (type == "ByteFallback") {
      each([](std::string* token) {
        if (const auto byte = byte_of_piece(*token)) token->assign(1, static_cast<char>(*byte));
      });
      return check_fields(object, where_, {"type"});
    }
    if (type == "Fuse") return check_fields(object, where_, {"type"});
    if (type == "Replace") return replace(object);
    if (type == "Strip") return strip(object);
    if (type == "Metaspace") return metaspace(object);
    if (type == "WordPiece") return wordpiece(object);
    if (type == "BPEDecoder") return suffix(object);
    return unsupported("decoder \"{}\"", type);
  }

 private:
  void each(const std::function<void(std::string*)>& change) {
    for (auto& token : impl_.bytes_by_id) {
      if (token) change(&*token);
    }
  }

  Result<void> sequence(const JsonObject& object) {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where_, {"type", "decoders"}));
    JsonArray members;
    if (object.at_key("decoders").get(members) != simdjson::SUCCESS) {
      return corrupt("{}: no array \"decoders\"", where_);
    }
    for (const JsonElement member : members) HEADRACE_RETURN_IF_ERROR(apply(member));
    return {};
  }

  Result<void> replace(const JsonObject& object) {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where_, {"type", "pattern", "content"}));
    HEADRACE_ASSIGN_OR_RETURN(const std::string content, string_field(object, where_, "content"));
    std::string_view pattern;
    if (object.at_key("pattern").at_key("String").get(pattern) != simdjson::SUCCESS ||
        pattern.empty()) {
      return unsupported("{}: a pattern that is no \"String\"", where_);
    }
    each([&](std::string* token) { replace_all(token, pattern, content); });
    return {};
  }

  Result<void> strip(const JsonObject& object) {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where_, {"type", "content", "start", "stop"}));
    HEADRACE_RETURN_IF_ERROR(check_only(object, where_, "content", {"\" \""}));
    HEADRACE_RETURN_IF_ERROR(check_only(object, where_, "stop", {"0"}));
    std::uint64_t start = 0;
    if (object.at_key("start").get(start) != simdjson::SUCCESS) {
      return corrupt("{}: no number \"start\"", where_);
    }
    impl_.blanks_to_strip = start;
    return {};
  }

  Result<void> metaspace(const JsonObject& object) {
    HEADRACE_RETURN_IF_ERROR(check_fields(
        object, where_,
        {"type", "replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"}));
    HEADRACE_ASSIGN_OR_RETURN(const std::string replacement,
                              string_field(object, where_, "replacement"));
    each([&](std::string* token) { replace_all(token, replacement, " "); });
    impl_.blanks_to_strip = 1;
    return {};
  }

  Result<void> wordpiece(const JsonObject& object) {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where_, {"type", "prefix", "cleanup"}));
    HEADRACE_ASSIGN_OR_RETURN(const std::string prefix, string_field(object, where_, "prefix"));
    HEADRACE_ASSIGN_OR_RETURN(const bool cleans, bool_field(object, where_, "cleanup", true));
    each([&](std::string* token) { join_word(token, prefix, cleans); });
    impl_.blanks_to_strip = 1;
    return {};
  }

  Result<void> suffix(const JsonObject& object) {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where_, {"type", "suffix"}));
    HEADRACE_ASSIGN_OR_RETURN(const std::string suffix, string_field(object, where_, "suffix"));
    if (!suffix.empty()) each([&](std::string* token) { replace_all(token, suffix, " "); });
    return {};
  }

  Tokenizer::Impl& impl_;
  std::string where_;
};

}  // namespace

void join_word(std::string* token, std::string_view prefix, bool cleans) {
  if (!prefix.empty() && token->starts_with(prefix)) {
    token->erase(0, prefix.size());
    return;
  }
  token->insert(0, 1, ' ');
  if (!cleans) return;
  for (const std::string_view mark : {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"}) {
    replace_all(token, " " + std::string(mark), mark);
  }
}

Result<void> apply_decoder(const JsonObject& root, Tokenizer::Impl* impl) {
  if (is_null_or_absent(root, "decoder")) return {};
  return Decoding(impl).apply(root.at_key("decoder").value());
}

}  // namespace headrace::tokenize
