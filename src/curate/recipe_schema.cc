// SPDX-License-Identifier: Apache-2.0
// The keys of a recipe as a JSON Schema, for editors.
//
// The list of keys is that of the parser (recipe_keys.h), so a new key is in the schema with what
// it takes. A dotted path becomes objects inside each other: "sources[]" a list, a name in capitals
// (MEASURE, DOMAIN) a map whose names are its own. Equal maps of measures are written once, under
// $defs. YAML's null stands for a key that is left out, so everything may be null.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "headrace/run.h"
#include "headrace/version.h"

#include "curate/recipe_keys.h"
#include "judge/judge.h"
#include "measure/measure.h"
#include "normalize/normalize.h"

namespace headrace {
namespace curate {
namespace {

using Json = nlohmann::ordered_json;

struct Key {
  std::string name;
  KeyInfo info;
  bool is_list = false;
  std::vector<Key> below;

  Key& at(const std::string& part) {
    const auto found =
        std::find_if(below.begin(), below.end(), [&](const Key& key) { return key.name == part; });
    return found != below.end() ? *found : below.emplace_back(Key{.name = part});
  }
};

Key tree_of_keys() {
  Key root;
  for (KeyInfo& info : recipe_keys()) {
    if (info.later) continue;
    Key* place = &root;
    for (std::size_t begin = 0; begin < info.key.size();) {
      const std::size_t end = std::min(info.key.find('.', begin), info.key.size());
      std::string part = info.key.substr(begin, end - begin);
      const bool is_list = part.ends_with("[]");
      if (is_list) part.resize(part.size() - 2);
      place = &place->at(part);
      place->is_list = place->is_list || is_list;
      begin = end + 1;
    }
    place->info = std::move(info);
  }
  return root;
}

bool is_placeholder(const std::string& name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// What YAML takes some words for.
void add_word(const std::string& word, Json* values) {
  values->push_back(word);
  if (word == "true" || word == "false") values->push_back(word == "true");
}

Json one_of(const std::vector<std::string>& words) {
  Json values = Json::array();
  for (const std::string& word : words) add_word(word, &values);
  values.push_back(nullptr);
  return {{"enum", std::move(values)}};
}

Json words_or(Json other) {
  return {{"anyOf", Json::array({{{"type", "string"}}, std::move(other)})}};
}

Json option_schema(const OptionInfo& option) {
  Json schema = option.allowed.empty() ? Json{{"type", {"string", "number", "boolean"}}}
                                       : one_of(option.allowed);
  if (option.list) schema = words_or({{"type", "array"}, {"items", std::move(schema)}});
  schema["description"] = option.summary;
  return schema;
}

Json object(Json properties, Json others) {
  return {{"type", {"object", "null"}},
          {"properties", std::move(properties)},
          {"additionalProperties", std::move(others)}};
}

// A step is a name, or one name with its options.
Json steps_schema() {
  Json with_options = Json::object();
  Json names = Json::array();
  for (const normalize::StepInfo& step : normalize::registry().all()) {
    names.push_back(step.name);
    Json options = Json::object();
    for (const OptionInfo& option : step.options) options[option.name] = option_schema(option);
    with_options[step.name] = object(std::move(options), false);
    with_options[step.name]["description"] = step.summary;
  }
  Json step = object(std::move(with_options), false);
  step["type"] = "object";
  step["minProperties"] = 1;
  step["maxProperties"] = 1;
  return {{"type", {"array", "null"}},
          {"items", {{"anyOf", Json::array({{{"enum", std::move(names)}}, std::move(step)})}}}};
}

Json bounded(const char* type, const KeyInfo& info) {
  Json schema = {{"type", {type, "null"}}};
  if (!std::isfinite(info.low)) return schema;
  if (info.type == KeyType::kInteger) {
    schema["minimum"] = static_cast<std::uint64_t>(info.low);
    if (info.high < 1e18) schema["maximum"] = static_cast<std::uint64_t>(info.high);
  } else {
    schema["minimum"] = info.low;
    schema["maximum"] = info.high;
  }
  return schema;
}

Json leaf(const KeyInfo& info) {
  switch (info.type) {
    case KeyType::kText:
      if (!info.choices.empty()) return one_of(info.choices);
      return {{"type", {"string", "number", "boolean", "null"}}};
    case KeyType::kBool:
      return {{"type", {"boolean", "null"}}};
    case KeyType::kNumber:
      return bounded("number", info);
    case KeyType::kInteger:
      return bounded("integer", info);
    case KeyType::kSize:
      return {{"type", {"string", "number", "null"}}};
    case KeyType::kWords:
      return {{"type", {"string", "number", "array", "null"}},
              {"items", {{"type", {"string", "number", "boolean"}}}}};
    case KeyType::kChoice:
      return one_of(info.choices);
    case KeyType::kOther:
      break;
  }
  return Json::object();
}

class SchemaMaker {
 public:
  Json make() {
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "a recipe of headrace " + std::string(version())}};
    schema.update(map_of(tree_of_keys()));
    schema["type"] = "object";
    schema["$defs"] = std::move(definitions_);
    return schema;
  }

 private:
  Json of(const Key& key) {
    Json schema = key.is_list          ? Json{{"type", {"array", "null"}}, {"items", map_of(key)}}
                  : !key.below.empty() ? map_of(key)
                  : key.name == "normalize" ? steps_schema()
                                            : leaf(key.info);
    for (const std::string& also : key.info.also) {
      if (also == "words") {  // a word in place of the list, or of any map in it
        const Json word = {{"type", "string"}};
        schema["items"] = {{"anyOf", Json::array({word, std::move(schema["items"])})}};
        schema = {{"anyOf", Json::array({word, std::move(schema)})}};
        continue;
      }
      const Json single = also == "bool" ? Json{{"type", "boolean"}} : Json{{"const", also}};
      schema = {{"anyOf", Json::array({single, std::move(schema)})}};
    }
    if (!key.info.summary.empty()) schema["description"] = key.info.summary;
    return schema;
  }

  Json map_of(const Key& key) {
    Json properties = Json::object();
    Json others = false;
    Json required = Json::array();
    bool of_measures = false;
    for (const Key& below : key.below) {
      if (!is_placeholder(below.name)) {
        properties[below.name] = of(below);
        if (below.info.summary.starts_with("needed:")) required.push_back(below.name);
      } else if (below.name == "MEASURE") {
        of_measures = true;
        add_measures(below, key.name, &properties);
      } else if (below.name == "LANGUAGE" && key.name == "languages") {
        for (const judge::Language& language : judge::languages())
          properties[language.name] = of(below);
      } else {
        others = of(below);
      }
    }
    Json schema = object(std::move(properties), std::move(others));
    if (!required.empty()) schema["required"] = std::move(required);
    return of_measures ? reference(key.name, std::move(schema)) : schema;
  }

  void add_measures(const Key& bounds, const std::string& name, Json* properties) {
    const Json of_one = reference(name == "when" ? "condition" : "rule", of(bounds));
    for (const auto& measure : measure::registry().all()) {
      Json& property = (*properties)[measure.name] = of_one;
      property["description"] = measure.summary;
    }
  }

  // A schema that stands in many places; descriptions of its keys that only refer to another place
  // ("as judge.rules...") do not make it another one.
  Json reference(const std::string& name, Json schema) {
    if (!definitions_.contains(name)) definitions_[name] = std::move(schema);
    return {{"$ref", "#/$defs/" + name}};
  }

  Json definitions_ = Json::object();
};

}  // namespace
}  // namespace curate

std::string Recipe::schema() { return curate::SchemaMaker().make().dump(2) + "\n"; }

}  // namespace headrace
