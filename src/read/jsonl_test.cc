// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <zstd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "io/file.h"
#include "io/test_compress.h"
#include "io/test_folder.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using io::gzip;

using testing::ElementsAre;
using testing::IsEmpty;

std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

std::string utf16(std::string_view ascii, bool big) {
  std::string out;
  for (const char c : ascii) {
    out += big ? '\0' : c;
    out += big ? c : '\0';
  }
  return out;
}

class JsonlTest : public testing::Test {
 protected:
  Seen read(std::string_view bytes, const ReadOptions& options = {},
            std::uint64_t target_bytes = 1 << 20, const char* name = "x.jsonl") {
    Seen seen = read_all("jsonl", folder_.put(name, bytes), options, &decoders_, target_bytes);
    return seen;
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(JsonlTest, OnlyNewlinesEndARecord) {  // case B001
  const Seen seen = read(
      "{\"id\": \"a\", \"text\": \"one\u2028two\"}\n{\"id\": \"b\", \"text\": \"x\u2029y\"}\n"
      "{\"id\": \"c\", \"text\": \"m\u0085n\"}\n{\"id\": \"d\", \"text\": \"vt\\u000bff\\fend\"}\n"
      "{\"id\": \"e\", \"text\": \"plain\"}\n");
  EXPECT_THAT(seen.sink.texts(),
              ElementsAre("one\u2028two", "x\u2029y", "m\u0085n", "vt\vff\fend", "plain"));
  EXPECT_THAT(seen.sink.rejections, IsEmpty());
  EXPECT_THAT(seen.note_kinds(), IsEmpty());
}

TEST_F(JsonlTest, BlankLinesCarriageReturnsAndTwoObjects) {  // case B002
  const std::string bytes =
      "{\"id\":\"a\",\"text\":\"first\"}\r\n\r\n  \t \n{\"id\":\"b\",\"text\":\"second\"}\n"
      "{\"id\":\"c\",\"text\":\"third\"}{\"id\":\"d\",\"text\":\"fourth\"}\n"
      "{\"id\":\"e\",\"text\":\"last, no newline after it\"}";
  const Seen seen = read(bytes);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("first", "second", "last, no newline after it"));
  EXPECT_EQ(seen.counts.lines, 6u);
  EXPECT_EQ(seen.counts.blank_lines, 2u);
  EXPECT_EQ(seen.counts.bytes, bytes.size());
  ASSERT_EQ(seen.sink.rejections.size(), 1u);
  const SeenRejection& two = seen.sink.rejections[0];
  EXPECT_EQ(two.kind, Rejection::kQuarantine);
  EXPECT_EQ(two.reason, "not_json");
  EXPECT_EQ(two.detail, "more than one value on the line, at byte 25 of the line");
  EXPECT_EQ(two.line, 5u);
  EXPECT_EQ(two.offset, 61u);
  EXPECT_EQ(two.bytes, R"({"id":"c","text":"third"}{"id":"d","text":"fourth"})");
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 0).value);
  EXPECT_EQ(seen.sink.documents[1].id, DocumentId::make(3, 34).value);
  EXPECT_EQ(seen.sink.documents[1].line, 4u);
  EXPECT_EQ(seen.sink.documents[1].meta, R"({"id":"b"})");
}

TEST_F(JsonlTest, OtherFieldsStayAsTheyAre) {
  // Numbers no machine type holds, what looks like dates, a field of another type in each record.
  const std::string metas[] = {
      R"({"a":{"b":{"n":12345678901234567890}},"x":1,"when":"2024-01-02"})",
      R"({"a":{"b":{"n":-98765432109876543210.5e3}},"x":"1","when":20240102})",
      R"({"a":{"b":{"n":1.0}},"x":[{"y":null}],"when":"2024-01-02T03:04:05Z","new":true})",
      R"({"a":{"b":{"n":0.10}},"x":{},"when":null})"};
  std::string bytes;
  for (const std::string& meta : metas) {
    std::string line = meta;
    line.insert(line.find("\"n\""), R"("text":"第一",)");
    bytes += line + "\n";
  }
  const Seen seen = read(bytes, {.text_field = "a.b.text"});
  ASSERT_EQ(seen.sink.documents.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(seen.sink.documents[i].text, "第一");
    EXPECT_EQ(seen.sink.documents[i].meta, metas[i]);
  }
}

TEST_F(JsonlTest, CutOffLastRecord) {  // case B003
  const std::string whole = "{\"text\":\"one\"}\n{\"text\":\"第二行\"}\n";
  for (const char* half :
       {"{\"text\":\"thr", "{\"text\":\"thr\xE4\xB8", "{\"text\":\"three\"", "{\"text\"", "{"}) {
    const Seen seen = read(whole + half);
    EXPECT_THAT(seen.sink.texts(), ElementsAre("one", "第二行")) << half;
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("truncated")) << half;
    EXPECT_EQ(seen.sink.rejections[0].offset, whole.size());
    EXPECT_EQ(seen.sink.rejections[0].bytes, half);
    EXPECT_THAT(seen.note_kinds(), ElementsAre("truncated")) << half;
  }
  // A last line that is no front of an object is something else.
  EXPECT_THAT(read(whole + "oops").sink.reasons(), ElementsAre("not_json"));
  EXPECT_THAT(read(whole + "oops").note_kinds(), IsEmpty());
  EXPECT_THAT(read(whole + "{\"text\":\"a\xFF!\"}").sink.reasons(), ElementsAre("invalid_utf8"));
}

TEST_F(JsonlTest, CutOffArchive) {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "{\"text\":\"" + std::to_string(i * 7919) + std::to_string(i) + "\"}\n";
  }
  for (const std::string& packed :
       {gzip(text), zstd(text.substr(0, 4000)) + zstd(text.substr(4000))}) {
    for (std::size_t cut = packed.size() * 6 / 10; cut < packed.size(); cut += 97) {
      const Seen seen = read(packed.substr(0, cut));
      EXPECT_THAT(seen.note_kinds(), ElementsAre("truncated"));
      EXPECT_NE(seen.counts.notes[0].detail.find("offset " + std::to_string(cut)),
                std::string::npos)
          << seen.counts.notes[0].detail;
      ASSERT_LE(seen.sink.rejections.size(), 1u);
      const std::uint64_t end =
          seen.sink.rejections.empty() ? seen.counts.bytes : seen.sink.rejections[0].offset;
      if (!seen.sink.rejections.empty()) {
        EXPECT_EQ(seen.sink.rejections[0].reason, "truncated");
      }
      EXPECT_EQ(seen.sink.documents.size(),
                static_cast<std::size_t>(std::count(text.begin(), text.begin() + end, '\n')));
    }
  }
}

TEST_F(JsonlTest, GarbageBehindAnArchive) {  // case B005
  const std::string text = "{\"text\":\"one\"}\n{\"text\":\"two\"}";
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    const Seen seen = read(packed + "xyz");
    EXPECT_THAT(seen.sink.texts(), ElementsAre("one", "two"));
    EXPECT_THAT(seen.note_kinds(), ElementsAre("trailing_garbage"));
  }
}

TEST_F(JsonlTest, InvalidUtf8IsQuarantinedLineByLine) {  // case B004
  decoders_.evidence = {"gb18030", 1.0, "a detector that is wrong", {}};
  const std::string lines[] = {"{\"id\": \"g1\", \"text\": \"第一行\"}\n",
                               "{\"id\": \"g2\", \"text\": \"second\"}\n",
                               "{\"id\":\"x3\",\"text\":\"bad \xE6 byte\"}\n",
                               "{\"id\": \"g4\", \"text\": \"第四行 😀\"}\n",
                               "{\"id\":\"x5\",\"text\":\"surrogate as bytes \xED\xA0\x80\"}\n",
                               "{\"id\":\"x6\",\"text\":\"cut \xF0\x9F\x98\"}\n",
                               "{\"id\":\"x7\",\"text\":\"overlong \xC0\xAF\"}\n",
                               "{\"id\": \"g8\", \"text\": \"\uFFFDkept\"}\n"};
  std::string bytes;
  for (const std::string& line : lines) bytes += line;
  const Seen seen = read(bytes);
  EXPECT_EQ(seen.counts.encoding, "utf-8");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("第一行", "second", "第四行 😀", "\uFFFDkept"));
  EXPECT_THAT(seen.sink.reasons(),
              ElementsAre("invalid_utf8", "invalid_utf8", "invalid_utf8", "invalid_utf8"));
  EXPECT_EQ(seen.sink.rejections[0].line, 3u);
  EXPECT_EQ(seen.sink.rejections[0].detail,
            "byte 0xE6 at offset " + std::to_string(bytes.find('\xE6', 60)) + " is not UTF-8");
  EXPECT_EQ(seen.sink.rejections[0].bytes + "\n", lines[2]);
}

TEST_F(JsonlTest, EmptyFiles) {  // case B007
  EXPECT_THAT(read("").note_kinds(), ElementsAre("valid_empty"));
  EXPECT_THAT(read(gzip(""), {}, 1, "e.jsonl.gz").note_kinds(), ElementsAre("valid_empty"));
  EXPECT_THAT(read(zstd(""), {}, 1, "e.jsonl.zst").note_kinds(), ElementsAre("valid_empty"));
  EXPECT_THAT(read("", {}, 1, "z.jsonl.gz").note_kinds(), ElementsAre("empty_file"));
  EXPECT_THAT(read("", {}, 1, "z.jsonl.zst").note_kinds(), ElementsAre("empty_file"));
  EXPECT_THAT(read("\n").note_kinds(), IsEmpty());
}

TEST_F(JsonlTest, RecordLongerThanTheBlockAndThanTheLimit) {  // case B008
  const std::string big(3 << 20, 'x');
  const std::string bytes = "{\"id\":\"s1\",\"text\":\"a\"}\n{\"id\":\"big\",\"text\":\"" + big +
                            "\"}\n{\"id\":\"s2\",\"text\":\"b\"}\n";
  for (const std::uint64_t target : {1 << 16, 1 << 20, 1 << 30}) {
    EXPECT_THAT(read(bytes, {}, target).sink.texts(), ElementsAre("a", big, "b"));
    const Seen limited = read(bytes, {.max_record_bytes = 1 << 20}, target);
    EXPECT_THAT(limited.sink.texts(), ElementsAre("a", "b"));
    ASSERT_EQ(limited.sink.rejections.size(), 1u);
    EXPECT_EQ(limited.sink.rejections[0].kind, Rejection::kDrop);
    EXPECT_EQ(limited.sink.rejections[0].reason, "record_too_long");
    EXPECT_EQ(limited.sink.rejections[0].line, 2u);
    EXPECT_EQ(limited.sink.rejections[0].offset, 23u);
    EXPECT_EQ(limited.counts.lines, 3u);
    EXPECT_EQ(limited.counts.bytes, bytes.size());
    EXPECT_EQ(limited.sink.documents[1].line, 3u);
  }
  EXPECT_THAT(read(gzip(bytes), {.max_record_bytes = 1 << 20}).sink.texts(), ElementsAre("a", "b"));
}

TEST_F(JsonlTest, MixedTypesAndExtraFields) {  // cases B009 and B010
  const Seen seen =
      read(R"({"id":"r1","text":"t1","ner":[[0,4,"Bio"]]})"
           "\n"
           R"({"id":"r2","text":"t2","ner":[[15,16,"Protein"],7]})"
           "\n"
           R"({"id":"r3","text":"t3","ner":null})"
           "\n"
           R"({"id":4,"text":"t4"})"
           "\n"
           R"({"id":"r5","text":"t5","symlink_target":"../x","meta":{"a":{"b":[1,"2",null]}}})"
           "\n"
           R"({"id":"r6","text":123})"
           "\n"
           R"({"id":"r7"})"
           "\n"
           R"({"id":"r8","text":null})"
           "\n"
           R"({"id":"r9","text":["a","b"]})"
           "\n"
           R"(["not","an","object"])"
           "\n");
  std::vector<std::string> metas;
  for (const SeenDocument& document : seen.sink.documents) metas.push_back(document.meta);
  EXPECT_THAT(
      metas, ElementsAre(R"({"id":"r1","ner":[[0,4,"Bio"]]})",
                         R"({"id":"r2","ner":[[15,16,"Protein"],7]})", R"({"id":"r3","ner":null})",
                         R"({"id":4})",
                         R"({"id":"r5","symlink_target":"../x","meta":{"a":{"b":[1,"2",null]}}})"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("text_not_string", "text_missing", "text_null",
                                               "text_not_string", "not_an_object"));
  for (std::size_t i = 0; i < seen.sink.rejections.size(); ++i) {
    EXPECT_EQ(seen.sink.rejections[i].kind, Rejection::kDrop);
    EXPECT_EQ(seen.sink.rejections[i].line, 6 + i);
  }
}

TEST_F(JsonlTest, UnpairedSurrogates) {  // case B012
  const Seen seen = read(R"({"id":"p1","text":"ok \ud83d\ude00 pair"})"
                         "\n"
                         R"({"id":"x2","text":"lone high \ud800 end"})"
                         "\n"
                         R"({"id":"p5","text":"nul \u0000 inside"})"
                         "\n");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("ok 😀 pair", std::string("nul \0 inside", 12)));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("unpaired_surrogate"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
  EXPECT_EQ(seen.sink.rejections[0].line, 2u);
}

TEST_F(JsonlTest, OtherEncodings) {  // case B013
  const std::string bytes =
      "{\"id\": \"k1\", \"text\": \"\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4\x81\x5C\"}\n"
      "{\"id\": \"k2\", \"text\": \"\x95\x34\xB2\x35 \xA2\xE3uro\"}\n"
      "{\"id\": \"k3\", \"text\": \"plain ascii\"}\n";
  const auto expected = ElementsAre("数据清洗乗", "𠮷 €uro", "plain ascii");
  EXPECT_THAT(read(bytes, {.encoding = "gb18030"}).sink.texts(), expected);
  EXPECT_EQ(read(bytes, {.encoding = "gb18030"}).counts.encoding, "gb18030");

  decoders_.evidence = {"gb18030", 0.95, "detected", {}};
  for (const std::uint64_t target : {30, 1000}) {
    const Seen detected = read(bytes, {}, target);
    EXPECT_THAT(detected.sink.texts(), expected);
    EXPECT_THAT(detected.note_kinds(), ElementsAre("detected_encoding"));
  }
  decoders_.evidence = {"gb18030", 0.5, "detected", {"gb18030", "euc-jp"}};
  const Seen unsure = read(bytes);
  EXPECT_THAT(unsure.sink.texts(), ElementsAre("plain ascii"));
  EXPECT_THAT(unsure.sink.reasons(), ElementsAre("undetermined_encoding", "undetermined_encoding"));
  EXPECT_EQ(unsure.sink.rejections[1].offset, bytes.find("{\"id\": \"k2"));
  EXPECT_THAT(unsure.note_kinds(), ElementsAre("undetermined_encoding"));

  const Seen wrong = read("{\"text\":\"\xFF\xFF\"}\n", {.encoding = "gb18030"});
  EXPECT_THAT(wrong.sink.reasons(), ElementsAre("undecodable"));
}

TEST_F(JsonlTest, Utf16IsCutAtItsOwnNewlines) {
  // U+0A7D and U+7D0A hold the byte of a newline without being one.
  for (const bool big : {false, true}) {
    const std::string tricky =
        big ? std::string("\x0A\x7D\x7D\x0A", 4) : std::string("\x7D\x0A\x0A\x7D", 4);
    const std::string bytes = (big ? "\xFE\xFF" : "\xFF\xFE") + utf16("{\"text\":\"", big) +
                              tricky + utf16("\"}\n\n{\"text\":\"b\"}\r\n{\"text\":\"c\"}", big);
    decoders_.evidence = {big ? "utf-16be" : "utf-16le", 1.0, "byte order mark", {}};
    const Seen seen = read(bytes, {}, 8);
    EXPECT_EQ(seen.splits, 1u);
    EXPECT_THAT(seen.sink.texts(), ElementsAre("\u0A7D\u7D0A", "b", "c"));
    EXPECT_EQ(seen.counts.lines, 4u);
    EXPECT_EQ(seen.counts.blank_lines, 1u);
    EXPECT_EQ(seen.counts.bytes, bytes.size());
    EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 2).value);
  }
}

TEST_F(JsonlTest, Utf16AcrossBlocks) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "{\"text\":\"" + std::string(i % 37, 'x') + "\"}\n";
  for (const bool big : {false, true}) {
    decoders_.evidence = {big ? "utf-16be" : "utf-16le", 1.0, "detected", {}};
    const Seen seen = read(utf16(text, big));
    EXPECT_EQ(seen.sink.documents.size(), 30000u);
    EXPECT_THAT(seen.sink.rejections, IsEmpty());
    EXPECT_EQ(seen.counts.bytes, 2 * text.size());
  }
}

TEST_F(JsonlTest, ByteOrderMarkIsSkipped) {
  const Seen seen = read("\xEF\xBB\xBF{\"text\":\"a\"}\n{\"text\":\"b\"}\n", {}, 5);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("a", "b"));
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 3).value);
  EXPECT_EQ(seen.counts.bytes, 29u);
}

// A file with every kind of line, long and short, good and bad.
std::string mixed_file(std::uint64_t seed) {
  const CounterRng rng(seed, purpose("mixed file"));
  const std::string kKinds[] = {"{\"text\":\"中文\",\"n\":1}",
                                "{\"text\":\"a\\nb\"}\r",
                                "",
                                " \t",
                                "not json",
                                "{\"text\":\"bad \xE6\"}",
                                "{\"text\":null}",
                                "{\"text\":\"\\ud800\"}",
                                "{\"text\":\"open",
                                "{}{}"};
  std::string bytes = "{\"text\":\"第一行文字\"}\n";
  for (std::uint64_t i = 0; i < 200; ++i) {
    if (rng.below(3 * i, 4) == 0) {
      bytes += "{\"text\":\"" + std::string(rng.below(3 * i + 1, 300), 'y') + "\"}";
    } else {
      bytes += kKinds[rng.below(3 * i + 2, std::size(kKinds))];
    }
    if (i + 1 < 200 || seed % 2 == 0) bytes += '\n';
  }
  return bytes;
}

TEST_F(JsonlTest, AnySplitSizeGivesTheSame) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::string bytes = mixed_file(seed);
    const ReadOptions options{.max_record_bytes = 250};
    const Seen whole = read(bytes, options);
    ASSERT_EQ(whole.splits, 1u);
    ASSERT_GT(whole.sink.documents.size(), 40u);
    ASSERT_GT(whole.sink.rejections.size(), 40u);
    EXPECT_EQ(whole.counts.lines, 201u);
    EXPECT_EQ(whole.sink.documents.size() + whole.sink.rejections.size() + whole.counts.blank_lines,
              whole.counts.lines);
    for (std::uint64_t target = 1; target < 700; target += target < 16 ? 5 : 29) {
      const Seen cut = read(bytes, options, target);
      ASSERT_EQ(cut.splits, (bytes.size() + target - 1) / target);
      ASSERT_EQ(cut.sink.documents, whole.sink.documents) << "split at " << target;
      ASSERT_EQ(cut.sink.rejections, whole.sink.rejections) << "split at " << target;
      ASSERT_EQ(cut.counts.lines, whole.counts.lines);
      ASSERT_EQ(cut.counts.blank_lines, whole.counts.blank_lines);
      ASSERT_EQ(cut.counts.bytes, bytes.size());
    }
  }
}

TEST_F(JsonlTest, ArchivesAndManyBlocksGiveTheSame) {
  std::string bytes;
  for (std::uint64_t seed = 10; seed < 30; seed += 2) bytes += mixed_file(seed);
  while (bytes.size() < (std::size_t{3} << 20)) bytes += bytes;
  const Seen plain = read(bytes, {}, 1 << 30);
  const Seen cut = read(bytes, {}, 100000);
  EXPECT_GT(cut.splits, 30u);
  EXPECT_TRUE(cut.sink.documents == plain.sink.documents);
  EXPECT_TRUE(cut.sink.rejections == plain.sink.rejections);
  for (const std::string& packed :
       {gzip(bytes), zstd(bytes), gzip(bytes.substr(0, 999)) + gzip(bytes.substr(999))}) {
    const Seen seen = read(packed, {}, 1000);
    EXPECT_EQ(seen.splits, 1u);
    EXPECT_TRUE(seen.sink.documents == plain.sink.documents);
    EXPECT_TRUE(seen.sink.rejections == plain.sink.rejections);
    EXPECT_EQ(seen.counts.bytes, bytes.size());
  }
}

TEST_F(JsonlTest, ErrorsOfTheSinkAndAStopEndTheReading) {
  class FullSink final : public RecordSink {
   public:
    Result<void> document(Document&) override { return resource_exhausted("full"); }
    Result<void> rejected(const RejectedRecord&) override { return {}; }
  };
  const std::string path = folder_.put("x.jsonl", "{\"text\":\"a\"}\n");
  const auto reader = registry().find("jsonl")->make({}, decoders_).value();
  const Split split = reader->split(path, 0, 100).value()[0];
  FullSink full;
  EXPECT_EQ(reader->read(split, full, {}).error().code(), Code::kResourceExhausted);
  std::stop_source stop;
  stop.request_stop();
  TestSink sink;
  EXPECT_EQ(reader->read(split, sink, stop.get_token()).error().code(), Code::kCancelled);
  EXPECT_EQ(reader->split(folder_ / "missing", 0, 100).error().code(), Code::kNotFound);
  EXPECT_EQ(reader->split(folder_.path(), 0, 100).error().code(), Code::kInvalidArgument);
}

TEST_F(JsonlTest, BadOptionsAreToldBeforeReading) {
  const ReaderInfo& info = *registry().find("jsonl");
  for (const ReadOptions& options :
       {ReadOptions{.text_field = ""}, ReadOptions{.text_field = "a..b"},
        ReadOptions{.keep = {"x."}, .keep_all = false}, ReadOptions{.encoding = "klingon"},
        ReadOptions{.max_record_bytes = 0}}) {
    EXPECT_EQ(info.make(options, decoders_).error().code(), Code::kInvalidArgument);
  }
}

TEST(RegistryTest, FormatsByExtension) {
  for (const char* path : {"a.jsonl", "a.jsonl.gz", "A.JSONL.ZST", "x/y.ndjson", "a.json.gz"}) {
    ASSERT_NE(registry().for_path(path), nullptr) << path;
    EXPECT_EQ(registry().for_path(path)->name, "jsonl") << path;
  }
  EXPECT_EQ(registry().for_path("a.gz"), nullptr);
  EXPECT_EQ(registry().for_path("jsonl"), nullptr);
  EXPECT_EQ(registry().find("xml"), nullptr);
}

}  // namespace
}  // namespace headrace::read
