// SPDX-License-Identifier: Apache-2.0
// Cutting compressed files is invisible: any frames and any split size give what one split gives.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "io/test_compress.h"
#include "io/test_folder.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using io::bgzf;
using io::gzip;
using io::zstd;

constexpr std::uint64_t kOneSplit = std::uint64_t{1} << 40;

enum Kind { kZstd, kZstdWithoutSize, kGzip, kBgzf };
constexpr Kind kKinds[] = {kZstd, kZstdWithoutSize, kGzip, kBgzf};

std::string pack(std::string_view bytes, Kind kind) {
  switch (kind) {
    case kZstd:
    case kZstdWithoutSize:
      return zstd(bytes, kind == kZstd);
    case kGzip:
      return gzip(bytes);
    case kBgzf:
      break;
  }
  return bgzf(bytes);
}

// Draws from one counter.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : rng_(seed, purpose("frame splits")) {}
  std::uint64_t below(std::uint64_t bound) { return rng_.below(next_++, bound); }

 private:
  CounterRng rng_;
  std::uint64_t next_ = 0;
};

// Documents of all lengths, blank lines, bad lines, records without a text; the last line may lack
// its newline or its end.
std::string make_lines(Draw& draw) {
  std::string bytes;
  const std::uint64_t lines = 1 + draw.below(60);
  for (std::uint64_t i = 0; i < lines; ++i) {
    const std::string text(draw.below(12) == 0 ? draw.below(4000) : draw.below(40), 'x');
    switch (draw.below(9)) {
      case 0:
        bytes += draw.below(2) == 0 ? "\n" : " \r\n";
        break;
      case 1:
        bytes += "{\"text\": \"open" + text + "\n";
        break;
      case 2:
        bytes += "{\"body\": \"" + text + "\"}\n";
        break;
      case 3:
        bytes += "{\"text\": \"\xFF" + text + "\"}\r\n";
        break;
      default:
        bytes += "{\"text\": \"" + std::to_string(i) + "黄河" + text + "\", \"n\": 1}\n";
    }
  }
  const std::uint64_t ending = draw.below(6);
  if (ending == 0) bytes.pop_back();
  if (ending == 1)
    bytes.resize(bytes.size() - draw.below(std::min<std::uint64_t>(bytes.size(), 9)));
  return bytes;
}

// Frames that end anywhere, right behind a newline, right in front of one; some hold nothing.
std::string pack_in_frames(Draw& draw, std::string_view bytes, Kind kind,
                           std::vector<std::size_t>* borders = nullptr) {
  const std::uint64_t most = 1 + draw.below(draw.below(3) == 0 ? 40 : 2000);
  std::string packed;
  for (std::size_t from = 0; from < bytes.size() || packed.empty();) {
    std::size_t to = std::min(bytes.size(), from + draw.below(most + 1));
    const std::size_t newline = bytes.find('\n', to);
    if (newline != bytes.npos && draw.below(3) == 0) to = newline + draw.below(2);
    if (borders != nullptr) borders->push_back(packed.size());
    packed += pack(bytes.substr(from, to - from), kind);
    if (kind == kZstd && draw.below(5) == 0) packed += std::string("\x52\x2A\x4D\x18\1\0\0\0z", 9);
    from = to;
  }
  return packed;
}

// Changes one byte of a frame behind its header; of gzip not the size at its end, which BGZF's
// index goes by.
void damage_member(Draw& draw, Kind kind, std::size_t begin, std::size_t end, std::string* packed) {
  const bool is_zstd = kind == kZstd || kind == kZstdWithoutSize;
  const std::size_t from = begin + (is_zstd ? 9 : kind == kGzip ? 10 : 18);
  const std::size_t to = is_zstd ? end : end - 4;
  if (from < to) (*packed)[from + draw.below(to - from)] ^= '\x41';
}

class FrameSplitsTest : public testing::Test {
 protected:
  Seen read(std::string_view format, std::string_view packed, std::uint64_t target,
            const ReadOptions& options = {}) {
    return read_all(format, folder_.put("x", packed), options, &decoders_, target);
  }

  // A note on the last line may come before one on the end of the file, or behind it. The fault
  // that libzstd names depends on where its buffer stands; the place does not.
  static std::multiset<std::string> notes(const Seen& seen) {
    std::multiset<std::string> all;
    for (const FileNote& note : seen.counts.notes) {
      const std::size_t place = note.detail.find(" in the zstd frame");
      all.insert(note.kind + note.detail.substr(place == note.detail.npos ? 0 : place));
    }
    return all;
  }

  void expect_same(const Seen& whole, const Seen& cut) {
    EXPECT_EQ(whole.sink.documents, cut.sink.documents);
    EXPECT_EQ(whole.sink.rejections, cut.sink.rejections);
    EXPECT_EQ(whole.counts.lines, cut.counts.lines);
    EXPECT_EQ(whole.counts.blank_lines, cut.counts.blank_lines);
    EXPECT_EQ(whole.counts.bytes, cut.counts.bytes);
    EXPECT_EQ(notes(whole), notes(cut));
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(FrameSplitsTest, AnyFramesAndSplitsGiveTheSame) {
  std::size_t cut_files = 0;
  for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    Draw draw(seed);
    const Kind kind = kKinds[seed % 4];
    const std::string bytes = make_lines(draw);
    const std::string packed = pack_in_frames(draw, bytes, kind);
    const bool jsonl = draw.below(3) > 0;
    const char* format = jsonl ? "jsonl" : "text";
    // Some lines are too long, also across a frame or a split.
    const ReadOptions options = {.documents = "line",
                                 .max_record_bytes = draw.below(3) == 0 ? 1000u : 1u << 20};
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Seen plain = read(format, bytes, kOneSplit, options);
    const Seen whole = read(format, packed, kOneSplit, options);
    ASSERT_EQ(whole.splits, 1u);
    EXPECT_EQ(plain.sink.documents, whole.sink.documents);
    for (const std::uint64_t target : {std::uint64_t{1}, 1 + draw.below(3000)}) {
      const Seen cut = read(format, packed, target, options);
      expect_same(whole, cut);
      if (cut.splits > 1) ++cut_files;
    }
  }
  EXPECT_GT(cut_files, 200u);
}

TEST_F(FrameSplitsTest, DamagedTailsGiveTheSame) {
  std::size_t damaged = 0;
  for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    Draw draw(1000 + seed);
    const Kind kind = kKinds[seed % 4];
    std::vector<std::size_t> borders;
    std::string packed = pack_in_frames(draw, make_lines(draw), kind, &borders);
    const std::uint64_t damage = draw.below(3);
    if (damage == 0) packed.resize(4 + draw.below(packed.size() - 4));
    if (damage == 1) packed += draw.below(2) == 0 ? "junk" : std::string(50, '\0');
    if (damage == 2) damage_member(draw, kind, borders.back(), packed.size(), &packed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Seen whole = read("jsonl", packed, kOneSplit);
    if (!whole.counts.notes.empty()) ++damaged;
    for (const std::uint64_t target : {std::uint64_t{1}, 1 + draw.below(3000)}) {
      expect_same(whole, read("jsonl", packed, target));
    }
  }
  EXPECT_GT(damaged, 120u);
}

// Where the index inflates everything, damage anywhere ends the file for all splits.
TEST_F(FrameSplitsTest, DamageInTheMiddleOfInflatedFilesGivesTheSame) {
  for (std::uint64_t seed = 0; seed < 100 && !HasFailure(); ++seed) {
    Draw draw(2000 + seed);
    const Kind kind = seed % 2 == 0 ? kGzip : kZstdWithoutSize;
    std::vector<std::size_t> borders;
    std::string packed = pack_in_frames(draw, make_lines(draw), kind, &borders);
    borders.push_back(packed.size());
    const std::uint64_t member = draw.below(borders.size() - 1);
    damage_member(draw, kind, borders[member], borders[member + 1], &packed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same(read("jsonl", packed, kOneSplit), read("jsonl", packed, 1 + draw.below(2000)));
  }
}

// Where it does not, a damaged frame costs the rest of its split: what stands behind keeps its ids.
TEST_F(FrameSplitsTest, DamageInTheMiddleCostsItsSplit) {
  std::string bytes;
  for (int i = 0; i < 400; ++i) bytes += "{\"text\": \"line " + std::to_string(i * 7919) + "\"}\n";
  for (const Kind kind : {kZstd, kBgzf}) {
    std::string packed;
    std::vector<std::size_t> borders;
    for (std::size_t from = 0; from < bytes.size(); from += 1000) {
      borders.push_back(packed.size());
      packed += pack(std::string_view(bytes).substr(from, 1000), kind);
    }
    const Seen sound = read("jsonl", packed, 2000);
    ASSERT_GT(sound.splits, 4u);
    // The checksum of the fourth frame, the last of its split.
    packed[borders[4] - (kind == kZstd ? 1 : 5)] ^= '\x41';
    const Seen seen = read("jsonl", packed, 2000);
    EXPECT_EQ(seen.splits, sound.splits);
    EXPECT_EQ(seen.note_kinds(), std::vector<std::string>{"corrupt"});
    EXPECT_THAT(seen.sink.reasons(), testing::Each("truncated"));
    std::set<std::uint64_t> ids;
    for (const SeenDocument& document : seen.sink.documents) ids.insert(document.id);
    const std::size_t next_line = bytes.find('\n', 4000) + 1;
    for (const SeenDocument& document : sound.sink.documents) {
      const std::uint64_t place = DocumentId{document.id}.place();
      const bool in_front = place + 30 < 3000;
      if (in_front || place >= next_line) {
        EXPECT_EQ(ids.count(document.id), 1u) << place;
      }
      ids.erase(document.id);
    }
    EXPECT_TRUE(ids.empty());
  }
}

// Headers that state less than their frames hold: what is not read is told, and no id is given
// twice.
TEST_F(FrameSplitsTest, HeadersThatLieAreTold) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "{\"text\": \"line " + std::to_string(i * 7919) + "\"}\n";
  const auto check = [&](const std::string& packed, bool whole_is_good) {
    const Seen whole = read("jsonl", packed, kOneSplit);
    EXPECT_EQ(whole.note_kinds().empty(), whole_is_good);
    const Seen cut = read("jsonl", packed, 1);
    EXPECT_GT(cut.splits, 1u);
    EXPECT_THAT(cut.note_kinds(), testing::Contains("corrupt"));
    std::set<std::uint64_t> ids;
    for (const SeenDocument& document : cut.sink.documents) {
      EXPECT_TRUE(ids.insert(document.id).second);
    }
  };
  // The content size of the first frame, two bytes behind its descriptor.
  std::string lying = zstd(lines) + zstd(lines);
  ASSERT_EQ(static_cast<unsigned char>(lying[4]) >> 6, 1) << "a frame of another form";
  lying[5] = lying[6] = '\0';
  check(lying, false);
  // A block that says it is as long as two.
  const std::string first = bgzf(lines.substr(0, 30));
  const std::string second = bgzf(lines.substr(30));
  std::string longer = first + second + bgzf(lines);
  const std::size_t bytes = first.size() + second.size() - 1;
  longer[16] = static_cast<char>(bytes & 0xFF);
  longer[17] = static_cast<char>(bytes >> 8);
  // The last four bytes of the second block, which pass for those of the first: less than both.
  check(longer, true);
}

TEST_F(FrameSplitsTest, SplitsLieEndToEnd) {
  std::string bytes;
  std::string packed;
  for (int i = 0; i < 50; ++i) {
    const std::string line = "{\"text\": \"" + std::string(500, 'x') + "\"}\n";
    bytes += line;
    packed += zstd(line, true);
  }
  const auto reader = registry().find("jsonl")->make({}, decoders_).value();
  const auto splits = reader->split(folder_.put("x", packed), 3, 1100).value();
  ASSERT_EQ(splits.size(), 17u);
  Split before = {.end = 0};
  for (const Split& split : splits) {
    EXPECT_EQ(split.begin, before.end);
    EXPECT_EQ(split.decompressed_begin, before.decompressed_end);
    EXPECT_EQ(split.bytes, split.end - split.begin);
    before = split;
  }
  EXPECT_EQ(before.end, packed.size());
  EXPECT_EQ(before.decompressed_end, 0u);
}

TEST_F(FrameSplitsTest, ParagraphsAndUtf16AreNotCut) {
  const std::string lines = "one\ntwo\n\nthree\n";
  const std::string packed = zstd(lines, true) + zstd(lines, true) + zstd(lines, true);
  EXPECT_EQ(read("text", packed, 1, {.documents = "paragraph"}).splits, 1u);
  EXPECT_EQ(read("text", packed, 1, {.documents = "file"}).splits, 1u);
  EXPECT_EQ(read("text", packed, 1, {.documents = "line", .encoding = "utf-16le"}).splits, 1u);
  EXPECT_EQ(read("text", packed, 1, {.documents = "line"}).splits, 3u);
}

}  // namespace
}  // namespace headrace::read
