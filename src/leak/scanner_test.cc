// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/counter_rng.h"
#include "leak/leak.h"

namespace headrace::leak {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Item question(std::string id, std::string text, std::vector<std::string> options = {},
              std::string answer = "") {
  return {.id = std::move(id),
          .set = "test",
          .question = std::move(text),
          .options = std::move(options),
          .answer = std::move(answer),
          .solution = "",
          .passage = ""};
}

std::vector<Item> items() {
  return {
      question(
          "pool",
          "一个水池装有两个进水管和一个出水管，三管齐开六小时注满，只开出水管需要多少小时放空？",
          {"十二小时", "十五小时", "十八小时", "二十四小时"}, "十五小时"),
      question(
          "train",
          "8．（3分）A train leaves the northern station at 7 in the morning and crosses three "
          "bridges before noon; how many bridges does it cross each hour?",
          {"one half", "three fifths", "two thirds", "five sixths"}, "three fifths"),
      question("leaf", "绿色植物的叶片在黑暗环境中仍然能够进行的生理活动主要是下列哪一项？",
               {"光合作用的光反应", "呼吸作用分解有机物", "叶绿素的大量合成", "气孔持续张开"}),
      question("marbles",
               "Olga keeps 14 glass marbles in a tin and hands five of them to each of her two "
               "cousins. How many marbles stay with Olga at the end?",
               {}, "Olga hands out ten marbles in all, so four marbles stay with her."),
      {.id = "river",
       .set = "test",
       .question = "What is the mood of the passage?",
       .options = {},
       .answer = "",
       .solution = "",
       .passage =
           "The river was quiet that morning and the boats had not yet left the harbour. A man "
           "with a basket walked along the wall and counted the gulls, as he did every day of "
           "the week. When the bell rang he turned back, bought bread, and went home."},
  };
}

Index must_finish(IndexBuilder builder) {
  auto index = builder.finish();
  EXPECT_TRUE(index.has_value()) << index.error().message();
  return *std::move(index);
}

Index index_of(const std::vector<Item>& items, const std::vector<std::string>& references = {}) {
  IndexBuilder builder = *IndexBuilder::make();
  for (const Item& item : items) builder.add(item);
  ReferenceCounter counter = builder.counter();
  for (const std::string& text : references) counter.add(text);
  builder.count(counter);
  return must_finish(std::move(builder));
}

std::vector<std::string> ids(const Index& index, const std::vector<Hit>& hits) {
  std::vector<std::string> ids;
  for (const Hit& hit : hits) ids.push_back(index.item(hit.item).id);
  return ids;
}

std::string embedded(std::string_view text) {
  return "昨天傍晚我们沿着河堤散步，看见许多人在放风筝。\nThe weather had been fine all week, and "
         "nobody expected rain.\n" +
         std::string(text) +
         "\n后来天色暗了下来，大家陆续回家，街上的灯一盏一盏亮起来了。\nNobody said a word on the "
         "way back.";
}

struct Disguise {
  const char* name;
  const char* item;
  std::string text;
};

std::vector<Disguise> disguises() {
  return {
      {"verbatim", "pool",
       "一个水池装有两个进水管和一个出水管，三管齐开六小时注满，只开出水管需要多少小时放空？\nA. "
       "十二小时\nB. "
       "十五小时\nC. 十八小时\nD. 二十四小时"},
      {"respaced", "pool",
       "一个 水池\n装有两个　进水管和一个出\u200B水管，三管 "
       "齐开六小时注满，只开\n出水管需要多少小时放空？"},
      {"full width", "train",
       "Ａ　ｔｒａｉｎ　ｌｅａｖｅｓ　ｔｈｅ　ｎｏｒｔｈｅｒｎ　ｓｔａｔｉｏｎ　ａｔ　７　ｉｎ　ｔ"
       "ｈｅ　ｍｏｒｎｉｎｇ　ａｎｄ　ｃｒｏｓｓｅｓ　ｔｈｒｅｅ　ｂｒｉｄｇｅｓ　"
       "ｂｅｆｏｒｅ　ｎｏｏｎ；　ｈｏｗ　ｍａｎｙ　ｂｒｉｄｇｅｓ　ｄｏｅｓ　ｉｔ　ｃｒｏｓｓ　ｅ"
       "ａｃｈ　ｈｏｕｒ？"},
      {"punctuation", "leaf",
       "绿色植物的叶片（在黑暗环境中）！仍然能够进行的生理活动——主要是：下列哪一项"},
      {"traditional", "leaf", "綠色植物的葉片在黑暗環境中仍然能夠進行的生理活動主要是下列哪一項？"},
      {"options re-ordered", "leaf",
       "绿色植物的叶片在黑暗环境中仍然能够进行的生理活动主要是下列哪一项？A．气孔持续张开 "
       "B．叶绿素的大量合成 C．呼吸作用分解有机物 D．光合作用的光反应"},
      {"question and answer", "marbles",
       "Olga keeps 14 glass marbles in a tin and hands five of them to each of her two cousins. "
       "How "
       "many marbles stay with Olga at the end? Answer: Olga hands out ten marbles in all, so four "
       "marbles stay with her."},
      {"inside a line", "train",
       "and somebody wrote: a TRAIN leaves the northern station at 7 in the morning and crosses "
       "three "
       "bridges before noon; how many bridges does it cross each hour? I never knew"},
      {"edited", "train",
       "A train leaves the southern station at 7 in the morning and crosses quickly three bridges "
       "before noon; how many bridges does cross each hour?"},
      {"edited", "pool",
       "一个水池装有二个进水管和一个出水管，三管同时齐开六小时注满，只开出水管需要多少小时放完？"},
      {"half", "marbles",
       "Olga keeps 14 glass marbles in a tin and hands five of them to each of her two cousins."},
      {"passage", "river", items()[4].passage},
  };
}

TEST(ScannerTest, FindsEveryDisguise) {
  const Index index = index_of(items());
  Scanner scanner = *Scanner::make(index);
  for (const Disguise& disguise : disguises()) {
    const std::string text = embedded(disguise.text);
    EXPECT_THAT(ids(index, scanner.scan(text)), ElementsAre(disguise.item)) << disguise.name;
  }
  EXPECT_THAT(scanner.scan(embedded("")), IsEmpty());
}

TEST(ScannerTest, VerdictsAndEvidence) {
  const Index index = index_of(items());
  Scanner scanner = *Scanner::make(index);
  const std::string text = embedded(disguises()[0].text);
  std::vector<Hit> hits = scanner.scan(text);
  ASSERT_EQ(hits.size(), 1u);
  const Hit& hit = hits[0];
  EXPECT_EQ(hit.verdict, Verdict::kDrop);
  EXPECT_NEAR(hit.coverage[0], 1, 1e-6);
  EXPECT_NEAR(hit.coverage[1], 1, 1e-6);
  EXPECT_GT(hit.mass, 20);
  const auto bytes = [&](TextRange range) {
    return text.substr(range.begin, range.end - range.begin);
  };
  // The span starts and ends on its words; to remove is the rest of the line too.
  EXPECT_EQ(bytes(hit.span).substr(0, 12), "一个水池");
  EXPECT_EQ(bytes(hit.remove).substr(bytes(hit.remove).size() - 12), "十四小时");
  EXPECT_EQ(text[hit.remove.end], '\n');
  std::string pieces;
  for (const TextRange piece : hit.pieces) pieces += bytes(piece) + "|";
  EXPECT_THAT(pieces, testing::HasSubstr("十八小时"));
  ASSERT_FALSE(hit.item_pieces.empty());
  std::set<std::uint32_t> options;
  for (const ItemPiece& piece : hit.item_pieces) {
    const Item& item = index.item(hit.item);
    const std::string& own = piece.part == Part::kQuestion  ? item.question
                             : piece.part == Part::kOptions ? item.options[piece.text]
                                                            : item.answer;
    EXPECT_LE(piece.bytes.end, own.size());
    if (piece.part == Part::kOptions) options.insert(piece.text);
  }
  EXPECT_EQ(options.size(), 4u);
  EXPECT_THAT(remove_ranges(hits).size(), 1u);

  hits = scanner.scan(embedded(items()[4].passage));
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].verdict, Verdict::kFlag);
  EXPECT_EQ(hits[0].view, View::kPassage);
  EXPECT_THAT(remove_ranges(hits), IsEmpty());
}

// The span of "8．（3分）A train ..." in the item leaves the number out, and offsets are those of
// the text as published.
TEST(ScannerTest, PiecesOfTheItemAreInItsPublishedText) {
  const Index index = index_of(items());
  Scanner scanner = *Scanner::make(index);
  const std::vector<Hit> hits = scanner.scan(disguises()[2].text);
  ASSERT_EQ(hits.size(), 1u);
  const TextRange piece = hits[0].item_pieces.front().bytes;
  EXPECT_EQ(index.item(hits[0].item).question.substr(piece.begin, 13), "A train leave");
}

TEST(ScannerTest, SharedFormulasFramesAndFamousLinesAreNotFound) {
  std::vector<Item> all = items();
  const char* const nouns[] = {"苹果的品种", "河流的走向", "星体的运动", "细胞的结构",
                               "货币的职能", "音乐的节拍", "宪法的修改", "桥梁的承重",
                               "疾病的传播", "语言的演变"};
  for (const char* noun : nouns) {
    all.push_back(question(
        noun, std::string("根据上述材料判断，下列关于") + noun + "的叙述中，完全正确的一项是"));
  }
  all.push_back(
      question("proof",
               "Prove that a^3 + b^3 + c^3 - 3abc = (a + b + c)(a^2 + b^2 + c^2 - ab - bc - "
               "ca) holds for all real numbers a, b and c."));
  all.push_back(question(
      "line", "诗句“落霞与孤鹜齐飞，秋水共长天一色”出自哪一篇文章，作者当时所处的地点在哪里？",
      {"滕王阁序", "岳阳楼记", "醉翁亭记", "赤壁赋"}));
  const Index index = index_of(all);
  Scanner scanner = *Scanner::make(index);
  EXPECT_THAT(
      scanner.scan("We know a^3 + b^3 + c^3 - 3abc = (a + b + c)(a^2 + b^2 + c^2 - ab - bc - ca), "
                   "which helps to factor the sum below."),
      IsEmpty());
  EXPECT_THAT(scanner.scan("根据上述材料判断，下列关于火山喷发的叙述中，完全正确的一项是"),
              IsEmpty());
  EXPECT_THAT(scanner.scan("他站在窗前念道：落霞与孤鹜齐飞，秋水共长天一色。大家都说好。"),
              IsEmpty());
}

// Like words that many items share, those that many documents share weigh little.
TEST(ScannerTest, PhrasesOfTheReferenceDocumentsWeighLittle) {
  const std::string licence =
      "Permission is granted to use, copy, modify and distribute this file for any purpose";
  const std::vector<Item> own = {question("licence", licence)};
  std::vector<std::string> references;
  for (int i = 0; i < 300; ++i) {
    references.push_back("File number " + std::to_string(i) + (i % 2 == 0 ? ". " + licence : ""));
  }
  const Index alone = index_of(own);
  Scanner strict = *Scanner::make(alone);
  EXPECT_EQ(strict.scan(licence).size(), 1u);
  const Index counted = index_of(own, references);
  EXPECT_EQ(counted.stats().reference_documents, 300u);
  Scanner knowing = *Scanner::make(counted);
  EXPECT_THAT(knowing.scan(licence), IsEmpty());
}

TEST(ScannerTest, OrderOfItemsAndReferencesAndThreadsDoNotShow) {
  std::vector<Item> all = items();
  std::vector<std::string> references;
  for (const Disguise& disguise : disguises()) references.push_back(embedded(disguise.text));
  const Index index = index_of(all, references);
  std::reverse(all.begin(), all.end());
  // Two counters, and the references the other way round.
  IndexBuilder builder = *IndexBuilder::make();
  for (const Item& item : all) builder.add(item);
  ReferenceCounter first = builder.counter();
  ReferenceCounter second = builder.counter();
  for (std::size_t i = references.size(); i-- > 0;)
    (i % 3 == 0 ? first : second).add(references[i]);
  builder.count(second);
  builder.count(first);
  EXPECT_EQ(must_finish(std::move(builder)).serialize(), index.serialize());

  const auto row = [](const std::vector<Hit>& hits) {
    std::string text;
    for (const Hit& hit : hits) {
      text += std::to_string(hit.item) + ":" + std::to_string(hit.span.begin) + "-" +
              std::to_string(hit.remove.end) + "=" + std::to_string(hit.ratio) + " ";
    }
    return text;
  };
  std::vector<std::string> expected;
  Scanner scanner = *Scanner::make(index);
  for (const std::string& text : references) expected.push_back(row(scanner.scan(text)));
  std::vector<std::thread> threads;
  std::vector<std::vector<std::string>> seen(4, std::vector<std::string>(references.size()));
  for (std::size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([&, t] {
      Scanner own = *Scanner::make(index);
      for (std::size_t i = 0; i < references.size(); ++i) {
        const std::size_t document = (i * 5 + t) % references.size();
        seen[t][document] = row(own.scan(references[document]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& rows : seen) EXPECT_EQ(rows, expected);
}

TEST(IndexBuilderTest, EmptyEqualAndHugeItems) {
  IndexBuilder builder = *IndexBuilder::make();
  builder.add(question("empty", ""));
  builder.add(question("marks", "……？！"));
  builder.add(question("short", "什么是光"));
  for (const Item& item : items()) builder.add(item);
  Item twin = items()[1];
  twin.set = "other";
  twin.question =
      "A train  leaves the NORTHERN station at 7 in the morning and crosses three bridges "
      "before noon; how many bridges does it cross each hour";
  std::swap(twin.options[0], twin.options[3]);
  builder.add(twin);
  Item huge = question("huge", "Which book is this?");
  const CounterRng random(3, purpose("leak.test"));
  for (std::uint64_t i = 0; i < 100000; ++i) {
    huge.passage += "word" + std::string(1, static_cast<char>('a' + random.below(i, 26))) +
                    std::string(1, static_cast<char>('a' + random.below(i + 1000000, 26))) + " ";
  }
  builder.add(huge);
  const Index index = must_finish(std::move(builder));
  EXPECT_EQ(index.stats().items, 9u);
  EXPECT_EQ(index.stats().folded, 1u);
  EXPECT_EQ(index.stats().cut, 1u);
  EXPECT_EQ(index.stats().without_seeds, 3u);
  std::vector<std::string> named;
  for (const std::uint32_t item : index.without_seeds()) named.push_back(index.item(item).id);
  EXPECT_THAT(named, ElementsAre("empty", "marks", "short"));
  named.clear();
  for (const std::uint32_t item : index.not_checkable()) named.push_back(index.item(item).id);
  EXPECT_THAT(named, ElementsAre("empty", "marks", "short"));

  Scanner scanner = *Scanner::make(index);
  const std::vector<Hit> hits = scanner.scan(twin.question);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(index.item(hits[0].item).id, "train");  // "other" comes first, but both are named
  const Item& found = index.item(hits[0].item);
  EXPECT_EQ(found.set + found.also.at(0), "othertest/train");
  EXPECT_THAT(ids(index, scanner.scan(huge.passage)), ElementsAre("huge"));
}

TEST(IndexBuilderTest, RefusesWhatFindsNothing) {
  IndexBuilder none = *IndexBuilder::make();
  const auto index = none.finish();
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(index.error().code(), Code::kInvalidArgument);
  EXPECT_FALSE(IndexBuilder::make({.seed_half_units = 1}).has_value());
  EXPECT_FALSE(IndexBuilder::make({.check_half_units = 13}).has_value());
  const Index good = index_of(items());
  ScanSettings settings;
  settings.bounds[0].least_ratio = 2;
  EXPECT_FALSE(Scanner::make(good, settings).has_value());
}

TEST(ScannerTest, AnyBytesAndLargeDocuments) {
  const Index index = index_of(items());
  Scanner scanner = *Scanner::make(index);
  std::string noise;
  const CounterRng random(5, purpose("leak.test"));
  for (std::uint64_t i = 0; i < 100000; ++i) noise += static_cast<char>(random.at(i));
  EXPECT_THAT(scanner.scan(noise), IsEmpty());
  EXPECT_THAT(scanner.scan(""), IsEmpty());
  EXPECT_THAT(ids(index, scanner.scan(noise + disguises()[0].text + noise)), ElementsAre("pool"));
  EXPECT_THAT(ids(index, scanner.scan("\xE4\xBD" + disguises()[0].text + "\xF0\x9F")),
              ElementsAre("pool"));

  // 50 MB, an item at both ends.
  std::string large = disguises()[2].text + "\n";
  const std::string filler = "Nobody knows how long this goes on 这一段文字没有什么意思。\n";
  while (large.size() < 50'000'000) large += filler;
  large += disguises()[2].text;
  EXPECT_THAT(ids(index, scanner.scan(large)), ElementsAre("train", "train"));
  // The same item a hundred thousand times over.
  std::string repeated;
  while (repeated.size() < 5'000'000) repeated += disguises()[0].text + "\n";
  const std::vector<Hit> hits = scanner.scan(repeated);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_GT(hits[0].span.end, 4'999'000u);
  const ScanStats& stats = scanner.stats();
  EXPECT_EQ(stats.documents, 6u);
  EXPECT_GT(stats.bytes, 55'000'000u);
  EXPECT_EQ(stats.found, 5u);
  EXPECT_EQ(stats.cut_documents, 0u);
  EXPECT_GE(stats.groups, stats.verified);
}

class LeakCasesTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("HEADRACE_DATA");
    if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
    cases_ = std::string(data) + "/../cases/";
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  // "document:item:verdict" of what is found in the corpus.
  std::vector<std::string> found(const std::string& name) {
    const std::string file = cases_ + name + "/benchmark.jsonl";
    const auto items = read_items(bytes_of(file), {.set = name, .file = file});
    EXPECT_TRUE(items.has_value()) << items.error().message();
    const Index index = index_of(*items);
    const std::string before = index.serialize();
    Scanner scanner = *Scanner::make(index);
    std::vector<std::string> found;
    std::ifstream corpus(cases_ + name + "/corpus.jsonl");
    for (std::string line; std::getline(corpus, line);) {
      const auto document = nlohmann::json::parse(line);
      for (const Hit& hit : scanner.scan(document["text"].get<std::string>())) {
        found.push_back(document["id"].get<std::string>() + ":" + index.item(hit.item).id + ":" +
                        std::string(name_of(hit.verdict)));
      }
    }
    EXPECT_EQ(index.serialize(), before);
    return found;
  }
  std::string cases_;
};

TEST_F(LeakCasesTest, B032FlagsBothWithTheirEntries) {
  EXPECT_THAT(found("B032"), ElementsAre("leak_en:q0:drop", "leak_zh:q1:drop"));
}

// Whole questions are dropped and a shared formula is nothing. Three fifths of a question, word for
// word, are more than a template can be told from without documents that share it: to be looked at.
TEST_F(LeakCasesTest, B035WholeQuestionsAndNothingElse) {
  EXPECT_THAT(found("B035"), ElementsAre("verbatim:m1:drop", "own_paragraph:m2:drop",
                                         "embedded_long:m1:drop", "case_and_spaces:m2:drop",
                                         "with_answer:m1:drop", "template_other_problem:m4:flag"));
}

}  // namespace
}  // namespace headrace::leak
