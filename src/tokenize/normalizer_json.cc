// SPDX-License-Identifier: Apache-2.0
#include "tokenize/normalizer_json.h"

#include "base/error.h"
#include "tokenize/base64.h"
#include "tokenize/pattern_json.h"
#include "tokenize/wordpiece_file.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;

class NormalizerReader {
 public:
  explicit NormalizerReader(std::vector<NormalizerStep>* steps) : steps_(*steps) {}

  Result<void> read(const JsonElement& value) {
    HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "normalizer"));
    HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(object, "normalizer", "type"));
    const std::string where = "normalizer " + type;
    if (type == "Sequence") {
      HEADRACE_ASSIGN_OR_RETURN(const JsonArray members, members_of(object, where, "normalizers"));
      for (const JsonElement member : members) HEADRACE_RETURN_IF_ERROR(read(member));
      return {};
    }
    if (type == "BertNormalizer") {
      HEADRACE_ASSIGN_OR_RETURN(const BertNormalizerOptions options, read_bert_normalizer(object));
      steps_.push_back(make_bert_step(options));
      return {};
    }
    if (type == "Prepend") {
      HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "prepend"}));
      HEADRACE_ASSIGN_OR_RETURN(std::string prefix, string_field(object, where, "prepend"));
      steps_.push_back(make_prepend(std::move(prefix)));
      return {};
    }
    if (type == "Replace") {
      HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "pattern", "content"}));
      HEADRACE_ASSIGN_OR_RETURN(Pattern pattern, read_pattern(object, where));
      HEADRACE_ASSIGN_OR_RETURN(std::string by, string_field(object, where, "content"));
      steps_.push_back(pattern.regex ? make_replace(*std::move(pattern.regex), std::move(by))
                                     : make_replace(std::move(pattern.text), std::move(by)));
      return {};
    }
    if (type == "Strip") {
      HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "strip_left", "strip_right"}));
      HEADRACE_ASSIGN_OR_RETURN(const bool left, bool_field(object, where, "strip_left", true));
      HEADRACE_ASSIGN_OR_RETURN(const bool right, bool_field(object, where, "strip_right", true));
      steps_.push_back(make_strip(left, right));
      return {};
    }
    if (type == "Precompiled") return read_precompiled(object, where);
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type"}));
    return read_plain(type);
  }

 private:
  Result<void> read_precompiled(const JsonObject& object, std::string_view where) {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "precompiled_charsmap"}));
    if (is_null_or_absent(object, "precompiled_charsmap")) return {};
    HEADRACE_ASSIGN_OR_RETURN(const std::string text,
                              string_field(object, where, "precompiled_charsmap"));
    std::string bytes;
    if (!decode_base64(text, &bytes)) {
      return corrupt("{}: \"precompiled_charsmap\" is not base64", where);
    }
    HEADRACE_ASSIGN_OR_RETURN(CharsMap map, CharsMap::parse(bytes));
    steps_.push_back(make_precompiled(std::move(map)));
    return {};
  }

  Result<void> read_plain(const std::string& type) {
    constexpr std::pair<std::string_view, UnicodeForm> kForms[] = {{"NFC", UnicodeForm::kNfc},
                                                                   {"NFD", UnicodeForm::kNfd},
                                                                   {"NFKC", UnicodeForm::kNfkc},
                                                                   {"NFKD", UnicodeForm::kNfkd}};
    for (const auto& [name, form] : kForms) {
      if (type == name) return add(make_unicode_form(form));
    }
    if (type == "Lowercase") {
      return add(make_bert_step({.clean_text = false,
                                 .handle_chinese_chars = false,
                                 .strip_accents = false,
                                 .lowercase = true}));
    }
    if (type == "StripAccents") return add(make_strip_accents());
    if (type == "Nmt") return add(make_nmt());
    if (type == "ByteLevel") return add(make_byte_chars());
    return unsupported("normalizer \"{}\"", type);
  }

  Result<void> add(NormalizerStep step) {
    steps_.push_back(std::move(step));
    return {};
  }

  std::vector<NormalizerStep>& steps_;
};

}  // namespace

Result<void> read_normalizer(const JsonElement& value, std::vector<NormalizerStep>* steps) {
  return NormalizerReader(steps).read(value);
}

}  // namespace headrace::tokenize
