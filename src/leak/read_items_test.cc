// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "leak/item.h"

namespace headrace::leak {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Item> must_read(std::string_view bytes, std::string file, ItemFields fields = {},
                            std::string layout = "auto") {
  const auto items = read_items(
      bytes, {.set = "set", .file = std::move(file), .layout = layout, .fields = fields});
  EXPECT_TRUE(items.has_value()) << items.error().message();
  return items.has_value() ? *items : std::vector<Item>{};
}

std::string refusal(std::string_view bytes, std::string file, std::string layout = "auto") {
  const auto items = read_items(bytes, {.set = "set", .file = std::move(file), .layout = layout});
  EXPECT_FALSE(items.has_value());
  return items.has_value() ? "" : items.error().message();
}

TEST(ReadItemsTest, Cmmlu) {
  const auto items = must_read(
      "\xEF\xBB\xBF,Question,A,B,C,D,Answer\n0,最低层次是,自我实现,社会需要,安全需要,生理需要,D\n"
      "1,\"他说\"\"好, 吧\"\"\",一,二,三,四,B\r\n",
      "test/marketing.csv");
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].id, "marketing/0");
  EXPECT_EQ(items[0].set, "set");
  EXPECT_EQ(items[0].question, "最低层次是");
  EXPECT_THAT(items[0].options, ElementsAre("自我实现", "社会需要", "安全需要", "生理需要"));
  EXPECT_EQ(items[0].answer, "生理需要");
  EXPECT_EQ(items[1].question, "他说\"好, 吧\"");
  EXPECT_EQ(items[1].answer, "二");
}

TEST(ReadItemsTest, GaokaoTakesOptionsAndPassagesOutOfTheQuestion) {
  const std::string passage(500, 'p');
  const auto items = must_read(
      R"({"keywords": "x", "example": [{"index": 3, "question": "8．（3分）下列是（ ）\nA．一 B．二\nC. 三 D、四", "answer": ["B"], "analysis": "因为"},
          {"index": 4, "question": ")" +
          passage +
          R"(\n21. Why? A. x B. y C. z D. w\n22. Who? A. k B. l C. m D. n", "answer": ["A", "C"]}]})",
      "2010_History.json");
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].id, "2010_History/3");
  EXPECT_EQ(items[0].question, "8．（3分）下列是（ ）");
  EXPECT_THAT(items[0].options, ElementsAre("一", "二", "三", "四"));
  EXPECT_EQ(items[0].answer, "");
  EXPECT_EQ(items[0].solution, "因为");
  EXPECT_EQ(items[1].passage, passage);
  EXPECT_EQ(items[1].question, "21. Why?");
  EXPECT_THAT(items[1].options, ElementsAre("x", "y", "z", "w\n22. Who?", "k", "l", "m", "n"));
}

TEST(ReadItemsTest, NamesMayBePaths) {
  const auto items =
      must_read(R"({"q": {"stem": "Why?"}, "q.id": "x", "a.b": {"c": "one"}, "d": "two"})",
                "x.jsonl", {.id = {"q.id"}, .question = {"q.stem"}, .options = {"a.b.c", "d"}});
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].question, "Why?");
  EXPECT_EQ(items[0].id, "x");
  EXPECT_THAT(items[0].options, ElementsAre("one", "two"));
}

TEST(ReadItemsTest, ANamedQuestionMustBeThere) {
  const auto items = read_items("{\"q\": \"Why?\"}\n{\"answer\": \"x\"}\n",
                                {.set = "set", .file = "x.jsonl", .fields = {.question = {"q"}}});
  ASSERT_FALSE(items.has_value());
  EXPECT_THAT(items.error().message(), HasSubstr("line 2 has no text in the field 'q'"));
}

TEST(ReadItemsTest, Gsm8kAndHumanEval) {
  auto items = must_read(
      "{\"question\": \"How many?\", \"answer\": \"16-3=<<16-3=13>>13 eggs\\n#### 13\"}\n",
      "test.jsonl");
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].answer, "16-3=13 eggs\n#### 13");
  EXPECT_EQ(items[0].id, "test/0");
  items = must_read(
      "\n{\"task_id\": \"HumanEval/0\", \"prompt\": \"def f():\", \"canonical_solution\": \" "
      "return 1\"}\n\n",
      "HumanEval.jsonl", {}, "humaneval");
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].id, "HumanEval/0");
  EXPECT_EQ(items[0].question, "def f():");
  EXPECT_EQ(items[0].solution, " return 1");
}

TEST(ReadItemsTest, ManyShapesOfOptionsAndAnswers) {
  const auto items = must_read(
      R"({"question": "a", "choices": ["x", "y"], "answer": 1}
{"question": "b", "choices": {"text": ["x", "y"], "label": ["A", "B"]}, "answer": "A"}
{"question": "c", "options": {"A": "x", "B": "y"}, "answer": "[b]"}
{"question": "d", "choices": [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}], "answer": "y"}
{"question": "e", "A": "x", "B": "y", "answer": "B"}
{"question": "f", "context": "long ago", "answers": {"text": ["x", "z"], "answer_start": [1, 2]}}
{"id": "own", "text": "the whole item"})",
      "x.jsonl");
  ASSERT_EQ(items.size(), 7u);
  const std::string answers[] = {"y", "x", "y", "y", "y", "x\nz", ""};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_THAT(items[i].options, ElementsAre("x", "y")) << i;
  }
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(items[i].answer, answers[i]) << i;
  EXPECT_EQ(items[5].passage, "long ago");
  EXPECT_EQ(items[6].question, "the whole item");
  EXPECT_EQ(items[6].id, "own");
}

TEST(ReadItemsTest, FieldsAreNamed) {
  const auto items = must_read(R"([{"q": "a", "o1": "x", "o2": "y", "question": "not this"}])",
                               "x.json", {.question = {"q"}, .options = {"o1", "o2"}});
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].question, "a");
  EXPECT_THAT(items[0].options, ElementsAre("x", "y"));
  EXPECT_THAT(must_read("id\tquestion\n7\twhy\n", "x.tsv")[0].question, "why");
  const auto text = must_read("A whole passage.\nOf two lines.", "p.txt");
  ASSERT_EQ(text.size(), 1u);
  EXPECT_EQ(text[0].passage, "A whole passage.\nOf two lines.");
  EXPECT_EQ(text[0].id, "p/0");
  EXPECT_THAT(must_read(R"(["one", "two"])", "x.json")[1].passage, "two");
}

TEST(ReadItemsTest, RefusesHoles) {
  EXPECT_THAT(refusal("{\"question\": \"a\"}\n{\"question\": \n", "b.jsonl"),
              HasSubstr("b.jsonl: line 2 is no JSON"));
  EXPECT_THAT(refusal("{\"frage\": \"a\"}\n", "b.jsonl"), HasSubstr("line 1 has no text"));
  EXPECT_THAT(refusal("[1]", "b.json"), HasSubstr("no object"));
  EXPECT_THAT(refusal("{", "b.json"), HasSubstr("no JSON"));
  EXPECT_THAT(refusal("question,A\nx\n", "b.csv"), HasSubstr("row 1 has 1 fields"));
  EXPECT_THAT(refusal("question\n\"x\n", "b.csv"), HasSubstr("not closed"));
  EXPECT_THAT(refusal("", "b.jsonl"), HasSubstr("there is none"));
  EXPECT_THAT(refusal("x", "b.bin"), HasSubstr("tells no layout"));
  EXPECT_THAT(refusal("x", "b.jsonl", "cmlu"), HasSubstr("did you mean 'cmmlu'"));
  EXPECT_THAT(refusal(std::string(100000, '['), "b.json"), HasSubstr("no JSON"));
}

}  // namespace
}  // namespace headrace::leak
