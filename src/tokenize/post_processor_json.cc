// SPDX-License-Identifier: Apache-2.0
// TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel (which changes offsets only) and
// a Sequence of these. Pairs of texts do not come up here.
#include "tokenize/post_processor_json.h"

#include "base/error.h"

namespace headrace::tokenize {
namespace {

using JsonArray = simdjson::dom::array;

constexpr std::uint64_t kMostIds = std::uint64_t{1} << 24;
constexpr std::string_view kTemplate = "post_processor TemplateProcessing";

Result<void> append_ids(const JsonArray& list, std::string_view name,
                        std::vector<std::uint32_t>* ids) {
  for (const JsonElement value : list) {
    std::uint64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS || id >= kMostIds) {
      return corrupt("{}: {} is not an id of \"{}\"", kTemplate, shown(value), name);
    }
    ids->push_back(static_cast<std::uint32_t>(id));
  }
  return {};
}

// Appends the ids of {"id": "[CLS]", "type_id": 0} by the list of special tokens.
Result<void> append_special(const JsonObject& processor, const JsonElement& piece,
                            std::vector<std::uint32_t>* ids) {
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject special, object_of(piece, kTemplate));
  HEADRACE_RETURN_IF_ERROR(check_only(special, kTemplate, "type_id", {"0"}));
  HEADRACE_ASSIGN_OR_RETURN(const std::string name, string_field(special, kTemplate, "id"));
  JsonArray list;
  if (processor.at_key("special_tokens").at_key(name).at_key("ids").get(list) !=
      simdjson::SUCCESS) {
    return corrupt("{}: no ids of \"{}\" in special_tokens", kTemplate, name);
  }
  return append_ids(list, name, ids);
}

Result<void> read_template(const JsonObject& processor, AroundText* around) {
  HEADRACE_RETURN_IF_ERROR(
      check_fields(processor, kTemplate, {"type", "single", "pair", "special_tokens"}));
  JsonArray pieces;
  if (processor.at_key("single").get(pieces) != simdjson::SUCCESS) {
    return corrupt("{}: no array \"single\"", kTemplate);
  }
  int texts = 0;
  for (const JsonElement piece : pieces) {
    HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(piece, kTemplate));
    JsonElement part;
    if (object.at_key("SpecialToken").get(part) == simdjson::SUCCESS) {
      HEADRACE_RETURN_IF_ERROR(
          append_special(processor, part, texts == 0 ? &around->before : &around->behind));
    } else if (object.at_key("Sequence").get(part) == simdjson::SUCCESS) {
      HEADRACE_ASSIGN_OR_RETURN(const JsonObject sequence, object_of(part, kTemplate));
      HEADRACE_RETURN_IF_ERROR(check_only(sequence, kTemplate, "type_id", {"0"}));
      ++texts;
    } else {
      return unsupported("{}: {} in \"single\"", kTemplate, shown(piece));
    }
  }
  if (texts != 1) return unsupported("{}: {} texts in \"single\"", kTemplate, texts);
  return {};
}

// ["[CLS]", 101]
Result<std::uint32_t> pair_id(const JsonObject& object, std::string_view where,
                              std::string_view field) {
  JsonArray pair;
  std::uint64_t id = 0;
  if (object.at_key(field).get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
      pair.at(1).get(id) != simdjson::SUCCESS || id >= kMostIds) {
    return corrupt("{}: \"{}\" is not a token and its id", where, field);
  }
  return static_cast<std::uint32_t>(id);
}

Result<void> read_processor(const JsonElement& value, AroundText* around) {
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject object, object_of(value, "post_processor"));
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(object, "post_processor", "type"));
  const std::string where = "post_processor " + type;
  if (type == "ByteLevel") {
    return check_fields(object, where, {"type", "add_prefix_space", "trim_offsets", "use_regex"});
  }
  if (type == "Sequence") {
    HEADRACE_RETURN_IF_ERROR(check_fields(object, where, {"type", "processors"}));
    JsonArray members;
    if (object.at_key("processors").get(members) != simdjson::SUCCESS) {
      return corrupt("{}: no array \"processors\"", where);
    }
    for (const JsonElement member : members) {
      HEADRACE_RETURN_IF_ERROR(read_processor(member, around));
    }
    return {};
  }
  // Each later one would stand around what the earlier ones added.
  if (!around->before.empty() || !around->behind.empty()) {
    return unsupported("{} behind another one that adds tokens", where);
  }
  if (type == "TemplateProcessing") return read_template(object, around);
  if (type != "BertProcessing" && type != "RobertaProcessing") {
    return unsupported(
        "post_processor \"{}\": only TemplateProcessing, BertProcessing, RobertaProcessing and "
        "ByteLevel are supported, or none",
        type);
  }
  HEADRACE_RETURN_IF_ERROR(
      check_fields(object, where, {"type", "sep", "cls", "trim_offsets", "add_prefix_space"}));
  HEADRACE_ASSIGN_OR_RETURN(const std::uint32_t cls, pair_id(object, where, "cls"));
  HEADRACE_ASSIGN_OR_RETURN(const std::uint32_t sep, pair_id(object, where, "sep"));
  around->before = {cls};
  around->behind = {sep};
  return {};
}

}  // namespace

Result<AroundText> read_post_processor(const JsonObject& root) {
  AroundText around;
  if (!is_null_or_absent(root, "post_processor")) {
    HEADRACE_RETURN_IF_ERROR(read_processor(root.at_key("post_processor").value(), &around));
  }
  return around;
}

}  // namespace headrace::tokenize
