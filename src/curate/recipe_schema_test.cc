// SPDX-License-Identifier: Apache-2.0
// That recipes are valid by the schema is tested where a validator is (tests/e2e): here, that it
// follows from the keys and the registries.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "headrace/run.h"

#include "curate/recipe_keys.h"
#include "measure/measure.h"
#include "normalize/normalize.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::json;

// Names of all properties, at any depth.
void collect(const Json& schema, std::set<std::string>* names) {
  if (schema.is_object()) {
    if (schema.contains("properties")) {
      for (const auto& property : schema["properties"].items()) names->insert(property.key());
    }
    for (const auto& part : schema.items()) collect(part.value(), names);
  } else if (schema.is_array()) {
    for (const Json& part : schema) collect(part, names);
  }
}

TEST(RecipeSchemaTest, EveryKeyOfTheParserIsInIt) {
  std::set<std::string> names;
  collect(Json::parse(Recipe::schema()), &names);
  for (const KeyInfo& key : recipe_keys()) {
    std::string last = key.key.substr(key.key.rfind('.') + 1);
    if (last.ends_with("[]")) last.resize(last.size() - 2);
    const bool own_name = last.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    if (!own_name && !key.later) {
      EXPECT_TRUE(names.contains(last)) << key.key;
    }
  }
  for (const std::string& measure : measure::registry().names())
    EXPECT_TRUE(names.contains(measure)) << measure;
  for (const std::string& step : normalize::registry().names())
    EXPECT_TRUE(names.contains(step)) << step;
}

TEST(RecipeSchemaTest, TypesBoundsAndChoices) {
  const Json schema = Json::parse(Recipe::schema());
  const Json& top = schema["properties"];
  EXPECT_EQ(schema["required"], Json({"sources"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(top["pack"]["properties"]["length"]["minimum"], 1);
  EXPECT_EQ(top["pack"]["properties"]["length"]["maximum"], 16777216);
  EXPECT_EQ(top["sources"]["items"]["required"], Json({"domain", "paths"}));
  EXPECT_EQ(top["limits"]["properties"]["threads"]["anyOf"][0]["const"], "auto");
  EXPECT_EQ(top["dedup"]["properties"]["exact"]["anyOf"][0]["type"], "boolean");
  EXPECT_TRUE(top["judge"]["properties"]["domains"]["additionalProperties"].is_object());
  const Json& null = schema["$defs"]["rule"]["properties"]["null"]["enum"];
  EXPECT_EQ(null, Json({"keep", "drop", nullptr}));
  EXPECT_FALSE(schema["$defs"]["condition"]["properties"].contains("auto"));
}

}  // namespace
}  // namespace headrace::curate
