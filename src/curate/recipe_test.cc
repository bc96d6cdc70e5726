// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe.h"

#include <gtest/gtest.h>

#include "measure/measure.h"

namespace headrace {
namespace {

constexpr const char* kSources =
    "sources: [{domain: news, paths: [a.jsonl]}, {domain: forum, paths: [b.txt]}]\n";

std::string error_of(const std::string& yaml) {
  const auto recipe = Recipe::parse(yaml, "r.yaml");
  return recipe ? "" : recipe.error().message();
}

TEST(RecipeTest, SmallestRecipeHasDefaults) {
  const auto recipe = Recipe::parse("sources: [{domain: d, paths: x.jsonl}]");
  ASSERT_TRUE(recipe) << recipe.error().message();
  const Recipe::Data& data = recipe->data();
  EXPECT_EQ(data.sources[0].text, "text");
  EXPECT_EQ(data.sources[0].paths, std::vector<std::string>{"x.jsonl"});
  ASSERT_EQ(data.normalize.size(), 3U);
  EXPECT_EQ(data.normalize[0].name, "html_to_text");
  EXPECT_FALSE(data.dedup.exact_view);
  EXPECT_FALSE(data.tokenize);
  EXPECT_TRUE(data.rules_of("d").empty());
}

TEST(RecipeTest, EveryKeyOfThisVersionIsRead) {
  const auto recipe = Recipe::parse(R"(
version: 1
name: zh-en
seed: 7
sources:
  - {domain: news, paths: ["n/*.jsonl", "m/*.parquet"], text: a.b, keep: [url, meta.date]}
  - {domain: forum, paths: [f.txt], format: text, documents: paragraph, encoding: gbk}
normalize: [control_chars, whitespace: {mode: single_line}, pii: {mask: [email, id_card]}]
judge:
  preset: zh-web
  rules: {code_points: {min: 10, max: 50}, line_count: {auto: p5..p95}}
  domains: {forum: {rules: {code_points: {min: 5}}}, news: {preset: none}}
dedup: {exact: {view: [whitespace]}}
mix: {weights: {news: 0.4, forum: 0.6}, total_tokens: 1000}
tokenize: {tokenizer: t.json, end: "<|endoftext|>"}
pack: {length: 128, method: concat}
shards: {format: megatron, size: 2MiB, multiple_of: 8, shuffle: false}
output: out
limits: {threads: 3, confidence: 0.8}
)");
  ASSERT_TRUE(recipe) << recipe.error().message();
  const Recipe::Data& data = recipe->data();
  EXPECT_EQ(data.name, "zh-en");
  EXPECT_EQ(data.seed, 7U);
  EXPECT_EQ(data.sources[0].keep, (std::vector<std::string>{"url", "meta.date"}));
  EXPECT_FALSE(data.sources[0].keep_all);
  EXPECT_EQ(data.sources[1].documents, "paragraph");
  EXPECT_EQ(data.normalize[1].options.at("mode"), "single_line");
  EXPECT_EQ(data.normalize[2].options.at("mask"), "email,id_card");
  EXPECT_EQ(data.rules_of("forum").rules.back().auto_max_percentile, 95);
  EXPECT_EQ(data.dedup.exact_view, std::vector<std::string>{"whitespace"});
  EXPECT_EQ(data.mix_weights.at("forum"), 0.6);
  EXPECT_EQ(data.mix_total_tokens, 1000U);
  EXPECT_EQ(data.tokenize->end, "<|endoftext|>");
  EXPECT_EQ(data.pack_length, 128U);
  EXPECT_EQ(data.shard_bytes, 2U << 20);
  EXPECT_EQ(data.shard_multiple_of, 8U);
  EXPECT_FALSE(data.shard_shuffle);
  EXPECT_EQ(data.output, "out");
  EXPECT_EQ(data.threads, 3U);
  EXPECT_EQ(data.confidence, 0.8);
}

TEST(RecipeTest, DomainsOverrideRulesOrReplaceThePreset) {
  const auto recipe =
      Recipe::parse(std::string(kSources) +
                    "judge:\n"
                    "  preset: zh-web\n"
                    "  rules: {code_points: {min: 10}}\n"
                    "  domains: {forum: {rules: {code_points: {min: 5}}}, news: {preset: none}}\n");
  ASSERT_TRUE(recipe) << recipe.error().message();
  EXPECT_TRUE(recipe->data().rules_of("news").empty());
  for (const judge::Rule& rule : recipe->data().rules_of("forum").rules) {
    if (rule.column == "code_points") {
      EXPECT_EQ(rule.min, 5);
    }
  }
  EXPECT_EQ(recipe->data().rules_of("forum").rules.size(),
            judge::registry().find("zh-web")->set.rules.size());
}

TEST(RecipeTest, BucketsAndLanguagesOfTheDomainAndOfAll) {
  const auto recipe = Recipe::parse(std::string(kSources) + R"(
judge:
  rules: {code_points: {min: 10, null: drop}, digit_share: {max: 0.5}}
  languages: {zh: {preset: zh-web, rules: {code_points: {min: 5}}}}
  buckets:
    - {when: {code_points: {max: 500}}, rules: {dup_10gram_coverage: {max: 0.5}}}
  domains:
    forum:
      rules: {digit_share: {max: 0.9}}
      buckets: [{when: {words: {min: 9}}, rules: {digit_share: {}}}]
)");
  ASSERT_TRUE(recipe) << recipe.error().message();
  const judge::RuleSet news = recipe->data().rules_of("news");
  EXPECT_TRUE(news.rules[0].drop_null);
  EXPECT_FALSE(news.rules[1].drop_null);
  ASSERT_GE(news.buckets.size(), 2U);
  EXPECT_EQ(news.buckets.front().when, judge::languages().front().when);
  EXPECT_EQ(news.buckets.front().rules.front(), (judge::Rule{.column = "code_points", .min = 5}));
  EXPECT_EQ(news.buckets.back(), (judge::Bucket{{{.column = "code_points", .max = 500}},
                                                {{.column = "dup_10gram_coverage", .max = 0.5}}}));
  const judge::RuleSet forum = recipe->data().rules_of("forum");
  EXPECT_EQ(forum.rules[1], (judge::Rule{.column = "digit_share", .max = 0.9}));
  EXPECT_EQ(forum.buckets.back(),
            (judge::Bucket{{{.column = "words", .min = 9}}, {{.column = "digit_share"}}}));
}

TEST(RecipeTest, FaultsOfBucketsAndLanguages) {
  const std::string error = error_of(std::string(kSources) + R"(judge:
  rules: {code_points: {null: kep}}
  languages: {xz: {}}
  buckets:
    - {rules: {code_points: {min: 1}}}
    - {when: {code_pionts: {max: 5}}}
    - {when: {code_points: {min: 5, max: 4}}}
  domains: {news: {buckets: {}}}
)");
  for (const char* part :
       {"r.yaml:3: 'judge.rules.code_points.null' cannot be 'kep'; did you mean 'keep'?",
        "r.yaml:4: unknown key 'judge.languages.xz'", "r.yaml:6: 'judge.buckets[0].when' is needed",
        "r.yaml:7: unknown measure 'judge.buckets[1].when.code_pionts'; did you mean "
        "'code_points'?",
        "r.yaml:8: 'judge.buckets[2].when.code_points': min 5 is above max 4",
        "r.yaml:9: 'judge.domains.news.buckets' must be a list"}) {
    EXPECT_NE(error.find(part), std::string::npos) << part << "\nin\n" << error;
  }
}

// What would change nothing is a slip, where it does not plainly say "none".
TEST(RecipeTest, EmptyRulesAndBuckets) {
  EXPECT_EQ(error_of(std::string(kSources) + "judge: {rules: {}, buckets: []}\n"), "");
  EXPECT_EQ(error_of(std::string(kSources) +
                     "judge: {domains: {news: {preset: none, rules: {}, buckets: []}}}\n"),
            "");
  const std::string error = error_of(std::string(kSources) + R"(judge:
  buckets:
    - {when: {code_points: {max: 5}}}
    - {when: {code_points: {max: 5}}, rules: {}}
    - {when: {}, rules: {code_points: {}}}
    - {when: {code_points: {}}, rules: {code_points: {}}}
  domains:
    news: {rules: {}}
    forum: {buckets: []}
)");
  for (const char* part :
       {"r.yaml:4: 'judge.buckets[0].rules' is needed: rules for these documents",
        "r.yaml:5: 'judge.buckets[1].rules' is needed",
        "r.yaml:6: 'judge.buckets[2].when' is needed",
        "r.yaml:7: 'judge.buckets[3].when.code_points' needs a min or a max",
        "r.yaml:9: 'judge.domains.news.rules' is empty and would change nothing, since the common "
        "rules hold in every domain: leave it out, or start the domain without them by 'preset: "
        "none'",
        "r.yaml:10: 'judge.domains.forum.buckets' is empty"}) {
    EXPECT_NE(error.find(part), std::string::npos) << part << "\nin\n" << error;
  }
}

// A preset that names a column which no measure has would drop nothing, or stop a run.
TEST(RecipeTest, ColumnsOfPresetsAndLanguagesAreMeasures) {
  std::vector<std::string> columns;
  for (const judge::Preset& preset : judge::registry().all()) {
    for (const std::string& column : judge::columns_of(preset.set)) columns.push_back(column);
  }
  for (const judge::Language& language : judge::languages()) {
    for (const judge::Condition& condition : language.when) columns.push_back(condition.column);
  }
  for (const std::string& column : columns)
    EXPECT_NE(measure::registry().find(column), nullptr) << column;
}

// Case B093 of public reports: a missing, misplaced, misspelt or doubled key is named with its
// line, before any work.
TEST(RecipeTest, FaultsAreNamedWithLineAndNearKey) {
  const struct {
    const char* yaml;
    const char* message;
  } cases[] = {
      {"sources: [{domain: d, paths: x}]\njudje: {}\n",
       "r.yaml:2: unknown key 'judje'; did you mean 'judge'?"},
      {"sources: [{domain: d, paths: x}]\ndedup:\n  exact:\n    veiw: [nfkc]\n",
       "r.yaml:4: unknown key 'dedup.exact.veiw'; did you mean 'view'?"},
      {"sources: [{domain: d, paths: x}]\nname: a\nname: b\n",
       "r.yaml:3: key 'name' stands twice, lines 2 and 3"},
      {"sources: [{domain: d, paths: x}]\nnormalize: [whitespace: {mode: "
       "single_line,\n mode: paragraphs}]\n",
       "r.yaml:3: key 'mode' stands twice, lines 2 and 3"},
      {"sources: [{domain: d, paths: x}]\nnormalize: [whitespace: {mode: [paragraphs]}]\n",
       "r.yaml:2: normalize: whitespace.mode must be one value"},
      {"sources: [{domain: d, paths: x}]\nnormalize:\n- pii: {mask: {a: b}}\n",
       "r.yaml:3: normalize: pii.mask must be one value or a list"},
      {"sources: [{domain: d, paths: x}]\nnormalize:\n- pii: {mask: [email, phones]}\n",
       "r.yaml:3: normalize: 'pii': mask cannot hold 'phones'; did you mean 'phone'?"},
      {"sources: [{domain: d, paths: x}]\nnormalize:\n- pii: {mask: []}\n",
       "r.yaml:3: normalize: 'pii': mask cannot hold ''; known: email, phone, id_card, ip"},
      {"sources: [{domain: d, paths: x}]\njudge: {domains: {d: {}, d: {}}}\n",
       "r.yaml:2: key 'd' stands twice, lines 2 and 2"},
      {"sources: [{domain: d, paths: x}]\n---\nname: b\n",
       "r.yaml:3: a second YAML document ('---'): a recipe is one document"},
      {"sources: [{domain: d, paths: x}]\nname: \xB9\xFA\n",
       "r.yaml:2: byte 0xb9 is not UTF-8: save the recipe as UTF-8"},
      {"sources: &a [*a]\n",
       "r.yaml: nested too deeply, or aliases ('*name') that hold themselves or repeat without "
       "end"},
      {"sources: [{paths: x}]\n", "r.yaml:1: 'sources[0].domain' is needed"},
      {"name: x\n", "r.yaml: 'sources' is needed: a list of {domain, paths}"},
      {"sources: [{domain: d, paths: x}]\njudge: {rules: {code_point: {min: 1}}}\n",
       "r.yaml:2: unknown measure 'judge.rules.code_point'; did you mean 'code_points'?"},
      {"sources: [{domain: d, paths: x}]\njudge: {preset: zhweb}\n",
       "r.yaml:2: unknown preset 'zhweb'; did you mean 'zh-web'?"},
      {"sources: [{domain: d, paths: x}]\nscore: {language: {}}\n",
       "r.yaml:2: 'score' must be a list: - language: {model: lid.176.ftz, keep: [zh]}"},
      {"sources: [{domain: d, paths: x}]\nscore: [language: {}]\n",
       "r.yaml:2: 'score.language.model' is needed: path of a fastText language model, like "
       "lid.176.ftz"},
      {"sources: [{domain: d, paths: x}]\nscore: [language: {model: m, keep: zh}]\njudge: {rules: "
       "{languge: {min: 1}}}\n",
       "r.yaml:3: unknown measure 'judge.rules.languge'; did you mean 'language'?"},
      {"sources: [{domain: d, paths: x}]\njudge: {rules: {code_points: {auto: p5.., min: 9}}}\n",
       "r.yaml:2: 'judge.rules.code_points.auto' and 'judge.rules.code_points.min' both give the "
       "min: keep one"},
      {"sources: [{domain: d, paths: x}]\npack: {length: 0}\ntokenize: {tokenizer: t, end: e}\n",
       "r.yaml:2: 'pack.length' must be a whole number from 1 to 16777216, not '0'"},
      {"sources: [{domain: d, paths: x}]\npack: {length: 8}\n",
       "r.yaml:2: 'pack' needs a 'tokenize' section: shares and lengths are counted in tokens"},
      {"sources: [{domain: d, paths: x}]\nmix: {weights: {e: 1}}\ntokenize: {tokenizer: t, end: "
       "e}\n",
       "r.yaml:2: 'mix.weights' has no weight for the domain 'd'\nr.yaml:2: unknown key "
       "'mix.weights.e'; did you mean 'd'?"},
      {"sources: [{domain: d, paths: x, documents: pages}]\n",
       "r.yaml:1: 'sources[0].documents' cannot be 'pages'; known: file, paragraph, line"},
      {"sources: [{domain: d, paths: x}]\nversion: 2\n",
       "r.yaml:2: recipe version 2 is newer than this headrace reads (1)"},
      {"a: [\n", "r.yaml:2: not valid YAML: end of sequence flow not found"},
  };
  for (const auto& test : cases) EXPECT_EQ(error_of(test.yaml), test.message) << test.yaml;
}

TEST(RecipeTest, InputsMayBeUrisAndFaultsHoldNoSecret) {
  EXPECT_EQ(
      error_of("sources: [{domain: d, paths: [\"s3://b/**/*.zst\", \"https://h/a.parquet\"]}]"),
      "");
  const std::string input = error_of("sources: [{domain: d, paths: [\"s3://key:hid/den@b/x\"]}]");
  EXPECT_NE(input.find("s3://***@b/x: what follows the host is no port"), std::string::npos)
      << input;
  EXPECT_EQ(input.find("den"), std::string::npos) << input;
  const std::string output =
      error_of(std::string(kSources) + "output: \"s3://key:hidden@b/run\"\n");
  EXPECT_NE(output.find("'output: s3://***@b/run' is not in this version"), std::string::npos)
      << output;
}

TEST(RecipeTest, ScoresAreRulesThatDomainsMayChange) {
  const auto recipe = Recipe::parse(std::string(kSources) + R"(
score:
- language: {model: lid.ftz, keep: [zh, en], min: 0.6}
- quality: {kind: fasttext, model: q.bin, label: good, max: 0.9}
- external: {column: edu, path: "e/*.parquet", min: 2, invalid: keep}
judge:
  preset: none
  rules: {quality: {min: 0.4}}
  domains:
    forum: {preset: none, rules: {language_not_kept: {}, edu: {min: 3, null: drop}}}
)");
  ASSERT_TRUE(recipe) << recipe.error().message();
  const Recipe::Data& data = recipe->data();
  ASSERT_EQ(data.scores.size(), 3U);
  EXPECT_EQ(data.scores[0].kind, "language");
  EXPECT_EQ(data.scores[0].keep, (std::vector<std::string>{"zh", "en"}));
  EXPECT_FALSE(data.scores[0].drop_null);  // undetermined stays
  EXPECT_EQ(data.scores[1].options.at("label"), "good");
  EXPECT_TRUE(data.scores[1].drop_null);
  EXPECT_EQ(data.scores[2].name, "edu");
  using Rules = std::vector<judge::Rule>;
  EXPECT_EQ(data.rules_of("news").rules,
            (Rules{{.column = "language_not_kept", .max = 0},
                   {.column = "language", .min = 0.6},
                   {.column = "quality", .min = 0.4, .drop_null = true},
                   {.column = "edu", .min = 2}}));
  // A preset of its own does not take a domain out of the score section.
  EXPECT_EQ(data.rules_of("forum").rules,
            (Rules{{.column = "language_not_kept"},
                   {.column = "language", .min = 0.6},
                   {.column = "quality", .max = 0.9, .drop_null = true},
                   {.column = "edu", .min = 3, .drop_null = true}}));
}

TEST(RecipeTest, AllFaultsAreReportedAtOnce) {
  const std::string message = error_of("nme: x\nsources: [{domain: d, path: x}]\nseed: -1\n");
  EXPECT_EQ(message,
            "r.yaml:1: unknown key 'nme'; did you mean 'name'?\n"
            "r.yaml:2: 'sources[0].paths' is needed: a list of globs\n"
            "r.yaml:2: unknown key 'sources[0].path'; did you mean 'paths'?\n"
            "r.yaml:3: 'seed' must be a whole number from 0 to 18446744073709551615, not '-1'");
}

TEST(RecipeTest, OddYamlNeverThrows) {
  for (const char* yaml :
       {"", "[]", "5", "~", "sources: ~", "sources: {a: b}", "sources: [~]", "sources: [[1]]",
        "judge: [1]", "? [a]\n: b\n", "normalize: {a: b}", "normalize: [[x]]",
        "normalize: [{a: 1, b: 2}]", "score: 5", "score: [x, {a: b, c: d}, {[x]: y}, {a: [1]}]",
        "judge: {rules: [1], domains: [2]}", "mix: {weights: 3}", "limits: 7",
        "sources: [{domain: [x], paths: {}}]"}) {
    EXPECT_NE(error_of(yaml), "") << yaml;
  }
}

}  // namespace
}  // namespace headrace
