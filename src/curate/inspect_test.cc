// SPDX-License-Identifier: Apache-2.0
#include "headrace/inspect.h"

#include <gtest/gtest.h>

#include "io/test_folder.h"

namespace headrace {
namespace {

class InspectTest : public testing::Test {
 protected:
  FileEvidence inspect_one(const std::string& path) {
    const FileEvidence file = inspect({path}).at(0);
    EXPECT_FALSE(file.error.has_value()) << path;
    return file;
  }

  io::TestFolder folder_;
};

TEST_F(InspectTest, Utf8LinesOfJson) {
  const std::string text = "{\"text\": \"数据清洗\"}\n";
  const FileEvidence file = inspect_one(folder_.put("a.jsonl", text));
  EXPECT_EQ(file.format, "jsonl");
  EXPECT_EQ(file.encoding, "utf-8");
  EXPECT_EQ(file.confidence, 1);
  EXPECT_FALSE(file.undetermined);
  EXPECT_EQ(file.compression, "none");
  EXPECT_EQ(file.bytes, text.size());
  EXPECT_EQ(file.why, "valid UTF-8");
}

TEST_F(InspectTest, APageThatSaysWhatItIs) {
  const FileEvidence file = inspect_one(folder_.put(
      "page", "<html><meta charset=gb2312><p>\xD0\xC2\xCE\xC5\xB1\xEA\xCC\xE2</p></html>\n"));
  EXPECT_EQ(file.format, "html");
  EXPECT_EQ(file.encoding, "gb18030");
  EXPECT_EQ(file.declared, "gb2312");
}

TEST_F(InspectTest, ShortTextIsUndetermined) {
  const FileEvidence file = inspect_one(folder_.put("b.txt", "\xD0\xC2\xCE\xC5\n"));
  EXPECT_TRUE(file.undetermined);
  EXPECT_LT(file.confidence, 0.9);
  EXPECT_FALSE(file.candidates.empty());
}

TEST_F(InspectTest, WhatCannotBeReadIsNamed) {
  for (const std::string& path : {folder_ / "missing.txt", folder_.path()}) {
    const auto files = inspect({path, folder_.put("a.txt", "plain")});
    ASSERT_TRUE(files.at(0).error.has_value()) << path;
    const std::string& message = files[0].error->message();
    EXPECT_NE(message.find(path), std::string::npos) << message;
    // The others are told all the same.
    EXPECT_FALSE(files.at(1).error.has_value());
    EXPECT_EQ(files[1].encoding, "utf-8");
  }
}

TEST_F(InspectTest, ArchivesHaveNoEncodingOfTheirOwn) {
  const FileEvidence file = inspect_one(folder_.put("a.warc", "WARC/1.0\r\n\xD0\xC2"));
  EXPECT_EQ(file.format, "warc");
  EXPECT_EQ(file.encoding, "");
  EXPECT_FALSE(file.undetermined);
}

TEST_F(InspectTest, ArchivesThatNoReaderOpensAreNamed) {
  const std::pair<std::string, const char*> kCases[] = {
      {std::string("PK\x03\x04\x14\x00", 6), "zip"},
      {std::string("PK\x05\x06", 4) + std::string(18, '\0'), "zip"},  // without a file
      {std::string("7z\xBC\xAF\x27\x1C\x00\x04", 8), "7z"},
      {std::string("Rar!\x1A\x07\x01", 7), "rar"}};
  for (const auto& [bytes, format] : kCases) {
    const FileEvidence file = inspect_one(folder_.put("a.jsonl", bytes));
    EXPECT_EQ(file.format, format);
    EXPECT_EQ(file.encoding, "");
    EXPECT_NE(file.why.find("unpack it"), std::string::npos) << file.why;
  }
  EXPECT_EQ(inspect_one(folder_.put("b.txt", "PK and Rar! are words\n")).format, "text");
}

TEST_F(InspectTest, AnEmptyFileIsUtf8) {
  const FileEvidence file = inspect_one(folder_.put("c.txt", ""));
  EXPECT_EQ(file.encoding, "utf-8");
  EXPECT_EQ(file.why, "empty");
}

}  // namespace
}  // namespace headrace
