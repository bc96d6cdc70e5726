// SPDX-License-Identifier: Apache-2.0
#include "read/internal/json_record.h"

#include <simdjson.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "read/internal/json_text.h"

namespace headrace::read {
namespace {

struct Parsed {
  RecordState state = RecordState::kNotJson;
  std::string text;
  std::string meta;
};

Parsed parse(const std::string& line, const ReadOptions& options = {}) {
  JsonRecords records(options);
  Parsed parsed;
  if (!records.index(line)) return parsed;
  parsed.state = records.record(line, &parsed.text, &parsed.meta);
  return parsed;
}

TEST(JsonRecordTest, StatesOfALine) {
  const struct {
    const char* line;
    RecordState state;
  } kCases[] = {
      {R"({"text":"a"})", RecordState::kDocument},
      {R"({"text":""})", RecordState::kDocument},
      {" {\t\"text\" : \"a\" } \r", RecordState::kDocument},
      {"", RecordState::kBlank},
      {" \t\r", RecordState::kBlank},
      {R"({})", RecordState::kTextMissing},
      {R"({"Text":"a"})", RecordState::kTextMissing},
      {R"({"text":null})", RecordState::kTextNull},
      {R"({"text":1})", RecordState::kTextNotString},
      {R"({"text":["a"]})", RecordState::kTextNotString},
      {R"({"text":{"text":"a"}})", RecordState::kTextNotString},
      {R"({"text":"a","text":null})", RecordState::kTextNull},
      {R"({"text":null,"text":"a"})", RecordState::kDocument},
      {R"(["text"])", RecordState::kNotAnObject},
      {R"("text")", RecordState::kNotAnObject},
      {"12", RecordState::kNotAnObject},
      {"null", RecordState::kNotAnObject},
      {R"([{"text":"a"])", RecordState::kNotJson},
      {R"({"text":"a"}{"text":"b"})", RecordState::kNotJson},
      {R"({"text":"a"} x)", RecordState::kNotJson},
      {R"({"text":"a"},)", RecordState::kNotJson},
      {R"({"text":"a",})", RecordState::kNotJson},
      {R"({"text":"a" "b":1})", RecordState::kNotJson},
      {R"({"text" "a"})", RecordState::kNotJson},
      {R"({"text":"a"x})", RecordState::kNotJson},
      {R"({text:"a"})", RecordState::kNotJson},
      {R"({"text":'a'})", RecordState::kNotJson},
      {R"({"text":"a")", RecordState::kNotJson},
      {R"({"text":"a)", RecordState::kNotJson},
      {R"({"text":)", RecordState::kNotJson},
      {R"({"text":"a","n":01})", RecordState::kNotJson},
      {R"({"text":"a","n":1.})", RecordState::kNotJson},
      {R"({"text":"a","n":+1})", RecordState::kNotJson},
      {R"({"text":"a","n":1e})", RecordState::kNotJson},
      {R"({"text":"a","n":-})", RecordState::kNotJson},
      {R"({"text":"a","n":0x1})", RecordState::kNotJson},
      {R"({"text":"a","n":NaN})", RecordState::kNotJson},
      {R"({"text":"a","n":1 2})", RecordState::kNotJson},
      {R"({"text":"a","n":truex})", RecordState::kNotJson},
      {R"({"text":"a","n":[1,]})", RecordState::kNotJson},
      {R"({"text":"a","n":[1}])", RecordState::kNotJson},
      {R"({"text":"a","n":"\x"})", RecordState::kNotJson},
      {R"({"text":"a","n":"\u12"})", RecordState::kNotJson},
      {R"({"text":"\u12G4"})", RecordState::kNotJson},
      {"{\"text\":\"a\tb\"}", RecordState::kNotJson},
      {"{\"text\":\"\xE6\"}", RecordState::kNotJson},
      {R"({"text":"a","n":-1.5e-7,"m":[0,{}],"o":{"p":[]}})", RecordState::kDocument},
  };
  for (const auto& test : kCases) EXPECT_EQ(parse(test.line).state, test.state) << test.line;
}

TEST(JsonRecordTest, EscapesOfTheText) {
  const struct {
    const char* json;
    std::string text;
  } kCases[] = {
      {R"(plain)", "plain"},
      {R"(a\nb\tc\rd\be\ff)", "a\nb\tc\rd\be\ff"},
      {R"(\"\\\/)", "\"\\/"},
      {R"(\\)", "\\"},
      {R"(x\\\\)", "x\\\\"},
      {R"(\u4e2D\u6587)", "中文"},
      {R"(\u00e9é)", "éé"},
      {R"(ok \ud83d\ude00 pair)", "ok 😀 pair"},
      {R"(\ud842\udfb7)", "𠮷"},
      {R"(nul \u0000 inside)", std::string("nul \0 inside", 12)},
      {"one\u2028two\u2029three\u0085four", "one\u2028two\u2029three\u0085four"},
  };
  for (const auto& test : kCases) {
    const Parsed parsed = parse(std::string(R"({"text":")") + test.json + R"("})");
    EXPECT_EQ(parsed.state, RecordState::kDocument) << test.json;
    EXPECT_EQ(parsed.text, test.text) << test.json;
  }
}

TEST(JsonRecordTest, UnpairedSurrogatesAnywhereInTheRecord) {
  for (const char* json :
       {R"({"text":"lone high \ud800 end"})", R"({"text":"swapped \ude00\ud83d"})",
        R"({"text":"lone low at the end \udc00"})", R"({"text":"\ud800\ud800"})",
        R"({"text":"\ud800\n"})", R"({"text":"a","url":"\ud800"})", R"({"text":"a","\udc00":1})",
        R"({"n":["\ud800"],"text":"a"})"}) {
    EXPECT_EQ(parse(json).state, RecordState::kUnpairedSurrogate) << json;
  }
}

TEST(JsonRecordTest, MetaKeepsTheValuesByteForByte) {
  EXPECT_EQ(parse(R"({"text":"a"})").meta, "");
  EXPECT_EQ(parse(R"({ "id" : 12345678901234567890123 , "text":"a","f": 1.0, "e":1E+2 })").meta,
            R"({"id":12345678901234567890123,"f":1.0,"e":1E+2})");
  EXPECT_EQ(
      parse(R"({"n":null,"ner":[[0, 4, "Bio"]],"m":{"a": {"b":[1,"2",null]}},"text":"a"})").meta,
      R"({"n":null,"ner":[[0, 4, "Bio"]],"m":{"a": {"b":[1,"2",null]}}})");
  EXPECT_EQ(parse(R"({"k\u0065y":"\u4e2d","text":"a","dup":1,"dup":2})").meta,
            R"({"k\u0065y":"\u4e2d","dup":1,"dup":2})");
}

TEST(JsonRecordTest, LastTextWinsAndNoneIsInMeta) {
  const Parsed parsed = parse(R"({"text":"a","x":1,"te\u0078t":"b"})");
  EXPECT_EQ(parsed.text, "b");
  EXPECT_EQ(parsed.meta, R"({"x":1})");
}

TEST(JsonRecordTest, DottedText) {
  const ReadOptions options{.text_field = "a.b.text"};
  const Parsed parsed =
      parse(R"({"x":1,"a":{"y":[1, 2],"b":{"text":"deep","u":2},"z":0}})", options);
  EXPECT_EQ(parsed.text, "deep");
  EXPECT_EQ(parsed.meta, R"({"x":1,"a":{"y":[1, 2],"b":{"u":2},"z":0}})");
  EXPECT_EQ(parse(R"({"a":{"b":{"text":"t"}}})", options).meta, R"({"a":{"b":{}}})");
  EXPECT_EQ(parse(R"({"a":{"b":{"u":1,"text":"t","text":"v"}}})", options).meta,
            R"({"a":{"b":{"u":1}}})");
  EXPECT_EQ(parse(R"({"a":{"b":{"text":"s"}},"a":{"b":{"text":"t","k":1}}})", options).meta,
            R"({"a":{"b":{}},"a":{"b":{"k":1}}})");
  EXPECT_EQ(parse(R"({"a":{"b":"text"}})", options).state, RecordState::kTextMissing);
  EXPECT_EQ(parse(R"({"a":null,"text":"t","b":{"text":"t"}})", options).state,
            RecordState::kTextMissing);
  EXPECT_EQ(parse(R"({"a":[{"b":{"text":"t"}}]})", options).state, RecordState::kTextMissing);
}

TEST(JsonRecordTest, OneKeyWithTheDotsWins) {
  const ReadOptions options{.text_field = "a.text"};
  for (const char* line : {R"({"a":{"text":"nested"},"a.text":"flat"})",
                           R"({"a.text":"flat","a":{"text":"nested"}})"}) {
    EXPECT_EQ(parse(line, options).text, "flat") << line;
  }
}

TEST(JsonRecordTest, KeepTakesWhatIsNamed) {
  const ReadOptions options{.keep = {"meta.date", "url", "none"}, .keep_all = false};
  EXPECT_EQ(parse(R"({"url":"u","text":"a","meta":{"lang":"zh","date":"d"},"x":1})", options).meta,
            R"({"meta.date":"d","url":"u"})");
  EXPECT_EQ(parse(R"({"text":"a","x":1})", options).meta, "");
  EXPECT_EQ(parse(R"({"text":"a","url":1,"url":2})", options).meta, R"({"url":2})");
  EXPECT_EQ(parse(R"({"text":"a","x":1})", {.keep = {}, .keep_all = false}).meta, "");
}

TEST(JsonRecordTest, LinesOfOneBlockAreApart) {
  const std::string block =
      "{\"text\":\"a\"}\n\n{\"text\":broken}\n  \n{\"text\":\"b\",\"n\":1}\n{\"text\":\"c\"}{}\n";
  JsonRecords records({});
  ASSERT_TRUE(records.index(block));
  std::vector<RecordState> states;
  std::string text;
  std::string meta;
  std::string_view rest = block;
  while (!rest.empty()) {
    const std::size_t at = rest.find('\n');
    states.push_back(records.record(rest.substr(0, at), &text, &meta));
    rest.remove_prefix(at + 1);
  }
  using enum RecordState;
  EXPECT_EQ(states, (std::vector{kDocument, kBlank, kNotJson, kBlank, kDocument, kNotJson}));
}

TEST(JsonRecordTest, DeepNestingIsRefusedNotFatal) {
  const std::string deep(200000, '[');
  EXPECT_EQ(parse("{\"text\":\"a\",\"n\":" + deep).state, RecordState::kNotJson);
  const std::string fits = std::string(1000, '[') + std::string(1000, ']');
  EXPECT_EQ(parse("{\"text\":\"a\",\"n\":" + fits + "}").state, RecordState::kDocument);
}

// Random edits of valid records: whatever the library's own parser refuses must be refused here,
// and the other way round.
TEST(JsonRecordTest, AgreesWithTheDomParserOnDamagedRecords) {
  const std::string kSeeds[] = {
      R"({"id":"a","text":"some \"text\" \u4e2d\ud83d\ude00","n":[1,-2.5e3,{"k":null}],"t":true})",
      R"( {"text" : "x" , "o":{"p":{"q":[[],{},""]}},"f":false} )",
      R"(["not",{"an":"object"},0.1,"\\"])",
  };
  const std::string kBytes = "{}[]\",:\\ u0123eE+-.tfn\x01\x7Fxé";
  const CounterRng rng(11, purpose("damaged records"));
  simdjson::dom::parser parser;
  std::size_t good = 0;
  std::size_t bad = 0;
  std::uint64_t draw = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string line = kSeeds[i % 3];
    for (std::uint64_t edits = rng.below(draw++, 4); edits > 0; --edits) {
      const std::size_t at = rng.below(draw++, line.size());
      const char byte = kBytes[rng.below(draw++, kBytes.size())];
      switch (rng.below(draw++, 3)) {
        case 0:
          line[at] = byte;
          break;
        case 1:
          line.insert(at, 1, byte);
          break;
        default:
          line.erase(at, 1 + rng.below(draw++, 5));
      }
      if (line.empty()) line = " ";
    }
    const Parsed parsed = parse(line);
    // What only one side refuses on purpose.
    if (parsed.state == RecordState::kUnpairedSurrogate || parsed.state == RecordState::kBlank) {
      continue;
    }
    simdjson::dom::element element;
    const simdjson::error_code error = parser.parse(line).get(element);
    // The DOM parser refuses numbers that it cannot hold; JSON does not.
    if (error == simdjson::NUMBER_ERROR && parsed.state != RecordState::kNotJson) continue;
    ASSERT_EQ(parsed.state == RecordState::kNotJson, error != simdjson::SUCCESS)
        << line << "\n"
        << simdjson::error_message(error);
    ++(error == simdjson::SUCCESS ? good : bad);
    if (parsed.state != RecordState::kDocument) continue;
    std::string_view expected;
    ASSERT_EQ(element["text"].get(expected), simdjson::SUCCESS) << line;
    if (line.find("\"text\"") == line.rfind("\"text\"")) {
      ASSERT_EQ(parsed.text, expected) << line;
    }
    if (!parsed.meta.empty()) {
      simdjson::dom::parser meta_parser;
      ASSERT_EQ(meta_parser.parse(parsed.meta).error(), simdjson::SUCCESS)
          << line << " -> " << parsed.meta;
    }
  }
  EXPECT_GT(good, 10000u);
  EXPECT_GT(bad, 10000u);
}

TEST(CutOffTest, FrontsOfObjectsOnly) {
  for (const char* line : {"{", R"({"a)", R"({"a":1)", R"({"a":{"b":1})", R"( {"a":"x\")"}) {
    EXPECT_TRUE(is_cut_off_object(line)) << line;
  }
  for (const char* line :
       {"", "x", R"("a)", "[1", R"({"a":1})", R"({"a":1}{"b")", R"({"a":1} x)"}) {
    EXPECT_FALSE(is_cut_off_object(line)) << line;
  }
}

TEST(JsonStringTest, EscapesWhatJsonDemands) {
  std::string json;
  append_json_string(std::string("a\"b\\c\nd\te\r\x01é\0", 14), &json);
  EXPECT_EQ(json, "\"a\\\"b\\\\c\\nd\\te\\r\\u0001é\\u0000\"");
}

}  // namespace
}  // namespace headrace::read
