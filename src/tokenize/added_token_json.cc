// SPDX-License-Identifier: Apache-2.0
#include "tokenize/added_token_json.h"

#include "base/error.h"

namespace headrace::tokenize {

Result<AddedToken> read_added_token(const JsonElement& value, std::uint64_t* id) {
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "an added token"));
  AddedToken token;
  HEADRACE_ASSIGN_OR_RETURN(token.content, string_field(object, "an added token", "content"));
  const std::string where = fmt::format("added token \"{}\"", token.content);
  HEADRACE_RETURN_IF_ERROR(
      check_fields(object, where,
                   {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"}));
  if (object.at_key("id").get(*id) != simdjson::SUCCESS) return corrupt("{}: no \"id\"", where);
  HEADRACE_RETURN_IF_ERROR(check_only(object, where, "single_word", {"false"}));
  HEADRACE_ASSIGN_OR_RETURN(token.special, bool_field(object, where, "special", false));
  HEADRACE_ASSIGN_OR_RETURN(token.strip_left, bool_field(object, where, "lstrip", false));
  HEADRACE_ASSIGN_OR_RETURN(token.strip_right, bool_field(object, where, "rstrip", false));
  HEADRACE_ASSIGN_OR_RETURN(token.normalized,
                            bool_field(object, where, "normalized", !token.special));
  return token;
}

Result<void> check_added_id(const AddedToken& token, std::uint64_t id, std::uint64_t given) {
  if (id == given) return {};
  return unsupported("added token \"{}\": the file says id {}, tokenizers gives it {}",
                     token.content, id, given);
}

}  // namespace headrace::tokenize
