// SPDX-License-Identifier: Apache-2.0
#include "shard/sidecar_index.h"

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "shard/test_set.h"

namespace headrace::shard {
namespace {

using Starts = std::vector<std::uint32_t>;

// The index of docs/formats/sidecar_index.md: sequences [10, 20, 50256] and [30, 50256] as uint16,
// a second document starting at token 2 of the first.
SidecarBuilder documented() {
  SidecarBuilder builder;
  builder.add_sample(std::string_view("\x0a\x00\x14\x00\x50\xc4", 6), Starts{0, 2});
  builder.add_sample(std::string_view("\x1e\x00\x50\xc4", 4), Starts{0});
  return builder;
}

// The bytes of the page's hex dump: lines "00000010  0a 00 …", sixteen bytes each.
std::string hex_dump_of(const std::string& page) {
  std::istringstream lines(slurp(page));
  std::string bytes;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 12 || line.find_first_not_of("0123456789abcdef") != 8) continue;
    std::istringstream digits(line.substr(8));
    for (std::string byte; digits >> byte;) {
      bytes.push_back(static_cast<char>(std::stoi(byte, nullptr, 16)));
    }
  }
  return bytes;
}

// With a CRC that fits, so that the checks behind it are reached.
std::string sealed(std::string bytes) {
  bytes.resize(bytes.size() - 4);
  const std::uint32_t crc = crc32c(bytes);
  bytes.append(reinterpret_cast<const char*>(&crc), 4);
  return bytes;
}

template <class T>
std::string with(std::string bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
  return sealed(bytes);
}

TEST(SidecarIndexTest, BytesAreThoseOfThePage) {
  EXPECT_EQ(documented().format(), hex_dump_of(HEADRACE_DOCS "/formats/sidecar_index.md"));
}

TEST(SidecarIndexTest, ReadsBackWhatWasWritten) {
  const auto index = SidecarIndex::parse(documented().format(), "x.hri");
  ASSERT_TRUE(index) << index.error().message();
  EXPECT_EQ(index->main_bytes(), 10U);
  EXPECT_EQ(index->samples(), 2U);
  EXPECT_EQ(index->blocks(), 1U);
  EXPECT_EQ(index->sample(0),
            (SampleRecord{0, 6, crc32c(std::string_view("\x0a\x00\x14\x00\x50\xc4", 6))}));
  EXPECT_EQ(index->sample(1), (SampleRecord{6, 4, crc32c(std::string_view("\x1e\0\x50\xc4", 4))}));
  EXPECT_EQ(index->block_crc32c(0),
            crc32c(std::string_view("\x0a\x00\x14\x00\x50\xc4\x1e\x00\x50\xc4", 10)));
  Starts starts;
  index->document_starts(0, &starts);
  EXPECT_EQ(starts, (Starts{0, 2}));
  index->document_starts(1, &starts);
  EXPECT_EQ(starts, (Starts{0}));
}

// Found by fuzzing: the first vector that gets nothing is a null pointer.
TEST(SidecarIndexTest, ASampleMayHaveNoDocumentStarts) {
  SidecarBuilder builder;
  builder.add_sample("abcd", Starts{});
  const auto index = SidecarIndex::parse(builder.format(), "x.hri");
  ASSERT_TRUE(index) << index.error().message();
  Starts starts;
  index->document_starts(0, &starts);
  EXPECT_TRUE(starts.empty());
}

TEST(SidecarIndexTest, BlocksAreCutWhateverTheSamples) {
  std::string main;
  for (std::size_t i = 0; i < 3 * kBlockBytes + 17; ++i) main.push_back(static_cast<char>(i * i));
  for (const std::size_t total : {std::size_t{0}, std::size_t{1}, std::size_t{kBlockBytes},
                                  std::size_t{kBlockBytes + 1}, main.size()}) {
    for (const std::size_t sample_bytes : {std::size_t{700'001}, std::size_t{kBlockBytes},
                                           std::size_t{2 * kBlockBytes + 3}, main.size()}) {
      SidecarBuilder builder;
      for (std::size_t at = 0; at < total; at += sample_bytes) {
        builder.add_sample(std::string_view(main).substr(at, std::min(sample_bytes, total - at)),
                           Starts{0});
      }
      const auto index = SidecarIndex::parse(builder.format(), "x.hri");
      ASSERT_TRUE(index) << index.error().message();
      ASSERT_EQ(index->blocks(), (total + kBlockBytes - 1) / kBlockBytes);
      for (std::uint64_t block = 0; block < index->blocks(); ++block) {
        const std::uint64_t at = block * kBlockBytes;
        EXPECT_EQ(index->block_crc32c(block),
                  crc32c(std::string_view(main).substr(at, std::min(kBlockBytes, total - at))));
      }
    }
  }
}

TEST(SidecarIndexTest, EveryFlippedBitIsFound) {
  const std::string good = documented().format();
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    const auto index = SidecarIndex::parse(bytes, "x.hri");
    ASSERT_FALSE(index) << "bit " << bit;
    ASSERT_EQ(index.error().code(), Code::kCorrupt);
    ASSERT_EQ(index.error().message().rfind("x.hri: ", 0), 0U);
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    ASSERT_FALSE(SidecarIndex::parse(good.substr(0, size), "x.hri")) << size;
  }
}

TEST(SidecarIndexTest, NewerVersionsAreRefusedByName) {
  const auto index = SidecarIndex::parse(with(documented().format(), 8, std::uint32_t{2}), "x.hri");
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code(), Code::kUnsupported);
  EXPECT_NE(index.error().message().find("version 2 is newer than 1"), std::string::npos);
}

// What a writer with a mistake, or with bad intent, could have sealed.
TEST(SidecarIndexTest, ContradictionsAreRefused) {
  const std::string good = documented().format();
  constexpr std::size_t kSamplesAt = 48;
  constexpr std::size_t kEndsAt = kSamplesAt + 2 * 16 + 4;
  const struct {
    const char* what;
    std::string bytes;
  } cases[] = {
      {"version 0", with(good, 8, std::uint32_t{0})},
      {"another block size", with(good, 12, std::uint32_t{1 << 19})},
      {"blocks do not fit the main file", with(good, 16, std::uint64_t{1} << 40)},
      {"more samples than bytes", with(good, 24, std::uint64_t{3})},
      {"samples that wrap around", with(good, 24, (std::uint64_t{1} << 60) + 2)},
      {"document starts that wrap around", with(good, 40, (std::uint64_t{1} << 62) + 3)},
      {"overlapping samples", with(good, kSamplesAt + 16, std::uint64_t{5})},
      {"a sample past the end", with(good, kSamplesAt + 16 + 8, std::uint32_t{5})},
      {"an offset past the end", with(good, kSamplesAt + 16, ~std::uint64_t{0})},
      {"document ends that go back", with(good, kEndsAt, std::uint64_t{4})},
      {"document ends past the array", with(good, kEndsAt + 8, std::uint64_t{4})},
      {"document ends before the array's end", with(good, kEndsAt + 8, std::uint64_t{2})},
      {"starts that do not begin at 0", with(good, kEndsAt + 16, std::uint32_t{1})},
      {"starts that do not ascend", with(good, kEndsAt + 20, std::uint32_t{0})},
  };
  for (const auto& bad : cases) {
    const auto index = SidecarIndex::parse(bad.bytes, "x.hri");
    ASSERT_FALSE(index) << bad.what;
    EXPECT_EQ(index.error().code(), Code::kCorrupt) << bad.what;
  }
}

}  // namespace
}  // namespace headrace::shard
