// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "io/test_folder.h"
#include "read/internal/archive_test_support.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WarcTest : public testing::Test {
 protected:
  Seen read(const std::string& bytes, std::string_view name = "x.warc",
            const ReadOptions& options = {}, std::uint64_t target = 1 << 30) {
    return read_all("warc", folder_.put(name, bytes), options, &decoders_, target);
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(WarcTest, PageAndItsMeta) {
  const std::string page = warc_record("response", http("<html>第一</html>"),
                                       {{"WARC-Target-URI", "<http://a.cn/?q=\"x\">"},
                                        {"WARC-Date", "2024-05-18T01:58:10Z"},
                                        {"WARC-Record-ID", "<urn:uuid:1>"},
                                        {"WARC-IP-Address", "1.2.3.4"},
                                        {"WARC-Identified-Payload-Type", "application/xhtml+xml"},
                                        {"Content-Type", "application/http; msgtype=response"}});
  const Seen seen = read(warc_record("warcinfo", "software: x\r\n") + page);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("<html>第一</html>"));
  ASSERT_EQ(seen.sink.documents.size(), 1u);
  EXPECT_EQ(
      seen.sink.documents[0].meta,
      R"({"url":"http://a.cn/?q=\"x\"","date":"2024-05-18T01:58:10Z",)"
      R"("warc_record_id":"<urn:uuid:1>","warc_type":"response",)"
      R"("content_type":"text/html; charset=utf-8","identified_type":"application/xhtml+xml",)"
      R"("charset":"utf-8","encoding":"utf-8","status":200,"ip":"1.2.3.4"})");
  const std::size_t offset = warc_record("warcinfo", "software: x\r\n").size();
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, offset).value);
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("warc_metadata"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kDrop);
  EXPECT_THAT(seen.note_kinds(), IsEmpty());

  const Seen some = read(page, "x.warc", {.keep = {"url", "status"}, .keep_all = false});
  EXPECT_EQ(some.sink.documents[0].meta, R"({"url":"http://a.cn/?q=\"x\"","status":200})");
}

TEST_F(WarcTest, WhichRecordsAreDocuments) {
  struct Case {
    std::string record;
    const char* reason;  // "": a document
  };
  const auto web = [](std::string_view type, std::string_view content) {
    return warc_record(type, "text", {{"WARC-Target-URI", "http://a/"}, {"Content-Type", content}});
  };
  const auto response = [](const std::string& block) {
    return warc_record("response", block, {{"WARC-Target-URI", "http://a/"}});
  };
  const Case cases[] = {
      {web("conversion", "text/plain"), ""},
      {web("resource", "text/html"), ""},
      {web("resource", "image/png"), "not_text"},
      {warc_record("resource", "log",
                   {{"WARC-Target-URI", "urn:X-wpull:log"}, {"Content-Type", "text/plain"}}),
       "warc_metadata"},
      {web("request", "application/http"), "warc_metadata"},
      {web("metadata", "application/warc-fields"), "warc_metadata"},
      {web("revisit", "application/http"), "revisit"},
      {web("response", "text/dns"), "warc_metadata"},
      {web("", "text/html"), "warc_metadata"},
      {response(http("a", "Content-Type: application/pdf\r\n")), "not_text"},
      {response(http("a", "Content-Type: text/plain\r\n")), ""},
      {response(http("\n <!DOCTYPE html><p>", "")), ""},
      {response(http("\x89PNG", "")), "not_text"},
      {response(http("", "Content-Type: text/html\r\n")), "no_payload"},
      {response(http("a", "Content-Type: text/html\r\n", "HTTP/1.1 404 Not Found")), "http_status"},
      {response(http("a", "Content-Type: text/html\r\n", "HTTP/1.0 301")), "http_status"},
      {response("HTTP/1.1 200 \nContent-Type: text/html\n\n<p>"), ""},
      {response("Content-Type: text/html\r\n\r\n<p>"), ""},
      {response("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n<html>no empty line</html>"), ""},
      {response("<html>no head</html>"), ""},
      {response(http("a", "Content-Type: text/html\r\nContent-Encoding: compress\r\n")),
       "bad_content_encoding"},
      {response(http("a", "Content-Type: text/html\r\nContent-Encoding: utf-8\r\n")), ""},
  };
  std::string all;
  for (const Case& one : cases) {
    const Seen seen = read(one.record);
    EXPECT_EQ(seen.sink.documents.size() + seen.sink.rejections.size(), 1u) << one.record;
    if (one.reason[0] == '\0') {
      EXPECT_EQ(seen.sink.documents.size(), 1u) << one.record << seen.sink.rejections[0].reason;
    } else {
      EXPECT_THAT(seen.sink.reasons(), ElementsAre(one.reason)) << one.record;
    }
    all += one.record;
  }
  const Seen together = read(all);
  EXPECT_EQ(together.sink.documents.size() + together.sink.rejections.size(), std::size(cases));
  EXPECT_EQ(together.counts.bytes, all.size());
}

TEST_F(WarcTest, MarkupGoesByTheType) {
  class MarkupSink final : public RecordSink {
   public:
    Result<void> document(Document& document) override {
      seen.push_back(document.markup);
      return {};
    }
    Result<void> rejected(const RejectedRecord&) override { return {}; }
    std::vector<Markup> seen;
  };
  const auto reader = registry().find("wet")->make({}, decoders_).value();
  const std::string path = folder_.put(
      "x.wet", warc_page("http://a/", "<p>") +
                   warc_record("conversion", "1 < 2", {{"Content-Type", "text/plain"}}));
  MarkupSink sink;
  ASSERT_TRUE(reader->read(reader->split(path, 0, 1 << 20)->at(0), sink, {}));
  EXPECT_THAT(sink.seen, ElementsAre(Markup::kHtml, Markup::kPlain));
}

TEST_F(WarcTest, PayloadIsFreedOfItsCodings) {
  const auto page = [&](std::string_view headers, std::string_view body) {
    return read(warc_record("response",
                            http(body, fmt::format("Content-Type: text/html\r\n{}\r\n", headers)),
                            {{"WARC-Target-URI", "http://a/"}}));
  };
  const std::string text = "<html>a page</html>";
  const std::string zipped = gzip(text);
  EXPECT_THAT(page("Content-Encoding: gzip", zipped).sink.texts(), ElementsAre(text));
  EXPECT_THAT(page("content-encoding: GZIP", text).sink.texts(), ElementsAre(text));
  EXPECT_THAT(page("X-Crawler-Content-Encoding: gzip", text).sink.texts(), ElementsAre(text));
  EXPECT_THAT(
      page("Transfer-Encoding: chunked", "7;x=1\r\n<html>a\r\n00C\r\n page</html>\r\n0\r\n\r\n")
          .sink.texts(),
      ElementsAre(text));
  EXPECT_THAT(page("Transfer-Encoding: chunked", text).sink.texts(), ElementsAre(text));
  EXPECT_THAT(page("Transfer-Encoding: Chunked\r\nContent-Encoding: gzip",
                   fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", zipped.size(), zipped))
                  .sink.texts(),
              ElementsAre(text));
  // What is no chunk is taken as it is.
  EXPECT_THAT(page("Transfer-Encoding: chunked", "2\r\nab\r\nrest").sink.texts(),
              ElementsAre("abrest"));
  EXPECT_THAT(page("Content-Encoding: gzip", zipped.substr(0, zipped.size() - 9)).sink.reasons(),
              ElementsAre("bad_content_encoding"));
}

TEST_F(WarcTest, EncodingsOfPages) {
  const auto page = [&](std::string_view body, std::string_view truncated = "") {
    std::string record =
        warc_record("response", http(body, "Content-Type: text/html; charset=\"GB2312\"\r\n"),
                    {{"WARC-Target-URI", "http://a/"}, {"WARC-Truncated", truncated}});
    return read(record);
  };
  decoders_.evidence = {"gb18030", 0.99, "declared", {}, "GB2312"};
  const Seen gbk = page("<p>\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4");
  EXPECT_THAT(gbk.sink.texts(), ElementsAre("<p>数据清洗"));
  EXPECT_THAT(gbk.sink.documents[0].meta, HasSubstr(R"("charset":"GB2312","encoding":"gb18030")"));
  EXPECT_THAT(page("<p>\xCA\xFD\xBE\xDD\xFF").sink.reasons(), ElementsAre("undecodable"));
  // Half a character where the crawler cut the page off is no damage.
  EXPECT_THAT(page("<p>\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4\xC4", "length").sink.texts(),
              ElementsAre("<p>数据清洗"));
  EXPECT_THAT(page("<p>\xE6\xA8\xA1\xE5\xBC\x8F\xE6\xA8", "length").sink.texts(),
              ElementsAre("<p>模式"));
  EXPECT_THAT(page("\xEF\xBB\xBF<p>模式").sink.texts(), ElementsAre("<p>模式"));
}

TEST_F(WarcTest, OddHeads) {
  // Line ends of LF alone, a folded value, fields in any case, empty lines between records.
  const std::string bytes =
      "\n\nWARC/0.18\nwarc-type: conversion\nContent-Type:\n text/plain\nCONTENT-LENGTH: 5\n\nfirst"
      "\n\n\n\nWARC/1.1\r\r\nWARC-Type: conversion\r\r\nContent-Type: text/plain\r\r\n"
      "Content-Length: 6\r\r\n\r\r\nsecond\r\n\r\n"
      "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: 16\r\n\r\n"
      "WARC/1.0\nno head\r\n\r\n"
      "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n"
      "last";
  const Seen seen = read(bytes);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("first", "second", "WARC/1.0\nno head", "last"));
  EXPECT_EQ(seen.counts.bytes, bytes.size());
}

TEST_F(WarcTest, WrongLengthsCostTheirRecordOnly) {
  const std::string good = warc_page("http://a/", "<p>good");
  const std::string bad = warc_page("http://b/", "<p>a bad one, longer than what it says");
  const std::size_t number = bad.find("Content-Length: ") + 16;
  for (const std::string_view length :
       {"10", "2000", "-5", "xy", "", "110", "9223372036854775807", "18446744073709551615"}) {
    std::string wrong = bad;
    wrong.replace(number, bad.find('\r', number) - number, length);
    const Seen seen = read(good + wrong + good + good);
    EXPECT_EQ(seen.sink.documents.size(), 3u) << length;
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("wrong_length")) << length;
    EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
    EXPECT_EQ(seen.sink.rejections[0].offset, good.size());
    EXPECT_EQ(seen.sink.rejections[0].bytes, wrong) << length;
    EXPECT_EQ(seen.counts.bytes, 3 * good.size() + wrong.size());
  }
}

TEST_F(WarcTest, JunkBetweenRecordsIsSetAside) {
  const std::string good = warc_page("http://a/", "<p>good");
  const Seen seen = read("junk\n" + good + good + std::string(300'000, 'x') + "\n" + good);
  EXPECT_EQ(seen.sink.documents.size(), 2u);
  // A length is believed only when a record follows, so the second page goes with the junk.
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("not_warc", "wrong_length"));
  EXPECT_THAT(read("just text\n\nof some kind\n").sink.reasons(), ElementsAre("not_warc"));
  EXPECT_THAT(read("just text").sink.reasons(), ElementsAre("not_warc"));
  EXPECT_THAT(read("").note_kinds(), ElementsAre("valid_empty"));
  EXPECT_THAT(read("", "x.warc.gz").note_kinds(), ElementsAre("empty_file"));
}

TEST_F(WarcTest, CutOffAnywhere) {
  const std::string first = warc_page("http://a/", "<p>first");
  const std::string second = warc_page("http://b/", "<p>second");
  const std::string bytes = first + second;
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const Seen seen = read(bytes.substr(0, size));
    const std::size_t whole = (size + 4 >= first.size()) + (size + 4 >= bytes.size());
    EXPECT_EQ(seen.sink.documents.size(), whole) << size;
    const bool rest = size + 4 < first.size() || (size > first.size() && size + 4 < bytes.size());
    EXPECT_EQ(seen.sink.rejections.size(), rest ? 1u : 0u) << size;
    EXPECT_THAT(seen.sink.reasons(), Each("truncated")) << size;
    EXPECT_EQ(seen.note_kinds().size(), seen.sink.rejections.size()) << size;
  }
}

// Records of noise, so that members are large and cuts fall anywhere.
std::string big_page(int i) {
  const CounterRng rng(9, purpose("page"));
  std::string body = fmt::format("<p>{} ", i);
  for (std::uint64_t j = 0; j < 40; ++j) {
    body += fmt::format("{:x}", rng.at(static_cast<std::uint64_t>(i) * 40 + j));
  }
  return warc_page(fmt::format("http://a/{}", i), body);
}

TEST_F(WarcTest, MembersAreTheFrameOfGzipFiles) {
  const std::string one = gzip(big_page(0));
  const std::string two = gzip(big_page(1) + big_page(2));
  const Seen seen = read(one + gzip("") + two + gzip(big_page(3)), "x.warc.gz");
  ASSERT_EQ(seen.sink.documents.size(), 4u);
  const std::uint64_t second = one.size() + gzip("").size();
  const std::uint64_t places[] = {0, second, second + 1, second + two.size()};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(seen.sink.documents[i].id, DocumentId::make(3, places[i]).value);
  }
  // One member for all, and members that do not go by records.
  std::string all;
  for (int i = 0; i < 50; ++i) all += big_page(i);
  EXPECT_EQ(read(gzip(all), "x.warc.gz").sink.texts(), read(all).sink.texts());
  std::string blocks;
  for (std::size_t i = 0; i < all.size(); i += 777) blocks += gzip(all.substr(i, 777));
  const Seen cut = read(blocks, "x.warc.gz");
  EXPECT_EQ(cut.sink.texts(), read(all).sink.texts());
  EXPECT_THAT(cut.sink.reasons(), IsEmpty());
}

TEST_F(WarcTest, AnySplitGivesTheSame) {
  std::string plain;
  std::string zipped;
  for (int i = 0; i < 60; ++i) {
    const std::string info = warc_record("metadata", "k: v");
    plain += big_page(i) + info;
    zipped += gzip(big_page(i)) + gzip(info);
    if (i == 20) plain += "junk that is no record\n";
    if (i == 40) zipped += "garbage that is no member";
    if (i == 30) {
      std::string damaged = gzip(big_page(1000));
      for (std::size_t k = 100; k < 120; ++k) damaged[k] = static_cast<char>(~damaged[k]);
      zipped += damaged;
    }
  }
  for (const auto& [bytes, name] : {std::pair(plain, "x.warc"), std::pair(zipped, "x.warc.gz")}) {
    const Seen whole = read(bytes, name);
    ASSERT_GE(whole.sink.documents.size(), 59u);
    for (const std::uint64_t target : {1, 300, 1000, 5000, 20000}) {
      const Seen cut = read(bytes, name, {}, target);
      EXPECT_GT(cut.splits, 1u);
      EXPECT_EQ(cut.sink.documents, whole.sink.documents) << name << target;
      EXPECT_EQ(cut.sink.rejections, whole.sink.rejections) << name << target;
      EXPECT_EQ(cut.counts.bytes, whole.counts.bytes) << name << target;
    }
  }
}

TEST_F(WarcTest, ADamagedMemberIsSetAsideAndTheRestRead) {
  std::vector<std::string> members;
  for (int i = 0; i < 5; ++i) members.push_back(gzip(big_page(i)));
  const auto file = [&] { return members[0] + members[1] + members[2] + members[3] + members[4]; };
  const std::string good = file();
  const std::uint64_t place = members[0].size() + members[1].size();
  for (std::size_t at = 0; at < members[2].size(); at += 7) {
    std::string damaged = good;
    damaged[place + at] = static_cast<char>(~damaged[place + at]);
    const Seen seen = read(damaged, "x.warc.gz");
    // Some header bytes do not matter.
    if (seen.sink.documents.size() == 5) continue;
    EXPECT_EQ(seen.sink.documents.size(), 4u) << at;
    EXPECT_EQ(seen.sink.rejections.size(), 1u) << at;
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("corrupt")) << at;
    EXPECT_EQ(seen.sink.rejections[0].offset, place) << at;
    EXPECT_EQ(seen.note_kinds().size(), 1u) << at;
  }
}

TEST_F(WarcTest, DamageThatLeadsToTheEndOfTheFile) {
  // A header that says a name follows: what comes is its name, to the end.
  const std::string good = gzip(big_page(1));
  const std::string bad("\x1f\x8b\x08\x08", 4);
  const Seen seen = read(good + bad + "no end of a name" + good, "x.warc.gz");
  EXPECT_EQ(seen.sink.documents.size(), 2u);
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("corrupt"));
  EXPECT_EQ(seen.sink.rejections[0].offset, good.size());
}

TEST_F(WarcTest, CutOffMember) {
  const std::string first = gzip(big_page(0));
  const std::string second = gzip(big_page(1));
  for (std::size_t size = first.size() + 1; size < first.size() + second.size(); size += 3) {
    const Seen seen = read((first + second).substr(0, size), "x.warc.gz");
    EXPECT_THAT(seen.note_kinds(), ElementsAre("truncated")) << size;
    EXPECT_LE(seen.sink.rejections.size(), 1u) << size;
    EXPECT_GE(seen.sink.documents.size(), 1u) << size;
    EXPECT_THAT(seen.sink.reasons(), Each("truncated")) << size;
  }
}

TEST_F(WarcTest, TooLongRecordsStreamBy) {
  const std::string big = warc_page("http://a/", std::string(3 << 20, 'x'));
  const std::string small = warc_page("http://b/", "<p>small");
  for (const bool zip : {false, true}) {
    const std::string bytes = zip ? gzip(small) + gzip(big) + gzip(small) : small + big + small;
    const Seen seen =
        read(bytes, zip ? "x.warc.gz" : "x.warc", {.max_record_bytes = std::uint64_t{1} << 20});
    EXPECT_THAT(seen.sink.texts(), ElementsAre("<p>small", "<p>small"));
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("record_too_long"));
    EXPECT_LE(seen.sink.rejections[0].bytes.size(), std::size_t{1} << 16);
    EXPECT_EQ(seen.counts.bytes, big.size() + 2 * small.size());
  }
}

// A length over the limit is believed when a record follows it.
TEST_F(WarcTest, WrongLengthsOverTheLimitCostTheirRecordOnly) {
  const std::string good = warc_page("http://a/", "<p>good");
  const std::string bad = warc_page("http://b/", "<p>a bad one");
  const std::size_t number = bad.find("Content-Length: ") + 16;
  const ReadOptions options = {.max_record_bytes = 1000};
  const std::size_t over = 1000 + (1 << 16) + 100;  // the limit, and room for the head of HTTP
  for (const std::string& length : {std::to_string(over), std::string("99999999999")}) {
    std::string wrong = bad;
    wrong.replace(number, bad.find('\r', number) - number, length);
    const std::string bytes =
        good + wrong + good + warc_page("http://c/", std::string(over, 'x')) + good;
    for (const std::uint64_t target : {std::uint64_t{1} << 30, std::uint64_t{1}}) {
      const Seen seen = read(bytes, "x.warc", options, target);
      EXPECT_THAT(seen.sink.texts(), ElementsAre("<p>good", "<p>good", "<p>good")) << length;
      EXPECT_THAT(seen.sink.reasons(), ElementsAre("wrong_length", "record_too_long")) << length;
      EXPECT_EQ(seen.sink.rejections[0].offset, good.size());
      EXPECT_EQ(seen.sink.rejections[0].bytes, wrong);
      EXPECT_THAT(seen.sink.rejections[0].detail,
                  HasSubstr(std::to_string(wrong.size()) + " bytes are set aside"));
      EXPECT_EQ(seen.counts.bytes, bytes.size());
      EXPECT_THAT(seen.note_kinds(), IsEmpty());
    }
    // Inside a gzip member it cannot be read again, and is told.
    const Seen zipped = read(gzip(good + wrong + good) + gzip(good), "x.warc.gz", options);
    EXPECT_THAT(zipped.sink.texts(), ElementsAre("<p>good", "<p>good")) << length;
    EXPECT_THAT(zipped.sink.reasons(), ElementsAre("wrong_length")) << length;
    EXPECT_THAT(zipped.sink.rejections[0].detail, HasSubstr("bytes are set aside"));
  }
}

TEST_F(WarcTest, CutOffOverTheLimit) {
  const std::string good = warc_page("http://a/", "<p>good");
  const std::string big = warc_page("http://c/", std::string(200'000, 'x'));
  const ReadOptions options = {.max_record_bytes = 1000};
  const Seen seen = read(good + big.substr(0, 150'000), "x.warc", options);
  EXPECT_EQ(seen.sink.documents.size(), 1u);
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("truncated"));
  EXPECT_THAT(seen.note_kinds(), ElementsAre("truncated"));
  EXPECT_EQ(seen.counts.bytes, good.size() + 150'000);
}

TEST_F(WarcTest, Arc) {
  const std::string version =
      "1 0 Someone\nURL IP-address Archive-date Content-type Archive-length\n";
  const std::string block = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>第一";
  const std::string bytes =
      fmt::format("filedesc://x.arc 0.0.0.0 20140216050221 text/plain {}\n{}\n", version.size(),
                  version) +
      fmt::format("http://a/?x=one two 1.2.3.4 20140216050221 text/html {}\n{}\n", block.size(),
                  block) +
      fmt::format("http://b/ 1.2.3.4 20140216050222 text/html 200 - - 77 x.arc {}\n{}\n",
                  block.size(), block) +
      "dns:a 1.2.3.4 20140216050222 text/dns 3\nabc\n";
  const Seen seen = read(bytes, "x.arc");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("<p>第一", "<p>第一"));
  ASSERT_EQ(seen.sink.documents.size(), 2u);
  EXPECT_EQ(seen.sink.documents[0].meta,
            R"({"url":"http://a/?x=one two","date":"2014-02-16T05:02:21Z","warc_type":"response",)"
            R"("content_type":"text/html","encoding":"utf-8","status":200,"ip":"1.2.3.4"})");
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("warc_metadata", "warc_metadata"));
  EXPECT_EQ(registry().for_path("a/b.arc.gz")->name, "warc");
  EXPECT_EQ(registry().for_path("CC-MAIN-2024-22.warc.wet.gz")->name, "wet");
}

}  // namespace
}  // namespace headrace::read
