// SPDX-License-Identifier: Apache-2.0
#include "read/internal/file_encoding.h"

#include <gtest/gtest.h>

#include "io/test_folder.h"
#include "read/internal/test_support.h"
#include "read/text_reading.h"

namespace headrace::read {
namespace {

class FileEncodingTest : public testing::Test {
 protected:
  FileEncoding decide(std::string_view bytes, const std::string& declared = "auto") {
    const auto encoding =
        decide_encoding(folder_.put("x", bytes), {.encoding = declared}, decoders_);
    EXPECT_TRUE(encoding) << encoding.error().message();
    return *encoding;
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(FileEncodingTest, ValidUtf8NeedsNoDetector) {
  decoders_.evidence = {"gb18030", 1.0, "never asked", {}};
  EXPECT_EQ(decide("plain ascii").name, "utf-8");
  EXPECT_EQ(decide("中文").name, "utf-8");
  EXPECT_EQ(decide("").name, "utf-8");
  EXPECT_EQ(decide("中文").decoder, nullptr);
}

TEST_F(FileEncodingTest, CharacterAcrossTheEndOfTheHead) {
  decoders_.evidence = {"gb18030", 1.0, "never asked", {}};
  std::string bytes((1 << 20) - 1, 'a');
  EXPECT_EQ(decide(bytes + "中文中文").name, "utf-8");
}

TEST_F(FileEncodingTest, DamageStaysUtf8) {
  decoders_.evidence = {"gb18030", 0.99, "detected", {}};
  EXPECT_EQ(decide("测试一行\nbad \xE6 byte\ncut \xF0\x9F\x98\n第二行").name, "utf-8");
  // A little damage in much ASCII, and a detector that guesses.
  decoders_.evidence = {"windows-1252", 0.5, "detected", {}};
  EXPECT_EQ(decide(std::string(5000, 'a') + "\x92").name, "utf-8");
  EXPECT_FALSE(decide(std::string(5000, 'a') + "\x92").undetermined);
}

TEST_F(FileEncodingTest, DamagedAsciiSaysWhatElseItMayBe) {
  decoders_.evidence = {"windows-1252", 0.62, "detected", {}};
  const std::string bytes = std::string(5000, 'a') + "\x92";
  const FileEncoding encoding = decide(bytes);
  EXPECT_EQ(encoding.name, "utf-8");
  const auto refused = RecordDecoder(encoding).decode("x\x92", 40);
  EXPECT_EQ(refused.reason, "invalid_utf8");
  EXPECT_NE(refused.detail.find("byte 0x92 at offset 41 is not UTF-8; "), std::string::npos);
  EXPECT_NE(refused.detail.find("looks like windows-1252 (confidence 0.62): if it is that, declare "
                                "it in the recipe: 'encoding: windows-1252'"),
            std::string::npos)
      << refused.detail;
  // People who ask before are told the same.
  const auto reading = reading_of(bytes, {.whole = true}, decoders_);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->encoding, "utf-8");
  EXPECT_NE(reading->damage.find(encoding.suspicion), std::string::npos) << reading->damage;
  EXPECT_NE(reading->damage.find("1 bytes are not UTF-8, the first 0x92 at offset 5000"),
            std::string::npos)
      << reading->damage;
  EXPECT_EQ(reading_of("plain", {.whole = true}, decoders_)->damage, "");
}

TEST_F(FileEncodingTest, BehindAFrontOfAsciiAnythingMayCome) {
  const FileEncoding encoding = decide(std::string((1 << 20) + 10, 'a') + "\xB0");
  EXPECT_NE(RecordDecoder(encoding).decode("20\xB0", 0).detail.find("'encoding: windows-1252'"),
            std::string::npos);
  EXPECT_EQ(decide(std::string(100, 'a')).suspicion, "");
}

TEST_F(FileEncodingTest, DetectedWhenSureUndeterminedWhenNot) {
  const std::string bytes = "\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4 and more";
  decoders_.evidence = {"gb18030", 0.95, "detected", {}};
  const FileEncoding sure = decide(bytes);
  EXPECT_EQ(sure.name, "gb18030");
  EXPECT_TRUE(sure.detected);
  ASSERT_EQ(sure.notes.size(), 1u);
  EXPECT_EQ(sure.notes[0].kind, "detected_encoding");

  decoders_.evidence = {"gb18030", 0.7, "detected", {"gb18030", "big5"}};
  const FileEncoding unsure = decide(bytes);
  EXPECT_TRUE(unsure.undetermined);
  EXPECT_EQ(unsure.name, "");
  ASSERT_EQ(unsure.notes.size(), 1u);
  EXPECT_EQ(unsure.notes[0].kind, "undetermined_encoding");
  EXPECT_NE(unsure.detail.find("gb18030, big5"), std::string::npos) << unsure.detail;

  // An encoding that nobody can decode is none.
  decoders_.evidence = {"klingon", 1.0, "detected", {}};
  EXPECT_TRUE(decide(bytes).undetermined);
}

TEST_F(FileEncodingTest, ByteOrderMarks) {
  EXPECT_EQ(decide("\xEF\xBB\xBFtext").mark_bytes, 3u);
  EXPECT_EQ(decide("\xEF\xBB\xBFtext", "utf-8").mark_bytes, 3u);
  decoders_.evidence = {"utf-16le", 1.0, "byte order mark", {}};
  const FileEncoding little = decide(std::string("\xFF\xFE\x61\x00\x0A\x00", 6));
  EXPECT_EQ(little.name, "utf-16le");
  EXPECT_EQ(little.mark_bytes, 2u);
  EXPECT_EQ(little.newline, Newline::kUtf16Little);
  EXPECT_FALSE(little.detected);
  // The mark of another encoding than the declared one is not skipped.
  EXPECT_EQ(decide("\xEF\xBB\xBFtext", "gb18030").mark_bytes, 0u);
}

TEST_F(FileEncodingTest, ZeroBytesAreNoTextUnlessADetectorKnowsThem) {
  const std::string bytes("{\0}\0\n\0", 6);  // valid UTF-8, too
  EXPECT_TRUE(decide(bytes).undetermined);
  EXPECT_EQ(RecordDecoder(decide(bytes)).decode(bytes, 0).reason, "undetermined_encoding");
  decoders_.evidence = {"utf-16le", 0.99, "detected", {}};
  EXPECT_EQ(decide(bytes).name, "utf-16le");
}

TEST_F(FileEncodingTest, DeclaredIsNotQuestioned) {
  const FileEncoding encoding = decide("plain", "gb18030");
  EXPECT_EQ(encoding.name, "gb18030");
  EXPECT_NE(encoding.decoder, nullptr);
  EXPECT_FALSE(encoding.detected);
  EXPECT_FALSE(decide_encoding(folder_ / "x", {.encoding = "klingon"}, decoders_));
}

TEST_F(FileEncodingTest, RecordsOfADetectedFileThatAreSurelyUtf8) {
  decoders_.evidence = {"gb18030", 0.95, "detected", {}};
  const FileEncoding encoding = decide("\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4");
  RecordDecoder decoder(encoding);
  EXPECT_EQ(decoder.decode("\xCA\xFD", 0).text, "数");
  EXPECT_EQ(decoder.decode("数据清洗", 0).text, "数据清洗");
  // These four bytes are two characters of GBK, and two others of UTF-8.
  EXPECT_EQ(decoder.decode("\xC4\xA3\xCA\xBD", 0).text, "模式");
  const auto bad = decoder.decode("x\xFF", 100);
  EXPECT_EQ(bad.reason, "undecodable");
  EXPECT_NE(bad.detail.find("100"), std::string::npos) << bad.detail;
}

TEST_F(FileEncodingTest, UndeterminedLetsAsciiPass) {
  decoders_.evidence = {"", 0, "", {"gb18030"}};
  const FileEncoding encoding = decide("\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4");
  RecordDecoder decoder(encoding);
  EXPECT_EQ(decoder.decode("ascii", 0).text, "ascii");
  EXPECT_EQ(decoder.decode("\xC4\xA3\xCA\xBD", 0).reason, "undetermined_encoding");
}

// A declaration is obeyed; when another encoding is all but certain, the file says so.
TEST_F(FileEncodingTest, DeclarationThatTheBytesContradict) {
  const std::string bytes = "\xCA\xFD\xBE\xDD\n";
  decoders_.evidence = {"gb18030", 0.99, "detected", {}};
  FileEncoding encoding = decide(bytes, "utf-16le");
  EXPECT_EQ(encoding.name, "utf-16le");
  ASSERT_EQ(encoding.notes.size(), 1u);
  EXPECT_EQ(encoding.notes[0].kind, "doubtful_encoding");
  EXPECT_NE(encoding.notes[0].detail.find("look like gb18030"), std::string::npos);
  EXPECT_TRUE(decide(bytes, "gb18030").notes.empty());
  decoders_.evidence.confidence = 0.9;
  EXPECT_TRUE(decide(bytes, "utf-16le").notes.empty());
}

// ISO-2022 and HZ are valid UTF-8, and must not come out as text full of escape sequences.
TEST_F(FileEncodingTest, SevenBitEncodingsAreUndetermined) {
  const char* kBytes[] = {"plain\n\x1B$B$K$[$s$4\x1B(B\n", "plain\n~{VPND;*HKCq9z~}\n",
                          "\x1B$)Cplain\n\x0E@NAv\x0F\n"};
  const char* kNames[] = {"iso-2022-jp", "hz-gb-2312", "iso-2022-kr"};
  for (int i = 0; i < 3; ++i) {
    decoders_.evidence = {kNames[i], 0.8, "escape sequences", {kNames[i], "utf-8"}};
    const FileEncoding encoding = decide(kBytes[i]);
    EXPECT_TRUE(encoding.undetermined) << kNames[i];
    ASSERT_EQ(encoding.notes.size(), 1u);
    EXPECT_EQ(encoding.notes[0].kind, "undetermined_encoding");
    EXPECT_NE(encoding.detail.find(std::string("candidates: ") + kNames[i] + ", utf-8"),
              std::string::npos)
        << encoding.detail;
    RecordDecoder decoder(encoding);
    EXPECT_EQ(decoder.decode("plain", 0).text, "plain");
    const std::string_view bytes(kBytes[i]);
    const std::string_view second = bytes.substr(bytes.find('\n') + 1);
    EXPECT_EQ(decoder.decode(second, 6).reason, "undetermined_encoding") << kNames[i];
    EXPECT_EQ(decide(kBytes[i], "utf-8").name, "utf-8");
  }
  // The detector decides what such a sequence is worth.
  decoders_.evidence = {"utf-8", 1.0, "valid UTF-8 (ASCII)", {}};
  EXPECT_EQ(decide("\x1B[31mred\x1B[0m and \"~{~a~}\"").name, "utf-8");
  // With real UTF-8 around them they are never asked about.
  decoders_.evidence = {"hz-gb-2312", 0.8, "never asked", {}};
  EXPECT_EQ(decide("中文 ~{VPND;*HKCq9z~}").name, "utf-8");
}

TEST_F(FileEncodingTest, EscapeSequencesOfOtherUndeterminedFilesPass) {
  decoders_.evidence = {"gb18030", 0.5, "", {"gb18030"}};
  const FileEncoding encoding = decide("\xCA\xFD\xBE\xDD");
  RecordDecoder decoder(encoding);
  EXPECT_EQ(decoder.decode("~{x}", 0).text, "~{x}");
}

TEST(Utf8Test, FirstInvalidByte) {
  const struct {
    const char* bytes;
    std::size_t at;
  } kCases[] = {{"plain 中文 😀", std::string::npos},
                {"a\xE6 b", 1},
                {"ab\xED\xA0\x80", 2},
                {"\xC0\xAF", 0},
                {"\xF4\x90\x80\x80", 0},
                {"中\xE6\x96", 3},
                {"\xF0\x8F\xBF\xBF", 0},
                {"\x80", 0},
                {"\xE0\x80\x80", 0}};
  for (const auto& test : kCases) {
    EXPECT_EQ(first_invalid_utf8(test.bytes), test.at) << test.bytes;
    EXPECT_EQ(first_invalid_utf8(test.bytes) == std::string::npos,
              simdjson::validate_utf8(test.bytes, std::char_traits<char>::length(test.bytes)));
  }
}

TEST(Utf8Test, CutShort) {
  EXPECT_TRUE(is_utf8_cut_short("中\xE6"));
  EXPECT_TRUE(is_utf8_cut_short("中\xE6\x96"));
  EXPECT_TRUE(is_utf8_cut_short("a\xF0\x9F\x98"));
  EXPECT_FALSE(is_utf8_cut_short("中文"));
  EXPECT_FALSE(is_utf8_cut_short("a\xE6 b"));
  EXPECT_FALSE(is_utf8_cut_short("a\x80"));
  EXPECT_FALSE(is_utf8_cut_short("a\xED\xA0"));
}

}  // namespace
}  // namespace headrace::read
