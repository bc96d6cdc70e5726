// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_folder.h"
#include "read/internal/archive_test_support.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class HtmlTest : public testing::Test {
 protected:
  Seen read(std::string_view bytes, std::string_view name = "x.html",
            const ReadOptions& options = {}) {
    return read_all("html", folder_.put(name, bytes), options, &decoders_, 1);
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(HtmlTest, OneFileIsOnePage) {
  const Seen seen = read("\xEF\xBB\xBF<html>\r\n第一 <p>x</html>\n\n");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("<html>\r\n第一 <p>x</html>\n\n"));
  EXPECT_EQ(seen.splits, 1u);
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 0).value);
  EXPECT_EQ(seen.sink.documents[0].meta, "");
  EXPECT_EQ(seen.counts.encoding, "utf-8");
  EXPECT_EQ(read(gzip("<p>z"), "x.htm.gz").sink.texts(), std::vector<std::string>{"<p>z"});
}

TEST_F(HtmlTest, MarkupIsTold) {
  // The decoders are asked with the hint that pages declare their encoding themselves.
  class AskedDecoders final : public DecoderFactory {
   public:
    Result<std::shared_ptr<const TextDecoder>> declared(std::string_view) const override {
      return std::make_shared<TestDoubleByteDecoder>();
    }
    EncodingEvidence detect(std::string_view, const EncodingHints& hints) const override {
      EXPECT_TRUE(hints.markup);
      EXPECT_TRUE(hints.whole);
      return {"gb18030", 1, "declared", {}, "gbk"};
    }
  };
  const AskedDecoders decoders;
  const Seen seen =
      read_all("html", folder_.put("x.html", "<meta charset=gbk>\xCA\xFD\xBE\xDD"), {}, &decoders);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("<meta charset=gbk>数据"));
  EXPECT_EQ(seen.counts.encoding, "gb18030");
}

TEST_F(HtmlTest, WhatIsNoPage) {
  decoders_.evidence = {"gb18030", 0.5, "detected", {"gb18030"}, ""};
  const Seen unknown = read("<p>\xC4\xA3\xCA\xBD\xFF\xFE\xFD\xFC");
  EXPECT_THAT(unknown.sink.reasons(), ElementsAre("undetermined_encoding"));
  EXPECT_EQ(unknown.sink.rejections[0].kind, Rejection::kQuarantine);
  const Seen too_long = read("<p>123456789", "x.html", {.max_record_bytes = 5});
  EXPECT_THAT(too_long.sink.reasons(), ElementsAre("record_too_long"));
  EXPECT_EQ(too_long.sink.rejections[0].kind, Rejection::kDrop);
  const std::string zipped = gzip("<p>a page that is cut off");
  const Seen cut = read(zipped.substr(0, zipped.size() - 10), "x.html.gz");
  EXPECT_THAT(cut.sink.reasons(), ElementsAre("truncated"));
  EXPECT_THAT(cut.note_kinds(), ElementsAre("truncated"));
  EXPECT_THAT(read("").sink.documents, IsEmpty());
  EXPECT_THAT(read("").note_kinds(), ElementsAre("valid_empty"));
}

TEST_F(HtmlTest, Extensions) {
  for (const char* path : {"a.html", "a.HTM.gz", "b.xhtml"}) {
    ASSERT_NE(registry().for_path(path), nullptr) << path;
    EXPECT_EQ(registry().for_path(path)->name, "html");
  }
}

}  // namespace
}  // namespace headrace::read
