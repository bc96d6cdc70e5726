// SPDX-License-Identifier: Apache-2.0
// JSON, because trainers in Python write cards, too. The evaluation is checked key by key, since a
// threshold comes from it; the training is each trainer's own and is carried as it is, like keys
// that a later version adds: `score eval` rewrites cards that it did not make.
#include "score/model_card.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "base/quote.h"
#include "io/file.h"
#include "score/score.h"

namespace headrace::score {
namespace {

using Json = nlohmann::ordered_json;

// The library copies and prints by recursion, so nothing deeper than this is parsed: a text of
// brackets would end the stack.
constexpr int kMostLevels = 32;

constexpr const char* kKeys[] = {"card",   "kind",    "model",    "xxh3_128",  "positive",
                                 "labels", "made_by", "training", "evaluation"};

// One object of the card. The first fault of all is kept, so that the functions below stay lists.
class Keys {
 public:
  Keys(const Json& object, std::string where, std::optional<Status>* fault)
      : object_(object), where_(std::move(where)), fault_(fault) {
    if (!object.is_object()) fail("", object, "an object");
  }

  // Nothing where it is missing or null; where it is needed, that is a fault.
  const Json* find(const char* key, bool needed) {
    if (*fault_) return nullptr;
    const auto found = object_.find(key);
    const bool missing = found == object_.end();
    if (!missing && !found->is_null()) return &*found;
    if (needed) *fault_ = corrupt("key '{}{}' is {}", where_, key, missing ? "missing" : "null");
    return nullptr;
  }

  std::string text(const char* key, bool needed) {
    const Json* found = find(key, needed);
    if (found == nullptr) return "";
    if (!found->is_string()) return fail(key, *found, "a string"), "";
    return found->get<std::string>();
  }

  std::vector<std::string> texts(const char* key, bool needed) {
    std::vector<std::string> texts;
    const Json* found = find(key, needed);
    if (found == nullptr) return texts;
    if (!found->is_array()) return fail(key, *found, "an array of strings"), texts;
    for (const Json& text : *found) {
      if (!text.is_string()) return fail(key, text, "a string"), texts;
      texts.push_back(text.get<std::string>());
    }
    return texts;
  }

  std::uint64_t count(const char* key) {
    const Json* found = find(key, true);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    fail(key, found == nullptr ? Json() : *found, "a count");
    return 0;
  }

  double number(const char* key) {
    const Json* found = find(key, true);
    if (found != nullptr && found->is_number() && std::isfinite(found->get<double>()))
      return found->get<double>();
    fail(key, found == nullptr ? Json() : *found, "a number");
    return 0;
  }

  double share(const char* key) {
    const double value = number(key);
    if (value < 0 || value > 1) fail(key, Json(value), "0 to 1");
    return value;
  }

  ScoreInterval interval(const char* key) {
    const Json* found = find(key, true);
    if (found != nullptr && found->is_array() && found->size() == 2 && (*found)[0].is_number() &&
        (*found)[1].is_number()) {
      const ScoreInterval made{(*found)[0].get<double>(), (*found)[1].get<double>()};
      if (made.low <= made.high) return made;
    }
    fail(key, found == nullptr ? Json() : *found, "[low, high]");
    return {};
  }

  std::vector<std::uint64_t> counts(const char* key) {
    std::vector<std::uint64_t> counts;
    const Json* found = find(key, true);
    if (found == nullptr) return counts;
    if (!found->is_array()) return fail(key, *found, "an array of counts"), counts;
    for (const Json& count : *found) {
      if (!count.is_number_unsigned()) return fail(key, count, "a count"), counts;
      counts.push_back(count.get<std::uint64_t>());
    }
    return counts;
  }

  void require(bool good, const char* key, const char* what) {
    if (!good && !*fault_) *fault_ = corrupt("key '{}{}': {}", where_, key, what);
  }

  // read_one(keys of the object) where there is one.
  template <class ReadOne>
  void object(const char* key, bool needed, ReadOne read_one) {
    const Json* found = find(key, needed);
    if (found == nullptr) return;
    Keys keys(*found, where_ + key + ".", fault_);
    if (!*fault_) read_one(keys);
  }

  // For each object of an array.
  template <class ReadOne>
  void objects(const char* key, bool needed, ReadOne read_one) {
    const Json* found = find(key, needed);
    if (found == nullptr) return;
    if (!found->is_array()) return fail(key, *found, "an array");
    for (std::size_t i = 0; i < found->size() && !*fault_; ++i) {
      Keys keys((*found)[i], fmt::format("{}{}[{}].", where_, key, i), fault_);
      if (!*fault_) read_one(keys);
    }
  }

 private:
  void fail(const char* key, const Json& found, const char* expected) {
    if (*fault_) return;
    const std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
    *fault_ = corrupt("key '{}{}' is {}, expected {}", where_, key, excerpt(text, 40), expected);
  }

  const Json& object_;
  std::string where_;  // "" or "evaluation.best_f1."
  std::optional<Status>* fault_;
};

Result<Json> parse_json(std::string_view text) {
  bool too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMostLevels;
    return depth <= kMostLevels;
  };
  try {
    Json json = Json::parse(text, keep);
    if (!too_deep) return json;
    return corrupt("brackets inside each other, more than {} deep", kMostLevels);
  } catch (const Json::exception& error) {
    return corrupt("not JSON: {}", excerpt(error.what(), 200));
  }
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ScoreEvaluation read_evaluation(Keys& keys) {
  ScoreEvaluation made;
  keys.object("data", true, [&](Keys& data) {
    made.files = data.texts("files", true);
    made.positives = data.count("positives");
    made.negatives = data.count("negatives");
    made.invalid = data.count("invalid");
  });
  made.average_precision = keys.share("average_precision");
  made.average_precision_interval = keys.interval("average_precision_interval");
  keys.object("best_f1", true, [&](Keys& best) {
    made.best_f1 = {.threshold = best.number("threshold"),
                    .threshold_interval = best.interval("threshold_interval"),
                    .precision = best.share("precision"),
                    .recall = best.share("recall"),
                    .f1 = best.share("f1"),
                    .f1_interval = best.interval("f1_interval")};
  });
  keys.objects("precision_at_recall", true, [&](Keys& at) {
    made.precision_at_recall.push_back({.recall = at.share("recall"),
                                        .precision = at.share("precision"),
                                        .threshold = at.number("threshold")});
  });
  keys.objects("curve", false, [&](Keys& point) {
    made.curve.push_back({.threshold = point.number("threshold"),
                          .precision = point.share("precision"),
                          .recall = point.share("recall")});
  });
  keys.object("histogram", false, [&](Keys& bins) {
    made.histogram = {.low = bins.number("low"),
                      .high = bins.number("high"),
                      .positives = bins.counts("positives"),
                      .negatives = bins.counts("negatives")};
    bins.require(made.histogram.low < made.histogram.high &&
                     made.histogram.positives.size() == made.histogram.negatives.size(),
                 "low", "bins of both kinds from low to a higher high are needed");
  });
  return made;
}

Json to_json(const ScoreInterval& interval) { return {interval.low, interval.high}; }

Json to_json(const ScoreEvaluation& made) {
  const ScoreEvaluation::BestF1& best = made.best_f1;
  Json at_recall = Json::array();
  for (const auto& at : made.precision_at_recall) {
    at_recall.push_back(
        {{"recall", at.recall}, {"precision", at.precision}, {"threshold", at.threshold}});
  }
  Json json = {{"data",
                {{"files", made.files},
                 {"positives", made.positives},
                 {"negatives", made.negatives},
                 {"invalid", made.invalid}}},
               {"average_precision", made.average_precision},
               {"average_precision_interval", to_json(made.average_precision_interval)},
               {"best_f1",
                {{"threshold", best.threshold},
                 {"threshold_interval", to_json(best.threshold_interval)},
                 {"precision", best.precision},
                 {"recall", best.recall},
                 {"f1", best.f1},
                 {"f1_interval", to_json(best.f1_interval)}}},
               {"precision_at_recall", at_recall}};
  if (!made.curve.empty()) {
    Json& curve = json["curve"] = Json::array();
    for (const auto& point : made.curve) {
      curve.push_back({{"threshold", point.threshold},
                       {"precision", point.precision},
                       {"recall", point.recall}});
    }
  }
  if (const auto& bins = made.histogram; !bins.positives.empty()) {
    json["histogram"] = {{"low", bins.low},
                         {"high", bins.high},
                         {"positives", bins.positives},
                         {"negatives", bins.negatives}};
  }
  return json;
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
  auto json = parse_json(text);
  if (!json) return json.error().with_context(name);
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
  keys.object("evaluation", false, [&](Keys& found) { card.evaluation = read_evaluation(found); });
  if (fault) return fault->with_context(name);
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
  json["evaluation"] = card.evaluation ? to_json(*card.evaluation) : Json();
  if (!card.unknown.empty()) json.update(Json::parse(card.unknown));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> write_card(const ModelCard& card, const std::string& model) {
  return io::write_file_atomic(card_path(model), format_card(card));
}

Result<double> best_f1_threshold(const std::string& model, std::string_view kind) {
  HEADRACE_ASSIGN_OR_RETURN(const ModelCard card, read_card(model));
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
