// SPDX-License-Identifier: Apache-2.0
// Web archives of other projects, with the odd cases that their own tests look for: every record
// that those name is there, as a document or under the name of why it is none.
#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::HasSubstr;

class WarcSamplesTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("HEADRACE_DATA");
    if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
    data_ = data;
  }

  Seen read(const std::string& name, std::uint64_t target = 1 << 30) const {
    return read_all("warc", data_ + "/" + name, {}, nullptr, target);
  }

  std::string data_;
};

struct Sample {
  const char* name;
  std::size_t documents;
  std::map<std::string, int> rejected;
};

const Sample kSamples[] = {
    // warcio: test_archiveiterator.py names the types of the records of each.
    {"warcio/example.warc", 1, {{"warc_metadata", 4}, {"revisit", 1}}},
    {"warcio/example.warc.gz", 1, {{"warc_metadata", 4}, {"revisit", 1}}},
    {"warcio/example-iana.org-chunked.warc", 1, {{"warc_metadata", 2}}},
    {"warcio/example-trunc.warc", 0, {{"warc_metadata", 3}, {"wrong_length", 1}}},
    {"warcio/example.arc", 1, {{"warc_metadata", 1}}},
    {"warcio/example.arc.gz", 1, {{"warc_metadata", 1}}},
    {"warcio/example-resource.warc.gz", 1, {{"warc_metadata", 2}}},
    // One member holds all: warcio refuses that, and there is no need to.
    {"warcio/example-bad-non-chunked.warc.gz", 1, {{"warc_metadata", 4}, {"revisit", 1}}},
    {"warcio/example-bad.warc.gz.bad",
     1,
     {{"warc_metadata", 3}, {"revisit", 1}, {"http_status", 1}}},
    {"warcio/bad.arc", 1, {{"wrong_length", 1}, {"no_payload", 2}}},
    {"warcio/example-wrong-chunks.warc.gz", 1, {{"warc_metadata", 1}}},
    {"warcio/example-digest.warc", 0, {{"warc_metadata", 4}}},
    {"warcio/example-space-in-target-uri.warc.gz", 0, {{"warc_metadata", 1}, {"not_text", 1}}},
    {"warcio/example-space-in-url.arc", 0, {{"warc_metadata", 1}, {"truncated", 1}}},
    {"warcio/example-wget-bad-target-uri.warc.gz", 1, {{"warc_metadata", 5}}},
    {"warcio/post-test.warc.gz", 0, {{"warc_metadata", 3}, {"not_text", 3}}},
    // FastWARC: test_warc.py.
    {"resiliparse/block-sized-records.warc", 0, {{"warc_metadata", 3}}},
    {"resiliparse/block-sized-records.warc.gz", 0, {{"warc_metadata", 3}}},
    {"resiliparse/clipped.warc.gz", 0, {{"truncated", 1}}},
    // pywb: 48 responses (16 pages, 4 redirects, the others scripts and pictures), 123 revisits.
    {"pywb/warcs/iana.warc.gz",
     16,
     {{"warc_metadata", 172},
      {"revisit", 123},
      {"http_status", 4},
      {"not_text", 12},
      {"no_payload", 16}}},
    {"pywb/warcs/dupes.warc.gz",
     1,
     {{"warc_metadata", 13}, {"revisit", 9}, {"http_status", 1}, {"no_payload", 1}}},
    {"pywb/warcs/example-extra.warc", 1, {{"warc_metadata", 2}, {"revisit", 2}, {"not_text", 1}}},
    {"pywb/warcs/missing-status-text.warc", 0, {{"http_status", 1}}},
    {"pywb/warcs/example-wpull.warc.gz", 1, {{"warc_metadata", 3}}},
    {"pywb/warcs/example-wget-1-14.warc.gz", 1, {{"warc_metadata", 5}}},
    {"pywb/warcs/httpbin-resource.warc.gz", 0, {{"not_text", 1}}},
    {"whirlwind/whirlwind.warc", 1, {{"warc_metadata", 3}}},
    {"whirlwind/whirlwind.warc.gz", 1, {{"warc_metadata", 3}}},
    {"whirlwind/whirlwind.warc.wet", 1, {{"warc_metadata", 1}}},
    {"whirlwind/whirlwind.warc.wet.gz", 1, {{"warc_metadata", 1}}},
};

TEST_F(WarcSamplesTest, EveryRecordIsThere) {
  for (const Sample& sample : kSamples) {
    const std::string name = std::string("warc-samples/") + sample.name;
    const Seen seen = read(name);
    EXPECT_EQ(seen.sink.documents.size(), sample.documents) << name;
    std::map<std::string, int> rejected;
    for (const std::string& reason : seen.sink.reasons()) ++rejected[reason];
    EXPECT_EQ(rejected, sample.rejected) << name;
    const Seen cut = read(name, 1);
    EXPECT_EQ(cut.sink.documents, seen.sink.documents) << name;
    EXPECT_EQ(cut.sink.rejections, seen.sink.rejections) << name;
  }
}

TEST_F(WarcSamplesTest, PlainAndZippedFilesAgree) {
  for (const std::string name : {"warcio/example.arc", "resiliparse/warcfile.warc",
                                 "whirlwind/whirlwind.warc", "whirlwind/whirlwind.warc.wet"}) {
    const Seen plain = read("warc-samples/" + name);
    const Seen zipped = read("warc-samples/" + name + ".gz");
    EXPECT_EQ(plain.sink.texts(), zipped.sink.texts()) << name;
    EXPECT_EQ(plain.sink.reasons(), zipped.sink.reasons()) << name;
  }
}

TEST_F(WarcSamplesTest, OtherCodecs) {
  for (const std::string name : {"block-sized-records.warc", "warcfile.warc"}) {
    const Seen plain = read("warc-samples/resiliparse/" + name);
    const Seen packed = read("warc-samples/resiliparse/" + name + ".lz4");
    EXPECT_EQ(plain.sink.texts(), packed.sink.texts()) << name;
    EXPECT_EQ(plain.sink.reasons(), packed.sink.reasons()) << name;
  }
}

TEST_F(WarcSamplesTest, MembersArePlaces) {
  const Seen seen = read("warc-samples/resiliparse/block-sized-records.warc.gz");
  ASSERT_EQ(seen.sink.rejections.size(), 3u);
  EXPECT_EQ(seen.sink.rejections[0].offset, 0u);
  EXPECT_EQ(seen.sink.rejections[1].offset, 204u);
  EXPECT_EQ(seen.sink.rejections[2].offset, 409u);
}

TEST_F(WarcSamplesTest, FiftyRecordsSixteenPages) {
  const Seen seen = read("warc-samples/resiliparse/warcfile.warc.gz");
  std::size_t metadata = 0;
  for (const std::string& reason : seen.sink.reasons()) metadata += reason == "warc_metadata";
  EXPECT_EQ(metadata, 34u);
  EXPECT_EQ(seen.sink.documents.size() + seen.sink.rejections.size(), 50u);
}

TEST_F(WarcSamplesTest, EveryPageOfClueWebDecodesOrIsSetAside) {
  // Version 0.18, a Content-Encoding that the bodies do not have, EUC-JP.
  const Seen seen = read("warc-samples/resiliparse/clueweb-quirk.warc.gz");
  EXPECT_EQ(seen.sink.documents.size() + seen.sink.rejections.size(), 30u);
}

// tests/python/test_warc.py of the dolma toolkit.
TEST_F(WarcSamplesTest, DolmaPages) {
  EXPECT_EQ(read("pipeline-dolma-tests/warc/sample-0000.warc.gz").sink.documents.size(), 22u);
  const Seen seen = read("pipeline-dolma-tests/warc/sample-0001.warc.gz");
  ASSERT_EQ(seen.sink.documents.size(), 15u);
  const char* urls[] = {"https://creativecommons.org/",
                        "https://creativecommons.org/mission/",
                        "https://creativecommons.org/2024/",
                        "https://creativecommons.org/2024/",
                        "https://allenai.org/",
                        "https://allenai.org/",
                        "https://prior.allenai.org/",
                        "https://www.semanticscholar.org/about",
                        "https://allenai.org/reviz",
                        "https://allenai.org/",
                        "https://commoncrawl.org/",
                        "https://commoncrawl.org/ccbot",
                        "https://commoncrawl.org/blog/march",
                        "https://commoncrawl.org/blog/host",
                        "https://commoncrawl.org/faq"};
  for (std::size_t i = 0; i < std::size(urls); ++i) {
    EXPECT_THAT(seen.sink.documents[i].meta, HasSubstr(std::string(R"({"url":")") + urls[i]));
    EXPECT_THAT(seen.sink.documents[i].text, HasSubstr("</html>"));
  }
}

}  // namespace
}  // namespace headrace::read
