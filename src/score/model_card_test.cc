// SPDX-License-Identifier: Apache-2.0
#include "score/model_card.h"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "io/file.h"
#include "io/test_folder.h"

namespace headrace::score {
namespace {

ModelCard whole() {
  ModelCard card{.kind = "fasttext",
                 .model = "quality.bin",
                 .xxh3_128 = "0123456789abcdef0123456789abcdef",
                 .positive = "keep",
                 .labels = {"garbage", "keep"},
                 .made_by = "headrace 1.2.3",
                 .training = R"({"word_ngrams": 2, "han": "split", "data": {"files":
                     ["audit/labels.jsonl"], "documents": 7, "by_label": {"garbage": 4, "keep": 3}}})",
                 .evaluation = std::nullopt,
                 .unknown = ""};
  card.evaluation = {.files = {"others.jsonl"},
                     .positives = 3,
                     .negatives = 4,
                     .invalid = 1,
                     .average_precision = 0.75,
                     .average_precision_interval = {0.5, 0.875},
                     .best_f1 = {.threshold = 0.3,
                                 .threshold_interval = {0.1, 0.5},
                                 .precision = 0.6,
                                 .recall = 1,
                                 .f1 = 0.75,
                                 .f1_interval = {0.4, 0.9}},
                     .precision_at_recall = {{.recall = 0.9, .precision = 0.6, .threshold = 0.3}},
                     .curve = {{.threshold = 0.7, .precision = 1, .recall = 0.25},
                               {.threshold = 0.3, .precision = 0.6, .recall = 1}},
                     .histogram = {.low = 0, .high = 1, .positives = {0, 3}, .negatives = {2, 1}}};
  return card;
}

TEST(ModelCardTest, PathReplacesTheLastExtension) {
  EXPECT_EQ(card_path("quality.bin"), "quality.card.json");
  EXPECT_EQ(card_path("/a.b/quality.en.onnx"), "/a.b/quality.en.card.json");
  EXPECT_EQ(card_path("/a.b/quality"), "/a.b/quality.card.json");
  EXPECT_EQ(card_path("models/.hidden"), "models/.hidden.card.json");
}

std::string docs(std::string_view name) {
  return *io::read_file(HEADRACE_DOCS "/formats/" + std::string(name));
}

TEST(ModelCardTest, TheCanonicalFormIsThatOfThePage) {
  const std::string page = docs("model_card.md");
  const std::size_t begin = page.find("```json\n") + 8;
  EXPECT_EQ(page.substr(begin, page.find("```", begin) - begin), format_card(whole()));
}

// The schema is for editors and other programs: it must name the keys that are written, no others.
TEST(ModelCardTest, TheSchemaNamesTheSameKeys) {
  using Json = nlohmann::json;
  const Json schema = Json::parse(docs("model_card.schema.json"));
  const Json card = Json::parse(format_card(whole()));
  const auto same_keys = [](const Json& described, const Json& object) {
    std::set<std::string> written;
    for (const auto& [key, value] : object.items()) written.insert(key);
    std::set<std::string> properties;
    for (const auto& [key, value] : described["properties"].items()) properties.insert(key);
    EXPECT_EQ(properties, written);
    for (const auto& key : described["required"]) EXPECT_TRUE(object.contains(key)) << key;
  };
  same_keys(schema, card);
  const Json& described = schema["properties"]["evaluation"];
  const Json& evaluation = card["evaluation"];
  same_keys(described, evaluation);
  for (const char* key : {"data", "best_f1", "histogram"})
    same_keys(described["properties"][key], evaluation[key]);
  for (const char* key : {"precision_at_recall", "curve"})
    same_keys(schema["$defs"]["point"], evaluation[key][0]);
}

TEST(ModelCardTest, WhatIsWrittenIsRead) {
  const std::string text = format_card(whole());
  const auto read = parse_card(text, "card");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(format_card(*read), text);
  EXPECT_EQ(read->labels, whole().labels);
  EXPECT_EQ(read->evaluation->best_f1.threshold, 0.3);
  EXPECT_EQ(read->evaluation->precision_at_recall.at(0).precision, 0.6);
  EXPECT_EQ(training_option(*read, "han"), "split");
  EXPECT_EQ(training_option(*read, "word_ngrams"), "2");
  EXPECT_FALSE(training_option(*read, "data").has_value());
  EXPECT_FALSE(training_option(*read, "dim").has_value());
}

// The least that a trainer in another language writes.
TEST(ModelCardTest, OnlyWhatIsNeeded) {
  const auto read = parse_card(R"({"card": 1, "kind": "external", "model": "m.onnx",
      "training": null, "evaluation": null, "tokenizer": {"file": "t.json"}})",
                               "card");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->positive, "");
  EXPECT_FALSE(read->evaluation.has_value());
  EXPECT_EQ(read->unknown, R"({"tokenizer":{"file":"t.json"}})");
  EXPECT_NE(format_card(*read).find("\"t.json\""), std::string::npos);
}

TEST(ModelCardTest, ScorersAreOpenedAsTheirModelsWereTrained) {
  const OptionValues found = options_with_card("fasttext", whole(), {{"model", "m.bin"}});
  EXPECT_EQ(found, (OptionValues{{"model", "m.bin"}, {"label", "keep"}, {"han", "split"}}));
  const OptionValues given = options_with_card("fasttext", whole(), {{"label", "garbage"}});
  EXPECT_EQ(given.at("label"), "garbage");
  EXPECT_FALSE(options_with_card("language", whole(), {}).contains("label"));
  ModelCard classes;
  classes.labels = {"0", "good, or nearly", "1"};
  classes.positive = "1";
  EXPECT_EQ(options_with_card("transformer", classes, {}).at("positive"), "2");
  const auto positive = [&](OptionValues options) {
    return options_with_card("transformer", classes, std::move(options)).at("positive");
  };
  EXPECT_EQ(positive({{"positive", "good, or nearly"}}), "1");
  EXPECT_EQ(positive({{"positive", "b"}, {"labels", "a,b,c"}}), "b");
}

TEST(ModelCardTest, FaultsNameTheKey) {
  const std::string good = format_card(whole());
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const struct {
    std::string text;
    Code code;
    std::string_view message;
  } cases[] = {
      {"", Code::kCorrupt, "the card is empty; mend the card, or remove it: 'headrace score eval"},
      {" \n", Code::kCorrupt, "the card is empty"},
      {"[]", Code::kCorrupt, "the card is [], expected an object of keys"},
      {replaced("\"training\": {", "\"training\": [], \"was\": {"), Code::kCorrupt,
       "key 'training' is [], expected an object of keys"},
      {replaced("0.3", "NaN"), Code::kCorrupt, "not JSON: line 42, at 'NaN'"},
      {replaced("0.3", "1e999"), Code::kCorrupt, "not JSON: number overflow parsing '1e999'"},
      {good.substr(0, 100), Code::kCorrupt, "where the text ends"},
      {replaced("\"threshold\": 0.3", "\"threshold\": 1e9"), Code::kCorrupt,
       "key 'evaluation.best_f1.threshold': 1000000000 is no score of the kind fasttext with this "
       "histogram: they go from 0 to 1"},
      {replaced("\"threshold\": 0.3", "\"threshold\": -0.1"), Code::kCorrupt, "-0.1 is no score"},
      {replaced("      \"threshold\": 0.7", "      \"threshold\": 7"), Code::kCorrupt,
       "'evaluation.curve'"},
      {replaced("\"low_is_better\": false", "\"low_is_better\": 1"), Code::kCorrupt,
       "'evaluation.low_is_better' is 1, expected true or false"},
      {"{}", Code::kCorrupt, "'card' is missing"},
      {replaced("\"card\": 1", "\"card\": 2"), Code::kUnsupported, "version 2"},
      {replaced("\"kind\"", "\"sort\""), Code::kCorrupt, "'kind' is missing"},
      {replaced("\"threshold\": 0.3", "\"threshold\": \"0.3\""), Code::kCorrupt,
       "'evaluation.best_f1.threshold' is \"0.3\", expected a number"},
      {replaced("\"threshold\": 0.3", "\"threshold\": null"), Code::kCorrupt,
       "'evaluation.best_f1.threshold' is null"},
      {replaced("\"average_precision\": 0.75", "\"average_precision\": 1.75"), Code::kCorrupt,
       "'evaluation.average_precision' is 1.75, expected 0 to 1"},
      {replaced("\"recall\": 0.9", "\"recall\": []"), Code::kCorrupt,
       "'evaluation.precision_at_recall[0].recall'"},
      {replaced("\"invalid\": 1", "\"invalid\": -1"), Code::kCorrupt, "'evaluation.data.invalid'"},
      {replaced("\"low\": 0.0", "\"low\": 1.0"), Code::kCorrupt, "'evaluation.histogram.low'"},
      {std::string(100000, '[') + std::string(100000, ']'), Code::kCorrupt, "deep"},
  };
  for (const auto& c : cases) {
    const auto read = parse_card(c.text, "the card");
    ASSERT_FALSE(read.has_value()) << c.message;
    EXPECT_EQ(read.error().code(), c.code) << read.error().message();
    EXPECT_NE(read.error().message().find(c.message), std::string::npos) << read.error().message();
    EXPECT_NE(read.error().message().find("the card"), std::string::npos);
  }
}

TEST(ModelCardTest, TheLineOfARecipeNeedsAnEvaluationOfTheseBytes) {
  const io::TestFolder folder;
  const std::string model = folder.put("quality.bin", "model");
  const auto threshold = [&](std::string_view kind,
                             std::string_view key = "min") -> Result<double> {
    HEADRACE_ASSIGN_OR_RETURN(const ModelCard card, read_card(model));
    return best_f1_threshold(card, model, kind, key);
  };
  const auto none = threshold("fasttext");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code(), Code::kNotFound);
  EXPECT_NE(none.error().message().find("headrace score eval"), std::string::npos);

  ModelCard card = whole();
  card.evaluation.reset();
  ASSERT_TRUE(write_card(card, model).has_value());
  const auto unmeasured = threshold("fasttext");
  ASSERT_FALSE(unmeasured.has_value());
  EXPECT_NE(unmeasured.error().message().find("headrace score eval"), std::string::npos);

  card = whole();
  card.xxh3_128.clear();
  ASSERT_TRUE(write_card(card, model).has_value());
  EXPECT_EQ(*threshold("fasttext"), 0.3);
  card.xxh3_128 = to_hex(hash128("model"));
  ASSERT_TRUE(write_card(card, model).has_value());
  EXPECT_EQ(*threshold("fasttext"), 0.3);
  const auto other = threshold("perplexity");
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message().find("of the kind 'fasttext'"), std::string::npos);
  folder.put("quality.bin", "trained again");
  ASSERT_FALSE(threshold("fasttext").has_value());
}

// A perplexity is best below a line: the recipe must say so.
TEST(ModelCardTest, WhereLowIsBetterTheLineIsAMaximum) {
  const io::TestFolder folder;
  const std::string model = folder.put("lm.bin", "model");
  ModelCard card = whole();
  card.kind = "perplexity";
  card.xxh3_128.clear();
  card.evaluation->low_is_better = true;
  card.evaluation->best_f1.threshold = 412.5;
  card.evaluation->best_f1.threshold_interval = {300, 500};
  card.evaluation->precision_at_recall.clear();
  card.evaluation->curve.clear();
  card.evaluation->histogram = {};
  ASSERT_TRUE(write_card(card, model).has_value());
  const auto read = read_card(model);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_TRUE(read->evaluation->low_is_better);
  EXPECT_EQ(*best_f1_threshold(*read, model, "perplexity", "max"), 412.5);
  const auto as_min = best_f1_threshold(*read, model, "perplexity", "min");
  ASSERT_FALSE(as_min.has_value());
  EXPECT_NE(as_min.error().message().find("low scores are better, so best_f1 is a max"),
            std::string::npos)
      << as_min.error().message();
  EXPECT_EQ(best_f1_threshold(whole(), model, "fasttext", "max").error().code(),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace headrace::score
