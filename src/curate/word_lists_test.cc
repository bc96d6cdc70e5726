// SPDX-License-Identifier: Apache-2.0
#include "curate/word_lists.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "headrace/run.h"

#include "curate/document_rows.h"
#include "curate/passes.h"
#include "curate/recipe.h"

namespace headrace::curate {
namespace {

constexpr auto kFlagged = measure::WordListKind::kFlaggedWords;
constexpr auto kStop = measure::WordListKind::kStopWords;

class WordListsTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + "word_lists_test." + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string recipe_of(const std::string& measure) {
    return "sources: [{domain: d, paths: [x.jsonl]}]\n" + measure;
  }

  std::string error_of(const std::string& measure) {
    const auto recipe = Recipe::parse(recipe_of(measure), "r.yaml");
    return recipe ? "" : recipe.error().message();
  }
};

TEST_F(WordListsTest, AListOfStopWordsThatCannotMatchIsRefused) {
  const std::string never = write("never", "我们\n他们\n");
  const auto refused = load_words({{kStop, "zh", never}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message().find("none of its 2 entries can match"), std::string::npos);
  const std::string some = write("some", "我们\n的\n");
  EXPECT_TRUE(load_words({{kStop, "zh", some}}).has_value());
  EXPECT_TRUE(load_words({{kFlagged, "zh", never}}).has_value());
}

TEST_F(WordListsTest, LanguagesAreCodes) {
  for (const char* code : {"zh", "en", "de", "yue", "pt-BR", "zh_TW"})
    EXPECT_TRUE(check_language_code(code)) << code;
  const std::pair<const char*, const char*> cases[] = {
      {"Chinese", "zh"}, {"german", "de"}, {"EN", "en"}, {"zj", "zh"}, {"en1", "en"}};
  for (const auto& [code, meant] : cases) {
    const auto checked = check_language_code(code);
    ASSERT_FALSE(checked) << code;
    EXPECT_NE(checked.error().message().find("did you mean '" + std::string(meant) + "'?"),
              std::string::npos)
        << checked.error().message();
  }
  EXPECT_EQ(error_of("measure: {stop_words: {chinese: x}}\n"),
            "r.yaml:2: 'measure.stop_words': 'chinese' is no code of a language (ISO 639: zh, en, "
            "de); did you mean 'zh'?");
}

TEST_F(WordListsTest, ListsWithoutAWord) {
  const std::string empty = write("empty", "# none\n");
  EXPECT_FALSE(load_words({{kStop, "zh", empty}}));
  EXPECT_TRUE(load_words({{kFlagged, "zh", empty}}));
  EXPECT_FALSE(load_words({{kFlagged, "zh", "/dev/zero"}}));
}

TEST_F(WordListsTest, RecipesNameThemByKindAndLanguage) {
  const auto recipe = Recipe::parse(recipe_of(
      "measure: {stop_words: {de: de.txt}, flagged_words: {zh: bad.txt, en: ./en.txt}}\n"));
  ASSERT_TRUE(recipe) << recipe.error().message();
  EXPECT_EQ(recipe->data().word_lists, (std::vector<WordListSpec>{{kStop, "de", "de.txt"},
                                                                  {kFlagged, "zh", "bad.txt"},
                                                                  {kFlagged, "en", "./en.txt"}}));
  EXPECT_NE(error_of("measure: {flaged_words: {zh: x}}\n").find("flagged_words"),
            std::string::npos);
  EXPECT_NE(error_of("measure: {stop_words: [x]}\n").find("measure.stop_words"), std::string::npos);
  EXPECT_NE(error_of("measure: {stop_words: {zh: [x]}}\n").find("measure.stop_words.zh"),
            std::string::npos);
}

TEST_F(WordListsTest, FaultsNameTheFile) {
  const auto absent = load_words({{kFlagged, "zh", "/nowhere/list.txt"}});
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().message().find("measure.flagged_words.zh"), std::string::npos);
  EXPECT_NE(absent.error().message().find("/nowhere/list.txt"), std::string::npos);
  const std::string bad = write("bad", "好\n");
  const auto single = load_words({{kFlagged, "zh", bad}});
  ASSERT_FALSE(single);
  EXPECT_NE(single.error().message().find(bad + ":1: "), std::string::npos);
}

TEST_F(WordListsTest, TheHashIsThatOfTheWordsAlone) {
  const std::string own = write("own", "# mine\nforbidden\n");
  const std::string same = write("same", "Forbidden");
  const std::string other = write("other", "forbidden\nthing\n");
  const auto hash = [](const std::string& path, const char* language) {
    return load_words({{kFlagged, language, path}})->hash;
  };
  EXPECT_EQ(hash(own, "en"), hash(same, "en"));
  EXPECT_NE(hash(own, "en"), hash(other, "en"));
  EXPECT_NE(hash(own, "en"), hash(own, "zh"));
  EXPECT_NE(hash(own, "en"), load_words({})->hash);

  Recipe::Data recipe;
  recipe.words = *load_words({{kFlagged, "en", own}});
  const std::string before = documents_fingerprint(recipe, std::nullopt);
  recipe.words = *load_words({{kFlagged, "en", other}});
  EXPECT_NE(documents_fingerprint(recipe, std::nullopt), before);
}

TEST_F(WordListsTest, RowsAreMeasuredWithThem) {
  Recipe::Data recipe;
  recipe.words = *load_words({{kFlagged, "en", write("rows", "forbidden thing\n")}});
  const auto rows = RowRecipe::make(recipe);
  ASSERT_TRUE(rows);
  RowMaker maker(*rows);
  DocumentRow row;
  row.document.text = "A forbidden thing, not an online casino.";
  maker.fill(row);
  const std::vector<std::string> names = measure::registry().names();
  const auto at = std::find(names.begin(), names.end(), "flagged_words") - names.begin();
  EXPECT_EQ(row.values[static_cast<std::size_t>(at)], 1.0);
}

}  // namespace
}  // namespace headrace::curate
