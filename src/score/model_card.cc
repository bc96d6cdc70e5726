// SPDX-License-Identifier: Apache-2.0
// JSON, because trainers in Python write cards, too. The evaluation is checked key by key, since a
// threshold comes from it; the training is each trainer's own and is carried as it is, like keys
// that a later version adds: `score eval` rewrites cards that it did not make.
#include "score/model_card.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "io/file.h"
#include "score/internal/card_keys.h"
#include "score/score.h"

namespace headrace::score {

using internal::Json;
using internal::Keys;

namespace {

constexpr const char* kKeys[] = {"card",   "kind",    "model",    "xxh3_128",  "positive",
                                 "labels", "made_by", "training", "evaluation"};

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

constexpr std::string_view kHowToEvaluate =
    "'headrace score eval --model MODEL --data LABELS --positive LABEL' measures the model and "
    "writes its card";

// A class by its place: a name may hold what separates names.
std::string place_of(const std::string& label, const ModelCard& card) {
  const auto found = std::find(card.labels.begin(), card.labels.end(), label);
  return found == card.labels.end() ? label : std::to_string(found - card.labels.begin());
}

}  // namespace

std::string card_path(const std::string& model) {
  const std::size_t name = model.rfind('/') + 1;
  const std::size_t dot = model.rfind('.');
  const bool has_extension = dot != std::string::npos && dot > name;
  return (has_extension ? model.substr(0, dot) : model) + ".card.json";
}

Result<ModelCard> parse_card(std::string_view text, const std::string& name) {
  const auto damaged = [&](const Status& status) {
    return Status(status.code(), fmt::format("{}: {}; mend the card, or remove it: {}", name,
                                             status.message(), kHowToEvaluate));
  };
  auto json = internal::parse_card_json(text);
  if (!json) return damaged(json.error());
  std::optional<Status> fault;
  Keys keys(*json, "", &fault);
  const std::uint64_t version = keys.count("card");
  if (!fault && version > ModelCard::kVersion) {
    return unsupported("{} is a model card of version {}; this headrace reads up to {}", name,
                       version, ModelCard::kVersion);
  }
  ModelCard card;
  card.kind = keys.text("kind", true);
  card.model = keys.text("model", true);
  card.xxh3_128 = keys.text("xxh3_128", false);
  card.positive = keys.text("positive", false);
  card.labels = keys.texts("labels", false);
  card.made_by = keys.text("made_by", false);
  keys.object("training", false, [&](Keys&) { card.training = to_text((*json)["training"]); });
  keys.object("evaluation", false,
              [&](Keys& found) { card.evaluation = internal::read_evaluation(found, card.kind); });
  if (fault) return damaged(*fault);
  for (const char* key : kKeys) json->erase(key);
  if (!json->empty()) card.unknown = to_text(*json);
  return card;
}

Result<ModelCard> read_card(const std::string& model) {
  const std::string path = card_path(model);
  auto text = io::read_file(path);
  if (!text && text.error().code() == Code::kNotFound)
    return not_found("the model {} has no card {}: {}", model, path, kHowToEvaluate);
  if (!text) return text.error();
  return parse_card(*text, path);
}

std::string format_card(const ModelCard& card) {
  Json json = {{"card", ModelCard::kVersion}, {"kind", card.kind}, {"model", card.model}};
  if (!card.xxh3_128.empty()) json["xxh3_128"] = card.xxh3_128;
  json["positive"] = card.positive.empty() ? Json() : Json(card.positive);
  json["labels"] = card.labels;
  json["made_by"] = card.made_by;
  json["training"] = card.training.empty() ? Json() : Json::parse(card.training);
  json["evaluation"] = card.evaluation ? internal::to_json(*card.evaluation) : Json();
  if (!card.unknown.empty()) json.update(Json::parse(card.unknown));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> write_card(const ModelCard& card, const std::string& model) {
  return io::write_file_atomic(card_path(model), format_card(card));
}

Result<double> best_f1_threshold(const ModelCard& card, const std::string& model,
                                 std::string_view kind, std::string_view key) {
  // One card serves the two forms of a model trained by MindSpore.
  if (card.kind != kind && !(kind == "mindspore" && card.kind == "transformer")) {
    return invalid_argument("{} is the card of a model of the kind '{}', not '{}'",
                            card_path(model), card.kind, kind);
  }
  if (!card.evaluation) {
    return invalid_argument("the card {} has no evaluation, so best_f1 is unknown: {}",
                            card_path(model), kHowToEvaluate);
  }
  if (!card.xxh3_128.empty()) {
    HEADRACE_ASSIGN_OR_RETURN(const Hash128 found, io::hash_file(model));
    if (to_hex(found) != card.xxh3_128) {
      return invalid_argument("{} is the card of other bytes than those of {}: {}",
                              card_path(model), file_name(model), kHowToEvaluate);
    }
  }
  const std::string_view wanted = card.evaluation->low_is_better ? "max" : "min";
  if (key != wanted) {
    return invalid_argument("{} says that {} scores are better, so best_f1 is a {}, not a {}",
                            card_path(model), card.evaluation->low_is_better ? "low" : "high",
                            wanted, key);
  }
  return card.evaluation->best_f1.threshold;
}

std::optional<std::string> training_option(const ModelCard& card, const std::string& name) {
  if (card.training.empty()) return std::nullopt;
  const Json training = Json::parse(card.training);
  const auto found = training.find(name);
  if (found == training.end() || found->is_structured() || found->is_null()) return std::nullopt;
  return found->is_string() ? found->get<std::string>() : to_text(*found);
}

OptionValues options_with_card(std::string_view kind, const ModelCard& card, OptionValues given) {
  const ScorerInfo* info = registry().find(kind);
  if (info == nullptr) return given;
  for (const OptionInfo& option : info->options) {
    if (option.name == "label" && !card.positive.empty()) {
      given.try_emplace("label", card.positive);
    } else if (option.name == "positive" && !card.positive.empty()) {
      std::string& value = given.try_emplace("positive", card.positive).first->second;
      if (!given.contains("labels")) value = place_of(value, card);
    } else if (const auto trained = training_option(card, option.name)) {
      given.try_emplace(option.name, *trained);
    }
  }
  return given;
}

}  // namespace headrace::score
