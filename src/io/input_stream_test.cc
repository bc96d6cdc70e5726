// SPDX-License-Identifier: Apache-2.0
#include "io/input_stream.h"

#include <algorithm>
#include <bzlib.h>
#include <cstdlib>
#include <lzma.h>
#include <vector>

#include <gtest/gtest.h>
#include <lz4frame.h>

#include "base/counter_rng.h"
#include "base/error.h"
#include "io/file.h"
#include "io/test_compress.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

std::string bz2(std::string_view bytes) {
  std::string out(bytes.size() + bytes.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  EXPECT_EQ(::BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(bytes.data()),
                                       static_cast<unsigned>(bytes.size()), 1, 0, 0),
            BZ_OK);
  out.resize(size);
  return out;
}

std::string xz(std::string_view bytes) {
  std::string out(::lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(::lzma_easy_buffer_encode(
                0, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                bytes.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

std::string lz4(std::string_view bytes) {
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(::LZ4F_compressFrameBound(bytes.size(), &preferences), '\0');
  const std::size_t size =
      ::LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &preferences);
  EXPECT_FALSE(::LZ4F_isError(size));
  out.resize(size);
  return out;
}

const std::string kSkippable("\x52\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);

struct Outcome {
  std::string bytes;
  StreamEnd end = StreamEnd::kWhole;
  std::string detail;
  std::uint64_t position = 0;
};

Outcome read_all(const std::string& path, std::size_t block = 1000) {
  Outcome outcome;
  auto stream = open_input(path);
  EXPECT_TRUE(stream) << stream.error().message();
  std::string buffer(block, '\0');
  for (;;) {
    const auto got = (*stream)->read(buffer.data(), buffer.size());
    EXPECT_TRUE(got) << got.error().message();
    if (!got || *got == 0) break;
    outcome.bytes.append(buffer, 0, *got);
  }
  outcome.end = (*stream)->end();
  outcome.detail = (*stream)->end_detail();
  outcome.position = (*stream)->position();
  return outcome;
}

// Compresses well in places and not in others.
std::string sample_text(std::size_t lines) {
  const CounterRng rng(7, purpose("sample text"));
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    text += "line " + std::to_string(i) + " ";
    for (std::size_t j = 0; j < rng.at(2 * i) % 60; ++j) {
      text += static_cast<char>('a' + rng.at(i * 100 + j) % 26);
    }
    text += '\n';
  }
  return text;
}

struct CodecCase {
  const char* name;
  std::string (*compress)(std::string_view);
  std::string between;  // may stand between members
  int members = 30000;  // of a file of many
};

class CodecTest : public testing::TestWithParam<CodecCase> {
 protected:
  std::string compress(std::string_view bytes) const { return GetParam().compress(bytes); }
  TestFolder folder_;
};

TEST_P(CodecTest, OneMember) {
  const std::string text = sample_text(20000);
  const std::string path = folder_.put("x", compress(text));
  for (const std::size_t block : {1, 7, 1000, 1 << 20}) {
    if (block == 1 && text.size() > (2 << 20)) continue;
    const Outcome outcome = read_all(path, block);
    EXPECT_TRUE(outcome.bytes == text) << "block " << block;
    EXPECT_EQ(outcome.end, StreamEnd::kWhole);
    EXPECT_EQ(outcome.detail, "");
    EXPECT_EQ(outcome.position, file_info(path)->bytes);
  }
}

TEST_P(CodecTest, ManyMembersEmptyOnesAmongThem) {
  // Small ones, so that their ends fall on every place of the read blocks.
  std::string packed;
  std::string text;
  for (int i = 0; i < GetParam().members; ++i) {
    const std::string piece = i % 5 == 0 ? "" : "record " + std::to_string(i * 7919) + "\n";
    packed += compress(piece);
    if (i % 100 == 0) packed += GetParam().between;
    text += piece;
  }
  ASSERT_GT(packed.size(), std::size_t{300} << 10);  // more than one block
  const Outcome outcome = read_all(folder_.put("x", packed));
  EXPECT_TRUE(outcome.bytes == text) << outcome.bytes.size() << " of " << text.size();
  EXPECT_EQ(outcome.end, StreamEnd::kWhole) << outcome.detail;
}

TEST_P(CodecTest, NothingInside) {
  const Outcome outcome = read_all(folder_.put("x", compress("")));
  EXPECT_EQ(outcome.bytes, "");
  EXPECT_EQ(outcome.end, StreamEnd::kWhole);
}

TEST_P(CodecTest, CutAnywhereGivesAPrefixAndSaysSo) {
  const std::string first = sample_text(40);
  const std::string second = sample_text(90);
  const std::string packed = compress(first) + compress(second);
  const std::size_t border = compress(first).size();
  for (std::size_t cut = 6; cut < packed.size(); ++cut) {
    const Outcome outcome = read_all(folder_.put("x", packed.substr(0, cut)));
    ASSERT_TRUE((first + second).starts_with(outcome.bytes)) << "cut at " << cut;
    if (cut == border) {
      EXPECT_EQ(outcome.end, StreamEnd::kWhole);
      continue;
    }
    ASSERT_EQ(outcome.end, StreamEnd::kTruncated) << "cut at " << cut << ": " << outcome.detail;
    ASSERT_NE(outcome.detail.find("offset " + std::to_string(cut)), std::string::npos)
        << outcome.detail;
    if (cut > border) {
      ASSERT_TRUE(outcome.bytes.starts_with(first)) << "cut at " << cut;
    }
  }
}

TEST_P(CodecTest, TrailingGarbageIsToldWithItsOffset) {
  const std::string text = sample_text(50);
  const std::string packed = compress(text);
  for (const std::string& garbage :
       {std::string("x"), std::string("junk"), std::string(100, '\0'), std::string("\x1f\x8c..")}) {
    if (garbage.substr(0, 4) == GetParam().between) continue;
    const Outcome outcome = read_all(folder_.put("x", packed + garbage));
    EXPECT_EQ(outcome.bytes, text);
    EXPECT_EQ(outcome.end, StreamEnd::kTrailingGarbage);
    EXPECT_NE(outcome.detail.find("offset " + std::to_string(packed.size())), std::string::npos)
        << outcome.detail;
  }
}

TEST_P(CodecTest, DamageIsNeverQuiet) {
  const std::string first = sample_text(30);
  const std::string second = sample_text(200);
  const std::string packed = compress(first) + compress(second);
  const std::size_t border = compress(first).size();
  std::size_t told = 0;
  // gzip headers hold bytes that nothing checks (time, flags): start behind them.
  for (std::size_t at = border + 10; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const Outcome outcome = read_all(folder_.put("x", damaged));
    ASSERT_TRUE(outcome.bytes.starts_with(first));
    // The length of a code that no symbol uses may change without any effect.
    if (outcome.bytes == first + second) continue;
    ASSERT_NE(outcome.end, StreamEnd::kWhole) << "damaged at " << at;
    ASSERT_NE(outcome.detail, "");
    ++told;
  }
  EXPECT_GT(told, (packed.size() - border) * 9 / 10);
}

TEST_P(CodecTest, RangesAreRefused) {
  const std::string path = folder_.put("x", compress(sample_text(10)));
  EXPECT_EQ(open_input(path, 5).error().code(), Code::kInvalidArgument);
  EXPECT_TRUE(open_input(path, 0, file_info(path)->bytes));
}

std::string whole_zstd(std::string_view bytes) { return zstd(bytes); }

INSTANTIATE_TEST_SUITE_P(All, CodecTest,
                         testing::Values(CodecCase{"gzip", gzip, ""},
                                         CodecCase{"zstd", whole_zstd, kSkippable},
                                         CodecCase{"bz2", bz2, "", 8000},
                                         CodecCase{"xz", xz, std::string(4, '\0'), 6000},
                                         CodecCase{"lz4", lz4, kSkippable}),
                         [](const auto& test) { return std::string(test.param.name); });

// What is good of a damaged member or frame comes out, for any buffer.
TEST(InputStreamTest, DamageGivesTheSameForAnyBuffer) {
  TestFolder folder;
  // "a", and a copy from in front of it.
  const std::string behind_start("\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\x04\x42\0\0\0\0\0\0\0", 20);
  // A flag without a meaning.
  std::string reserved = gzip("text");
  reserved[3] = '\x20';
  const std::string text = sample_text(20'000);
  std::string wrong_sum = zstd(text, false);
  wrong_sum.back() ^= 1;
  std::string wrong_block = zstd(text, false);
  wrong_block[wrong_block.size() * 3 / 4] ^= 0x55;
  struct Case {
    std::string bytes;
    std::string good;  // "*": some of the text
  };
  for (const Case& test :
       {Case{behind_start, "a"}, Case{reserved, ""}, Case{gzip("front") + reserved, "front"},
        Case{wrong_sum, text}, Case{wrong_block, "*"}}) {
    const std::string path = folder.put("x", test.bytes);
    const Outcome once = read_all(path, std::size_t{1} << 22);
    EXPECT_EQ(once.end, StreamEnd::kCorrupt);
    if (test.good == "*") {
      EXPECT_GT(once.bytes.size(), 100'000u);
      EXPECT_TRUE(text.starts_with(once.bytes.substr(0, 100'000)));
    } else {
      EXPECT_EQ(once.bytes, test.good);
    }
    for (const std::size_t block : {1, 7, 1000, 300'000}) {
      const Outcome outcome = read_all(path, block);
      EXPECT_EQ(outcome.bytes, once.bytes) << block;
      EXPECT_EQ(outcome.detail, once.detail) << block;
    }
  }
}

TEST(CodecOfTest, GoesByTheFirstBytes) {
  EXPECT_EQ(codec_of(gzip("x")), Codec::kGzip);
  EXPECT_EQ(codec_of(zstd("x")), Codec::kZstd);
  EXPECT_EQ(codec_of(kSkippable), Codec::kZstd);
  EXPECT_EQ(codec_of(bz2("x")), Codec::kBz2);
  EXPECT_EQ(codec_of(bz2("")), Codec::kBz2);
  EXPECT_EQ(codec_of("BZh9 is how a bz2 file begins"), Codec::kNone);
  EXPECT_EQ(codec_of(xz("x")), Codec::kXz);
  EXPECT_EQ(codec_of(lz4("x")), Codec::kLz4);
  EXPECT_EQ(codec_of("{\"a\":1}"), Codec::kNone);
  EXPECT_EQ(codec_of(""), Codec::kNone);
  EXPECT_EQ(codec_of("\x1f"), Codec::kNone);
}

TEST(CodecOfTest, Extensions) {
  EXPECT_EQ(compression_extension("a.jsonl.gz"), ".gz");
  EXPECT_EQ(compression_extension("a.JSONL.GZ"), ".gz");
  EXPECT_EQ(compression_extension("a.zst"), ".zst");
  EXPECT_EQ(compression_extension("a.jsonl.bz2"), ".bz2");
  EXPECT_EQ(compression_extension("a.xz"), ".xz");
  EXPECT_EQ(compression_extension("a.lz4"), ".lz4");
  EXPECT_EQ(compression_extension("a.jsonl"), "");
  EXPECT_EQ(compression_extension("s3://b/a.jsonl.zst?scheme=http"), ".zst");
  EXPECT_EQ(compression_extension("gz"), "");
}

TEST(InputStreamTest, NameDoesNotDecide) {
  const TestFolder folder;
  EXPECT_EQ(read_all(folder.put("a.txt", gzip("inside"))).bytes, "inside");
  EXPECT_EQ(read_all(folder.put("b.gz", "plain text")).bytes, "plain text");
}

TEST(InputStreamTest, ArchiveCutInItsMagicIsTruncated) {
  const TestFolder folder;
  EXPECT_EQ(read_all(folder.put("a.gz", "\x1f")).end, StreamEnd::kTruncated);
  EXPECT_EQ(read_all(folder.put("a.gz", "\x1f\x8b\x08")).end, StreamEnd::kTruncated);
  EXPECT_EQ(read_all(folder.put("a.zst", "\x28\xB5")).end, StreamEnd::kTruncated);
  EXPECT_EQ(read_all(folder.put("a.xz",
                                "\xFD"
                                "7zX"))
                .end,
            StreamEnd::kTruncated);
  EXPECT_EQ(read_all(folder.put("a.bz2", "BZh9")).end, StreamEnd::kTruncated);
  EXPECT_EQ(read_all(folder.put("a.lz4", "\x04")).end, StreamEnd::kTruncated);
  EXPECT_EQ(read_all(folder.put("a.gz", "")).end, StreamEnd::kWhole);
}

TEST(InputStreamTest, RangeOfAPlainFile) {
  const TestFolder folder;
  const std::string path = folder.put("x", "0123456789");
  std::string buffer(100, '\0');
  auto part = open_input(path, 2, 5).value();
  EXPECT_EQ(buffer.substr(0, part->read(buffer.data(), 100).value()), "234");
  EXPECT_EQ(part->read(buffer.data(), 100).value(), 0u);
  auto tail = open_input(path, 7).value();
  EXPECT_EQ(buffer.substr(0, tail->read(buffer.data(), 100).value()), "789");
  auto behind = open_input(path, 50, 60).value();
  EXPECT_EQ(behind->read(buffer.data(), 100).value(), 0u);
}

TEST(InputStreamTest, MissingFileAndFolder) {
  const TestFolder folder;
  EXPECT_EQ(open_input(folder / "missing").error().code(), Code::kNotFound);
  EXPECT_EQ(open_input(folder.path()).error().code(), Code::kInvalidArgument);
}

TEST(InputStreamTest, CaseFiles) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const std::string cases = std::string(data) + "/../cases/";
  const Outcome cut_gzip = read_all(cases + "B003/part-0.jsonl.gz");
  EXPECT_EQ(cut_gzip.end, StreamEnd::kTruncated);
  EXPECT_NE(cut_gzip.detail.find("offset 13307"), std::string::npos) << cut_gzip.detail;
  EXPECT_EQ(std::count(cut_gzip.bytes.begin(), cut_gzip.bytes.end(), '\n'), 119);

  const std::string whole = read_all(cases + "B005/multi.jsonl.zst").bytes;
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 6);
  const Outcome garbage = read_all(cases + "B005/multi_then_garbage.jsonl.zst");
  EXPECT_EQ(garbage.bytes, whole);
  EXPECT_EQ(garbage.end, StreamEnd::kTrailingGarbage);
  EXPECT_NE(garbage.detail.find("offset 261"), std::string::npos) << garbage.detail;
  const Outcome cut_zstd = read_all(cases + "B005/cut.jsonl.zst");
  EXPECT_EQ(cut_zstd.end, StreamEnd::kTruncated);
  EXPECT_TRUE(whole.starts_with(cut_zstd.bytes));
  EXPECT_EQ(std::count(cut_zstd.bytes.begin(), cut_zstd.bytes.end(), '\n'), 3);
}

}  // namespace
}  // namespace headrace::io
