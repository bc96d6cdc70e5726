// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_folder.h"
#include "read/internal/archive_test_support.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TarTest : public testing::Test {
 protected:
  Seen read(std::string_view bytes, std::string_view name = "x.tar",
            const ReadOptions& options = {}) {
    return read_all("tar", folder_.put(name, bytes), options, &decoders_, 1);
  }

  static std::vector<std::string> names(const Seen& seen) {
    std::vector<std::string> all;
    for (const SeenDocument& document : seen.sink.documents) all.push_back(document.meta);
    return all;
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(TarTest, PagesTextsAndCode) {
  const std::string first = tar_member("a/", "", '5') + tar_member("a/p.HTML", "<p>第一");
  const std::string bytes = first + tar_member("a/t.txt", std::string(600, 't')) +
                            tar_member("link.txt", "", '2') + tar_member("s.py", "x = 1\n") +
                            tar_member("bin.c", std::string_view("a\0b", 3)) +
                            tar_member("photo.jpg", "\xFF\xD8") + tar_member("._t.txt", "mac") +
                            tar_member("empty.txt", "") + tar_end();
  const Seen seen = read(bytes);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("<p>第一", std::string(600, 't'), "x = 1\n", ""));
  EXPECT_THAT(names(seen),
              ElementsAre(R"({"name":"a/p.HTML"})", R"({"name":"a/t.txt"})",
                          R"({"name":"s.py","language":"python"})", R"({"name":"empty.txt"})"));
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 512).value);
  EXPECT_EQ(seen.sink.documents[1].id, DocumentId::make(3, first.size()).value);
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("binary_file", "not_text", "not_text"));
  EXPECT_THAT(seen.note_kinds(), IsEmpty());
  EXPECT_EQ(seen.counts.bytes, bytes.size());
  EXPECT_EQ(read(gzip(bytes), "x.tar.gz").sink.documents, seen.sink.documents);
  EXPECT_EQ(registry().for_path("a.tar.zst")->name, "tar");
  EXPECT_EQ(registry().for_path("a.tgz")->name, "tar");
}

TEST_F(TarTest, LongNames) {
  const std::string folder(130, 'd');
  const std::string file = folder + "/" + std::string(120, 'f') + ".txt";
  const std::string path = "path=" + file + "\n";
  // The length counts its own three digits and the blank.
  const std::string pax = fmt::format("{} {}", path.size() + 4, path);
  const std::string bytes =
      tar_member("b.txt", "ustar", '0', folder) + tar_member("pax", pax, 'x') +
      tar_member("cut-off-name.tx", "pax") + tar_member("global", "11 a=global\n", 'g') +
      tar_member("././@LongLink", file + '\0', 'L') + tar_member("cut", "gnu") +
      tar_member("plain.txt", "none of these names") + tar_end();
  const Seen seen = read(bytes);
  EXPECT_THAT(seen.sink.texts(), ElementsAre("ustar", "pax", "gnu", "none of these names"));
  EXPECT_THAT(names(seen),
              ElementsAre(R"({"name":")" + folder + R"(/b.txt"})", R"({"name":")" + file + R"("})",
                          R"({"name":")" + file + R"("})", R"({"name":"plain.txt"})"));
}

TEST_F(TarTest, JoinedArchives) {
  const std::string one = tar_member("a.txt", "a") + tar_end();
  const Seen seen = read(one + std::string(8192, '\0') + tar_member("b.txt", "b") + tar_end());
  EXPECT_THAT(seen.sink.texts(), ElementsAre("a", "b"));
  EXPECT_THAT(seen.note_kinds(), IsEmpty());
}

TEST_F(TarTest, CutOffAnywhere) {
  const std::string first = tar_member("a.txt", std::string(700, 'a'));
  const std::string second = tar_member("b.txt", std::string(700, 'b'));
  const std::string bytes = first + second;
  for (std::size_t size = 1; size <= bytes.size(); size += 37) {
    const Seen seen = read(bytes.substr(0, size));
    const std::size_t whole = (size >= 512 + 700) + (size >= first.size() + 512 + 700);
    EXPECT_EQ(seen.sink.documents.size(), whole) << size;
    EXPECT_LE(seen.sink.rejections.size(), 1u);
    EXPECT_THAT(seen.sink.reasons(), Each(size >= 512 ? "truncated" : "not_tar"));
    EXPECT_THAT(seen.note_kinds(), ElementsAre("truncated")) << size;
  }
  const std::string zipped = gzip(bytes + tar_end());
  const Seen cut = read(zipped.substr(0, zipped.size() - 10), "x.tar.gz");
  EXPECT_THAT(cut.note_kinds(), ElementsAre("truncated"));
}

TEST_F(TarTest, DamagedHeadersAreReadPast) {
  const std::string good = tar_member("a.txt", "a");
  std::string bad = tar_member("b.txt", std::string(1500, 'b'));
  bad[3] = '!';
  const Seen seen = read(good + bad + good + tar_end());
  EXPECT_THAT(seen.sink.texts(), ElementsAre("a", "a"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("corrupt"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
  EXPECT_EQ(seen.sink.rejections[0].offset, good.size());
  EXPECT_THAT(seen.sink.rejections[0].detail, HasSubstr("4 blocks"));
  EXPECT_THAT(read(std::string(2000, 'x')).sink.reasons(), ElementsAre("not_tar"));
  EXPECT_THAT(read("short").sink.reasons(), ElementsAre("not_tar"));
  EXPECT_THAT(read("").note_kinds(), ElementsAre("valid_empty"));
}

// A member whose header states `size`, in twelve bytes.
std::string member_of_size(std::string_view size, std::string_view data) {
  std::string member = tar_member("bad.txt", data);
  member.replace(124, size.size(), size);
  member.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : member.substr(0, 512)) sum += static_cast<unsigned char>(c);
  member.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
  return member;
}

TEST_F(TarTest, SizesThatNoFileHas) {
  const std::string good = tar_member("a.txt", "a");
  const std::string kSizes[] = {
      std::string(12, '\xFF'),                                 // -1 in base 256
      "\x80" + std::string(2, '\0') + std::string(9, '\xFF'),  // 2^72 - 1
      "\xC0" + std::string(10, '\0') + "\x01",                 // negative, and small
      "0000000xyz1" + std::string(1, '\0'),
      "-0000000001" + std::string(1, '\0'),
      "99999999999" + std::string(1, '\0'),  // not octal
  };
  for (const std::string& size : kSizes) {
    ASSERT_EQ(size.size(), 12u);
    const Seen seen = read(good + member_of_size(size, "lost") + good + tar_end());
    EXPECT_THAT(seen.sink.texts(), ElementsAre("a", "a"));
    // The header, and the block of data that it does not own up to.
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("corrupt", "corrupt"));
    EXPECT_EQ(seen.sink.rejections[0].offset, good.size());
    EXPECT_THAT(seen.sink.rejections[0].detail, HasSubstr("member 'bad.txt': its size is no"));
    EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
    EXPECT_THAT(seen.note_kinds(), IsEmpty());
  }
  const Seen first = read(member_of_size(kSizes[0], "lost") + tar_end());
  EXPECT_THAT(first.sink.reasons(), ElementsAre("corrupt", "corrupt"));
  for (const std::string_view record :
       {"11 size=-1\n", "12 size=12x\n", "29 size=18446744073709551616\n"}) {
    const Seen pax =
        read(tar_member("pax", record, 'x') + tar_member("bad.txt", "lost") + good + tar_end());
    EXPECT_THAT(pax.sink.texts(), ElementsAre("a")) << record;
    EXPECT_THAT(pax.sink.reasons(), ElementsAre("corrupt", "corrupt")) << record;
  }
}

// It takes in what follows: nothing says where the next member is.
TEST_F(TarTest, SizesBeyondTheArchive) {
  const std::string good = tar_member("a.txt", "a");
  for (const std::string& size :
       {std::string("00000100000\0", 12), std::string("77777777777\0", 12),
        "\x80" + std::string(4, '\0') + "\x07" + std::string(6, '\xFF')}) {
    const std::string bytes = good + member_of_size(size, "data") + good + tar_end();
    const Seen seen = read(bytes);
    EXPECT_THAT(seen.sink.texts(), ElementsAre("a"));
    EXPECT_THAT(seen.sink.reasons(), ElementsAre("truncated"));
    EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kQuarantine);
    EXPECT_EQ(seen.sink.rejections[0].offset, good.size());
    EXPECT_THAT(seen.sink.rejections[0].detail, HasSubstr("inside member 'bad.txt'"));
    EXPECT_THAT(seen.note_kinds(), ElementsAre("truncated"));
    EXPECT_EQ(seen.counts.bytes, bytes.size());
  }
}

TEST_F(TarTest, LimitsAndEncodings) {
  const std::string bytes = tar_member("big.txt", std::string(2000, 'b')) +
                            tar_member("c.txt", "\xCA\xFD\xBE\xDD\xFF") + tar_member("d.txt", "d") +
                            tar_end();
  decoders_.evidence = {"gb18030", 0.99, "detected", {}, ""};
  const Seen seen = read(bytes, "x.tar", {.max_record_bytes = 1000});
  EXPECT_THAT(seen.sink.texts(), ElementsAre("d"));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("record_too_long", "undecodable"));
  EXPECT_THAT(seen.sink.rejections[1].detail, HasSubstr("in member 'c.txt'"));
}

}  // namespace
}  // namespace headrace::read
