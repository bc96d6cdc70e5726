// SPDX-License-Identifier: Apache-2.0
#include "tokenize/pre_tokenizer_json.h"

#include "base/error.h"
#include "tokenize/bert_normalizer.h"
#include "tokenize/pattern_json.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;

class PreTokenizerReader {
 public:
  explicit PreTokenizerReader(bool has_normalizer) : has_normalizer_(has_normalizer) {}

  PreTokenizerSteps take() { return {std::move(steps_), ends_with_bytes_}; }

  Result<void> read(const JsonElement& value) {
    HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "pre_tokenizer"));
    HEADRACE_ASSIGN_OR_RETURN(const std::string type,
                              string_field(object, "pre_tokenizer", "type"));
    const std::string where = "pre_tokenizer " + type;
    if (type == "Sequence") {
      HEADRACE_ASSIGN_OR_RETURN(const JsonArray members,
                                members_of(object, where, "pretokenizers"));
      for (const JsonElement member : members) HEADRACE_RETURN_IF_ERROR(read(member));
      return {};
    }
    if (ends_with_bytes_) steps_.push_back(make_byte_chars_step());
    ends_with_bytes_ = false;
    if (type == "ByteLevel") return read_byte_level(object, where);
    if (type == "Metaspace") return read_metaspace(object, where);
    if (type == "Split") return read_split(object, where);
    if (type == "Punctuation") {
      HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "behavior"}));
      HEADRACE_ASSIGN_OR_RETURN(const SplitBehavior behavior, read_behavior(object, where, true));
      return add(make_split(punctuation(), behavior, false));
    }
    if (type == "Digits") {
      HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "individual_digits"}));
      HEADRACE_ASSIGN_OR_RETURN(const bool single,
                                bool_field(object, where, "individual_digits", false));
      HEADRACE_ASSIGN_OR_RETURN(const CodePointSet set, numbers());
      return add(
          make_split(set, single ? SplitBehavior::kIsolated : SplitBehavior::kContiguous, false));
    }
    if (type == "CharDelimiterSplit") {
      HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "delimiter"}));
      HEADRACE_ASSIGN_OR_RETURN(std::string delimiter, string_field(object, where, "delimiter"));
      if (delimiter.empty()) return corrupt("{}: an empty \"delimiter\"", where);
      return add(make_split(std::move(delimiter), SplitBehavior::kRemoved, false));
    }
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type"}));
    if (type == "BertPreTokenizer") return add(make_bert_words());
    if (type == "WhitespaceSplit") {
      return add(make_split(space_set(), SplitBehavior::kRemoved, false));
    }
    if (type == "Whitespace") {
      // Written with the regex crate, which is what fancy-regex stands on.
      HEADRACE_ASSIGN_OR_RETURN(Regex words,
                                Regex::parse(R"(\w+|[^\w\s]+)", RegexDialect::kFancyRegex));
      return add(make_split(std::move(words), SplitBehavior::kRemoved, true));
    }
    return unsupported("pre_tokenizer \"{}\"", type);
  }

 private:
  Result<void> add(PreTokenizerStep step) {
    steps_.push_back(std::move(step));
    return {};
  }

  static CodePointSet punctuation() {
    CodePointSet set;
    for (std::uint32_t c = 0; c <= kLastCodePoint; ++c) {
      if (bert_break(c) == BertBreak::kPunctuation) set.add(c, c);
    }
    return set;
  }

  static Result<CodePointSet> numbers() {
    HEADRACE_ASSIGN_OR_RETURN(CodePointSet set, property_set("N"));
    // char::is_numeric is that of the compiler the engine was built with: Unicode 17.
    set.add(0x11DE0, 0x11DE9);
    set.add(0x16FF4, 0x16FF6);
    return set;
  }

  static Result<SplitBehavior> read_behavior(const JsonObject& object, std::string_view where,
                                             bool may_be_absent) {
    if (may_be_absent && is_null_or_absent(object, "behavior")) return SplitBehavior::kIsolated;
    HEADRACE_ASSIGN_OR_RETURN(const std::string name, string_field(object, where, "behavior"));
    constexpr std::pair<std::string_view, SplitBehavior> kNames[] = {
        {"Removed", SplitBehavior::kRemoved},
        {"Isolated", SplitBehavior::kIsolated},
        {"MergedWithPrevious", SplitBehavior::kMergedWithPrevious},
        {"MergedWithNext", SplitBehavior::kMergedWithNext},
        {"Contiguous", SplitBehavior::kContiguous}};
    for (const auto& [known, behavior] : kNames) {
      if (name == known) return behavior;
    }
    return unsupported("{}: behavior \"{}\"", where, name);
  }

  Result<void> read_split(const JsonObject& object, std::string_view where) {
    HEADRACE_RETURN_IF_ERROR(
        check_fields(object, where, {"type", "pattern", "behavior", "invert"}));
    HEADRACE_ASSIGN_OR_RETURN(const SplitBehavior behavior, read_behavior(object, where, false));
    HEADRACE_ASSIGN_OR_RETURN(const bool invert, bool_field(object, where, "invert", false));
    HEADRACE_ASSIGN_OR_RETURN(Pattern pattern, read_pattern(object, where));
    if (!pattern.regex) return add(make_split(std::move(pattern.text), behavior, invert));
    // A scanner, where there is one: to remove what does not match is to isolate what does, if
    // everything matches.
    const bool isolates = (behavior == SplitBehavior::kIsolated && !invert) ||
                          (behavior == SplitBehavior::kRemoved && invert);
    if (isolates && covers_every_text(pattern.text)) {
      HEADRACE_ASSIGN_OR_RETURN(auto splitter, splitter_for_pattern(pattern.text));
      return add(make_splitter_step(std::move(splitter)));
    }
    return add(make_split(*std::move(pattern.regex), behavior, invert));
  }

  Result<void> read_byte_level(const JsonObject& object, std::string_view where) {
    HEADRACE_RETURN_IF_ERROR(
        check_fields(object, where, {"type", "add_prefix_space", "trim_offsets", "use_regex"}));
    HEADRACE_ASSIGN_OR_RETURN(const bool prefix,
                              bool_field(object, where, "add_prefix_space", true));
    HEADRACE_ASSIGN_OR_RETURN(const bool splits, bool_field(object, where, "use_regex", true));
    if (prefix) steps_.push_back(make_prefix_space());
    if (splits) steps_.push_back(make_splitter_step(make_gpt2_splitter()));
    ends_with_bytes_ = true;
    return {};
  }

  Result<void> read_metaspace(const JsonObject& object, std::string_view where) {
    HEADRACE_RETURN_IF_ERROR(check_fields(
        object, where,
        {"type", "replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep"}));
    HEADRACE_ASSIGN_OR_RETURN(std::string replacement, string_field(object, where, "replacement"));
    HEADRACE_ASSIGN_OR_RETURN(const bool splits, bool_field(object, where, "split", true));
    if (replacement.empty() ||
        utf8_length(static_cast<std::uint8_t>(replacement[0])) != replacement.size()) {
      return corrupt("{}: \"replacement\" is not one character", where);
    }
    PrependScheme scheme = PrependScheme::kAlways;
    if (!is_null_or_absent(object, "prepend_scheme")) {
      HEADRACE_ASSIGN_OR_RETURN(const std::string name,
                                string_field(object, where, "prepend_scheme"));
      if (name == "first") {
        scheme = PrependScheme::kFirst;
      } else if (name == "never") {
        scheme = PrependScheme::kNever;
      } else if (name != "always") {
        return unsupported("{}: prepend_scheme \"{}\"", where, name);
      }
    }
    HEADRACE_ASSIGN_OR_RETURN(const bool prefix,
                              bool_field(object, where, "add_prefix_space", true));
    if (!prefix) scheme = PrependScheme::kNever;
    // Where a piece began before the normalizer is not known here.
    if (scheme == PrependScheme::kFirst && has_normalizer_ && !steps_.empty()) {
      return unsupported("{}: prepend_scheme \"first\" behind a normalizer and another step",
                         where);
    }
    return add(make_metaspace(std::move(replacement), scheme, splits));
  }

  bool has_normalizer_;
  std::vector<PreTokenizerStep> steps_;
  bool ends_with_bytes_ = false;
};

}  // namespace

Result<PreTokenizerSteps> read_pre_tokenizer(const JsonElement& value, bool has_normalizer) {
  PreTokenizerReader reader(has_normalizer);
  HEADRACE_RETURN_IF_ERROR(reader.read(value));
  return reader.take();
}

}  // namespace headrace::tokenize
