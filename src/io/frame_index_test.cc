// SPDX-License-Identifier: Apache-2.0
#include "io/frame_index.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "base/error.h"
#include "io/test_compress.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

using testing::ElementsAre;

const std::string kSkippable("\x52\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
const std::string kBgzfEnd = bgzf("");

std::string text(std::uint64_t seed, std::size_t bytes) {
  const CounterRng rng(seed, purpose("frame text"));
  std::string out;
  for (std::uint64_t i = 0; out.size() < bytes; ++i) out += "word " + std::to_string(rng.at(i));
  out.resize(bytes);
  return out;
}

// Members and what they hold → a file, and the points it has.
struct Packed {
  std::string bytes;
  std::vector<FramePoint> points;
  std::uint64_t decompressed = 0;

  void add(const std::string& member, std::size_t content) {
    if (points.empty() || decompressed > points.back().decompressed) {
      points.push_back({bytes.size(), decompressed});
    }
    bytes += member;
    decompressed += content;
  }
};

std::string read_range(const std::string& path, std::uint64_t begin, std::uint64_t end) {
  const auto stream = open_input(path, begin, end);
  EXPECT_TRUE(stream) << stream.error().message();
  std::string bytes(1 << 22, '\0');
  bytes.resize((*stream)->read(bytes.data(), bytes.size()).value());
  EXPECT_EQ((*stream)->end(), StreamEnd::kWhole) << (*stream)->end_detail();
  return bytes;
}

class FrameIndexTest : public testing::Test {
 protected:
  FrameIndex index(std::string_view bytes, const FrameIndexOptions& options = {}) {
    path_ = folder_.put("x", bytes);
    const auto index = index_frames(path_, options);
    EXPECT_TRUE(index) << index.error().message();
    return *index;
  }
  TestFolder folder_;
  std::string path_;
};

TEST_F(FrameIndexTest, FramesOfAllSizesWithAndWithoutTheirSize) {
  // The content size takes 1, 2, 4 bytes; blocks are stored, run-length, compressed.
  const std::size_t sizes[] = {1, 255, 256, 65791, 65792, 300000, 0, 700, 1 << 20, 5};
  for (const bool with_size : {true, false}) {
    Packed packed;
    std::string whole;
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
      const std::string content = i % 4 == 3 ? std::string(sizes[i], 'a') : text(i, sizes[i]);
      packed.add(zstd(content, with_size, i % 2 == 0), content.size());
      if (i % 3 == 1) packed.bytes += kSkippable;
      whole += content;
    }
    const FrameIndex found = index(packed.bytes, {.threads = 2});
    EXPECT_EQ(found.codec, Codec::kZstd);
    // A skippable frame belongs to what stands in front of it.
    ASSERT_EQ(found.points.size(), packed.points.size());
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      const std::uint64_t end = i + 1 < found.points.size() ? found.points[i + 1].compressed : 0;
      const std::uint64_t decompressed_end =
          end == 0 ? whole.size() : found.points[i + 1].decompressed;
      EXPECT_EQ(found.points[i].decompressed, packed.points[i].decompressed);
      EXPECT_TRUE(read_range(path_, found.points[i].compressed, end) ==
                  whole.substr(found.points[i].decompressed,
                               decompressed_end - found.points[i].decompressed))
          << "point " << i;
    }
  }
}

TEST_F(FrameIndexTest, Members) {
  for (std::string (*compress)(std::string_view) : {gzip, bgzf}) {
    Packed packed;
    for (std::size_t i = 0; i < 40; ++i) {
      const std::string content = text(i, i % 7 == 0 ? 0 : 1000 * i);
      packed.add(compress(content), content.size());
    }
    const FrameIndex found = index(packed.bytes);
    EXPECT_EQ(found.codec, Codec::kGzip);
    EXPECT_EQ(found.points, packed.points);
  }
}

TEST_F(FrameIndexTest, MembersBehindBgzfAreInflated) {
  Packed packed;
  packed.add(bgzf(text(1, 5000)), 5000);
  packed.add(bgzf(text(2, 60000)), 60000);
  packed.add(gzip(text(3, 90000)), 90000);
  packed.add(gzip(text(4, 10)), 10);
  packed.add(bgzf(text(5, 3000)), 3000);
  EXPECT_EQ(index(packed.bytes).points, packed.points);
}

TEST_F(FrameIndexTest, BgzfIsNotInflated) {
  // Damage in the second block is not seen: only its header and its last bytes are looked at.
  Packed packed;
  for (std::size_t i = 0; i < 3; ++i) packed.add(bgzf(text(i, 6000)), 6000);
  packed.bytes[packed.points[1].compressed + 500] ^= '\x55';
  EXPECT_EQ(index(packed.bytes).points, packed.points);
}

TEST_F(FrameIndexTest, OneMemberHasOnePoint) {
  const std::string content = text(1, 200000);
  for (const std::string& bytes : {zstd(content), zstd(content, false), kSkippable + zstd(content),
                                   gzip(content), content, std::string("abc"), std::string()}) {
    EXPECT_THAT(index(bytes).points, ElementsAre(FramePoint{0, 0}));
  }
}

TEST_F(FrameIndexTest, PatienceEndsInTheFirstMemberOnly) {
  Packed packed;
  packed.add(gzip(text(1, 3 << 20)), 3 << 20);
  packed.add(gzip(text(2, 6 << 20)), 6 << 20);
  packed.add(gzip(text(3, 10)), 10);
  EXPECT_EQ(index(packed.bytes, {.patience_bytes = 8 << 20}).points, packed.points);
  EXPECT_EQ(index(packed.bytes, {.patience_bytes = 3 << 20}).points, packed.points);
  EXPECT_THAT(index(packed.bytes, {.patience_bytes = 100000}).points,
              ElementsAre(FramePoint{0, 0}));
}

TEST_F(FrameIndexTest, EveryCutKeepsThePointsInFrontOfIt) {
  for (const int kind : {0, 1, 2, 3}) {
    Packed packed;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string content = text(i, 300);
      packed.add(kind == 0   ? zstd(content)
                 : kind == 1 ? zstd(content, false)
                 : kind == 2 ? gzip(content)
                             : bgzf(content),
                 300);
    }
    for (std::size_t cut = 0; cut < packed.bytes.size(); cut += 3) {
      const FrameIndex found = index(packed.bytes.substr(0, cut));
      ASSERT_LE(found.points.size(), packed.points.size());
      for (std::size_t i = 0; i < found.points.size(); ++i) {
        ASSERT_EQ(found.points[i], packed.points[i]) << kind << " cut at " << cut;
      }
      // All points but the one whose member is not whole.
      std::size_t whole = 0;
      while (whole < 4 && packed.points[whole].compressed < cut) ++whole;
      ASSERT_GE(found.points.size() + 1, whole) << kind << " cut at " << cut;
    }
  }
}

TEST_F(FrameIndexTest, DamageInAFrameThatIsMeasuredEndsThePoints) {
  Packed packed;
  for (std::size_t i = 0; i < 5; ++i) packed.add(zstd(text(i, 4000), i != 2), 4000);
  packed.bytes[packed.points[2].compressed + 300] ^= '\x55';
  packed.points.resize(3);
  EXPECT_EQ(index(packed.bytes).points, packed.points);
}

TEST_F(FrameIndexTest, AHeaderThatStatesTooMuchIsNotBelieved) {
  // 8 bytes of content size, changed to 2^40.
  std::string frame = zstd(text(1, 1000));
  std::string lying =
      frame.substr(0, 4) + "\xE4" + std::string("\x00\x00\x00\x00\x00\x01\x00\x00", 8);
  lying += frame.substr(7);
  const std::string bytes = lying + zstd(text(2, 1000));
  EXPECT_THAT(index(bytes).points, ElementsAre(FramePoint{0, 0}));
}

TEST_F(FrameIndexTest, OtherBytesEndThePoints) {
  Packed packed;
  packed.add(zstd(text(1, 1000)), 1000);
  packed.add(zstd(text(2, 1000)), 1000);
  EXPECT_EQ(index(packed.bytes + "junk and more").points, packed.points);
  EXPECT_EQ(index(packed.bytes + std::string(64, '\0')).points, packed.points);
}

TEST_F(FrameIndexTest, MissingFile) {
  EXPECT_EQ(index_frames(folder_ / "missing").error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace headrace::io
