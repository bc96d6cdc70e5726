// SPDX-License-Identifier: Apache-2.0
#include "io/gzip_member_reader.h"

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "io/test_compress.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

using State = GzipMembers::State;

// Does not compress, so that members span blocks of the file.
std::string noise(std::size_t size, std::uint64_t key) {
  const CounterRng rng(key, purpose("noise"));
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(rng.at(i));
  return bytes;
}

class GzipMembersTest : public testing::Test {
 protected:
  GzipMembers open(std::string_view bytes, std::uint64_t begin = 0) {
    return GzipMembers(RandomFile::open(folder_.put("x.gz", bytes)).value(), begin);
  }

  static std::string read(GzipMembers& members, State* state, std::size_t step = 1000) {
    std::string all;
    std::string buffer(step, '\0');
    do {
      std::size_t got = 0;
      *state = members.read(buffer.data(), step, &got).value();
      all.append(buffer, 0, got);
    } while (*state == State::kInside);
    return all;
  }

  TestFolder folder_;
};

TEST_F(GzipMembersTest, MembersAndTheirPlaces) {
  // Sizes such that a member ends at any place of a block of the file.
  std::vector<std::string> texts = {"one", "", noise(300'000, 1), noise(262'100, 2), "last"};
  std::string file;
  std::vector<std::uint64_t> places;
  for (const std::string& text : texts) {
    places.push_back(file.size());
    file += gzip(text);
  }
  GzipMembers members = open(file);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(members.next().value(), State::kInside) << i;
    EXPECT_EQ(members.member(), places[i]);
    State state;
    EXPECT_EQ(read(members, &state), texts[i]) << i;
    EXPECT_EQ(state, State::kBetween) << i << members.detail();
  }
  EXPECT_EQ(members.next().value(), State::kEnd);
  EXPECT_EQ(members.position(), file.size());

  GzipMembers from = open(file, places[3]);
  ASSERT_EQ(from.next().value(), State::kInside);
  State state;
  EXPECT_EQ(read(from, &state, 1 << 20), texts[3]);
}

TEST_F(GzipMembersTest, EveryEndOfABlock) {
  // isa-l gives bytes back across the border of two reads of the file.
  const std::string longest = noise(262'140, 1);
  for (std::size_t size = 262'060; size < longest.size(); ++size) {
    const std::string text = longest.substr(0, size);
    GzipMembers members = open(gzip(text) + gzip("second"));
    State state;
    ASSERT_EQ(members.next().value(), State::kInside);
    ASSERT_EQ(read(members, &state, 1 << 20), text);
    ASSERT_EQ(state, State::kBetween) << size << members.detail();
    ASSERT_EQ(members.next().value(), State::kInside) << size;
    ASSERT_EQ(read(members, &state), "second") << size;
  }
}

TEST_F(GzipMembersTest, DamageIsToldAndTheNextMemberFound) {
  const std::string first = gzip("WARC/ first " + noise(2000, 1));
  const std::string second = gzip("WARC/ second " + noise(2000, 2));
  std::string file = first + second + gzip("other") + gzip("WARC/ third");
  file[first.size() / 2] = static_cast<char>(~file[first.size() / 2]);
  GzipMembers members = open(file);
  State state;
  ASSERT_EQ(members.next().value(), State::kInside);
  read(members, &state);
  EXPECT_EQ(state, State::kCorrupt);
  EXPECT_NE(members.detail().find("starts at offset 0"), std::string::npos) << members.detail();

  const auto is_record = [](std::string_view front) { return front.starts_with("WARC/"); };
  const auto found = find_gzip_member(members.file(), 1, file.size(), is_record).value();
  ASSERT_EQ(found, first.size());
  members.seek(*found);
  ASSERT_EQ(members.next().value(), State::kInside);
  EXPECT_TRUE(read(members, &state).starts_with("WARC/ second"));
  EXPECT_EQ(state, State::kBetween);
  // Members of other content are passed over; the limit is exclusive.
  const std::size_t third = file.size() - gzip("WARC/ third").size();
  EXPECT_EQ(find_gzip_member(members.file(), *found + 1, file.size(), is_record).value(), third);
  EXPECT_EQ(find_gzip_member(members.file(), *found + 1, third, is_record).value(), std::nullopt);
  EXPECT_EQ(find_gzip_member(members.file(), file.size(), ~std::uint64_t{0}, is_record).value(),
            std::nullopt);
}

TEST_F(GzipMembersTest, BadEnds) {
  const std::string text = noise(5000, 1);
  const std::string member = gzip(text);
  State state;
  for (const std::size_t size :
       {std::size_t{2}, std::size_t{9}, std::size_t{100}, member.size() - 9, member.size() - 1}) {
    GzipMembers members = open(std::string_view(member).substr(0, size));
    ASSERT_EQ(members.next().value(), State::kInside);
    const std::string got = read(members, &state);
    EXPECT_EQ(state, State::kTruncated) << size;
    EXPECT_TRUE(text.starts_with(got));
  }
  GzipMembers one_byte = open("\x1f");
  EXPECT_EQ(one_byte.next().value(), State::kTruncated);
  GzipMembers garbage = open(member + "garbage");
  ASSERT_EQ(garbage.next().value(), State::kInside);
  EXPECT_EQ(read(garbage, &state), text);
  EXPECT_EQ(garbage.next().value(), State::kGarbage);
  GzipMembers empty = open("");
  EXPECT_EQ(empty.next().value(), State::kEnd);

  // "a", and a copy from in front of it: what is good comes out for any room.
  const std::string behind_start("\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\x04\x42\0\0\0\0\0\0\0", 20);
  for (const std::size_t step : {1, 7, 1000}) {
    GzipMembers damaged = open(member + behind_start + member);
    ASSERT_EQ(damaged.next().value(), State::kInside);
    EXPECT_EQ(read(damaged, &state), text);
    ASSERT_EQ(damaged.next().value(), State::kInside);
    EXPECT_EQ(read(damaged, &state, step), "a");
    EXPECT_EQ(state, State::kCorrupt);
  }
  std::string reserved = member;
  reserved[3] = '\x20';  // a flag without a meaning
  GzipMembers refused = open(reserved);
  ASSERT_EQ(refused.next().value(), State::kInside);
  EXPECT_EQ(read(refused, &state), "");
  EXPECT_EQ(state, State::kCorrupt);

  std::string bad_sum = member;
  bad_sum[member.size() - 6] ^= 1;
  GzipMembers checked = open(bad_sum);
  ASSERT_EQ(checked.next().value(), State::kInside);
  EXPECT_EQ(read(checked, &state), text);
  EXPECT_EQ(state, State::kCorrupt);
}

}  // namespace
}  // namespace headrace::io
