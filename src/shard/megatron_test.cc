// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shard/container.h"
#include "shard/megatron_index.h"
#include "shard/sidecar_index.h"
#include "shard/test_set.h"

namespace headrace::shard {
namespace {

using Tokens = std::vector<std::uint32_t>;

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

Result<ShardEntry> write_shard(const std::string& prefix, const std::string& token_type,
                               const std::vector<Tokens>& samples) {
  auto writer = registry().find("megatron")->create(prefix, {.token_type = token_type});
  if (!writer) return writer.error();
  for (const Tokens& tokens : samples) {
    HEADRACE_RETURN_IF_ERROR((*writer)->add({tokens, Tokens{0}}));
  }
  return (*writer)->finish();
}

// Bytes that NVIDIA's own builder wrote for these sequences.
TEST(MegatronTest, WritesTheBytesOfTheReferenceBuilder) {
  const std::string folder = fresh_folder("megatron_golden");
  const auto entry = write_shard(folder + "/tiny", "uint16", {{10, 20, 50'256}, {30, 50'256}});
  ASSERT_TRUE(entry) << entry.error().message();
  EXPECT_EQ(
      slurp(folder + "/tiny.idx"),
      from_hex("4d4d49444944580000010000000000000008020000000000000003000000000000000300000002"
               "0000000000000000000000060000000000000000000000000000000100000000000000020000"
               "0000000000"));
  EXPECT_EQ(slurp(folder + "/tiny.bin"), from_hex("0a00140050c41e0050c4"));
  EXPECT_EQ(entry->path, "tiny.bin");
  EXPECT_EQ(entry->samples, 2U);
  EXPECT_EQ(entry->tokens, 5U);
  ASSERT_EQ(entry->files.size(), 3U);
  EXPECT_EQ(entry->files[0].path, "tiny.bin");
  EXPECT_EQ(entry->files[0].bytes, 10U);
  EXPECT_EQ(entry->files[1].path, "tiny.idx");
  EXPECT_EQ(entry->files[2].path, "tiny.bin.hri");
  for (const ShardEntry::File& file : entry->files) {
    EXPECT_EQ(file.xxh3_128, to_hex(hash128(slurp(folder + "/" + file.path)))) << file.path;
  }
}

TEST(MegatronTest, ReadsBackWhatItWrote) {
  for (const std::string token_type : {"uint16", "int32"}) {
    for (const std::uint32_t length : {1U, 2U, 300'000U}) {  // the last spans 1 MiB blocks
      const std::string folder = fresh_folder("megatron_round_trip");
      const Manifest manifest = write_test_set(
          folder, {.shard_samples = {9}, .sequence_length = length, .token_type = token_type});
      auto reader = registry().find("megatron")->open(folder, manifest.shards[0]);
      ASSERT_TRUE(reader) << reader.error().message();
      ASSERT_EQ((*reader)->samples(), 9U);
      SampleBuffer sample;
      for (std::uint64_t i = 9; i-- > 0;) {
        ASSERT_TRUE((*reader)->read(i, &sample));
        ASSERT_EQ(sample.tokens.size(), length);
        EXPECT_EQ((*reader)->sample_tokens(i), length);
        for (std::size_t k = 0; k < length; ++k) {
          ASSERT_EQ(static_cast<std::uint32_t>(sample.tokens[k]), test_token(i, k));
        }
        EXPECT_EQ(sample.document_starts, test_starts(i, length));
      }
      EXPECT_EQ((*reader)->read(9, &sample).error().code(), Code::kInvalidArgument);
    }
  }
}

TEST(MegatronTest, SamplesMayDifferInLength) {
  const std::string folder = fresh_folder("megatron_lengths");
  const auto entry = write_shard(folder + "/s", "int32", {{1}, {2, 3, 2'147'483'647}, {4, 5}});
  ASSERT_TRUE(entry);
  auto reader = registry().find("megatron")->open(folder, *entry);
  ASSERT_TRUE(reader);
  SampleBuffer sample;
  ASSERT_TRUE((*reader)->read(1, &sample));
  EXPECT_EQ(sample.tokens, (std::vector<std::int32_t>{2, 3, 2'147'483'647}));
  ASSERT_TRUE((*reader)->read(2, &sample));
  EXPECT_EQ(sample.tokens, (std::vector<std::int32_t>{4, 5}));
}

TEST(MegatronTest, RefusesWhatTheFormatCannotHold) {
  const std::string folder = fresh_folder("megatron_refused");
  const struct {
    std::string token_type;
    Tokens tokens;
    Tokens starts;
    std::string message;
  } cases[] = {
      {"uint16", {1, 65'536}, {0}, "s.bin, sample 1: token 65536 at place 1 does not fit uint16"},
      {"int32", {2'147'483'648}, {0}, "token 2147483648 at place 0 does not fit int32"},
      {"int32", {}, {}, "no tokens"},
      {"int32", {1, 2}, {}, "document starts"},
      {"int32", {1, 2}, {1}, "document starts"},
      {"int32", {1, 2}, {0, 0}, "document starts"},
      {"int32", {1, 2}, {0, 2}, "document starts"},
  };
  for (const auto& refused : cases) {
    auto writer =
        registry().find("megatron")->create(folder + "/s", {.token_type = refused.token_type});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->add({Tokens{7}, Tokens{0}}));
    const auto added = (*writer)->add({refused.tokens, refused.starts});
    ASSERT_FALSE(added) << refused.message;
    EXPECT_EQ(added.error().code(), Code::kInvalidArgument);
    EXPECT_NE(added.error().message().find(refused.message), std::string::npos)
        << added.error().message();
    // The refused sample left nothing behind.
    ASSERT_TRUE((*writer)->add({Tokens{8}, Tokens{0}}));
    const auto entry = (*writer)->finish();
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->samples, 2U);
    EXPECT_EQ(entry->tokens, 2U);
  }
  EXPECT_EQ(registry().find("megatron")->create(folder + "/s", {"uint32"}).error().code(),
            Code::kInvalidArgument);
}

TEST(MegatronTest, NothingStandsUnderAFinalNameBeforeFinish) {
  const std::string folder = fresh_folder("megatron_unfinished");
  {
    auto writer = registry().find("megatron")->create(folder + "/s", {});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->add({Tokens{7}, Tokens{0}}));
    EXPECT_FALSE(std::filesystem::exists(folder + "/s.bin"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(MegatronTest, AFinishThatFailsLeavesNothing) {
  const std::string folder = fresh_folder("megatron_blocked");
  std::filesystem::create_directories(folder + "/s.bin.hri/in_the_way");
  {
    auto writer = registry().find("megatron")->create(folder + "/s", {});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->add({Tokens{7}, Tokens{0}}));
    EXPECT_FALSE((*writer)->finish());
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/s.bin"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/s.idx"));
}

TEST(MegatronTest, TheSameSamplesGiveTheSameBytes) {
  const std::string a = fresh_folder("megatron_same_a");
  const std::string b = fresh_folder("megatron_same_b");
  EXPECT_EQ(format_manifest(write_test_set(a)), format_manifest(write_test_set(b)));
}

TEST(MegatronTest, DamagedSampleIsNamed) {
  const std::string folder = fresh_folder("megatron_damaged");
  const Manifest manifest = write_test_set(folder, {.shard_samples = {4}});
  const std::string path = folder + "/shard-00000.bin";
  std::string bytes = slurp(path);
  bytes[2 * 32 + 5] ^= 0x10;  // 16 tokens of 2 bytes each: inside sample 2
  spill(path, bytes);
  auto reader = registry().find("megatron")->open(folder, manifest.shards[0]);
  ASSERT_TRUE(reader);
  SampleBuffer sample;
  EXPECT_TRUE((*reader)->read(1, &sample));
  EXPECT_TRUE((*reader)->read(3, &sample));
  const auto read = (*reader)->read(2, &sample);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), Code::kCorrupt);
  EXPECT_NE(read.error().message().find(path + ": sample 2 at offset 64 (32 bytes)"),
            std::string::npos)
      << read.error().message();
}

TEST(MegatronTest, OpenFindsFilesThatDoNotBelongTogether) {
  const std::string folder = fresh_folder("megatron_mixed_up");
  const Manifest manifest = write_test_set(folder, {.shard_samples = {4, 5}});
  const auto open = registry().find("megatron")->open;
  const auto swapped_index = [&](const char* extension) {
    const std::string a = folder + "/shard-00000" + extension;
    const std::string b = folder + "/shard-00001" + extension;
    const std::string bytes = slurp(a);
    spill(a, slurp(b));
    spill(b, bytes);
  };
  swapped_index(".bin.hri");
  EXPECT_EQ(open(folder, manifest.shards[0]).error().code(), Code::kCorrupt);
  swapped_index(".bin.hri");
  EXPECT_TRUE(open(folder, manifest.shards[0]));
  std::filesystem::resize_file(folder + "/shard-00000.bin", 100);
  EXPECT_EQ(open(folder, manifest.shards[0]).error().code(), Code::kCorrupt);
  std::filesystem::remove(folder + "/shard-00001.bin");
  EXPECT_EQ(open(folder, manifest.shards[1]).error().code(), Code::kNotFound);
}

// Found by fuzzing: all checksums fit, and still the reader refuses a sample.
TEST(MegatronTest, VerifyFindsWhatTheReaderRefuses) {
  const std::string folder = fresh_folder("megatron_refused");
  ShardEntry entry = write_test_set(folder, {.shard_samples = {2}, .sequence_length = 4}).shards[0];
  const std::string tokens = slurp(folder + "/" + entry.path);
  ASSERT_EQ(tokens.size(), 16U);
  const auto damage_of = [&](std::size_t cut, std::vector<std::uint32_t> starts) {
    SidecarBuilder index;
    index.add_sample(std::string_view(tokens).substr(0, cut), starts);
    index.add_sample(std::string_view(tokens).substr(cut), std::vector<std::uint32_t>{0});
    spill(folder + "/" + sidecar_path(entry.path), index.format());
    const std::vector<std::uint32_t> lengths = {static_cast<std::uint32_t>(cut / 2),
                                                static_cast<std::uint32_t>((16 - cut) / 2)};
    spill(folder + "/shard-00000.idx", format_megatron_index(2, lengths));
    std::vector<Damage> broken;
    registry().find("megatron")->verify(folder, entry, &broken);
    std::string text;
    for (const Damage& damage : broken) text += std::to_string(damage.sample) + damage.what + "\n";
    return text;
  };
  EXPECT_EQ(damage_of(8, {0, 3}), "");
  EXPECT_THAT(damage_of(8, {0, 4}),
              testing::HasSubstr("has 4 tokens, a document of it starts at 4"));
  EXPECT_THAT(damage_of(7, {0}), testing::HasSubstr("sample 0 has 7 bytes, no whole number"));
  EXPECT_THAT(damage_of(7, {0}), testing::HasSubstr("sample 1 has 9 bytes, no whole number"));
}

TEST(MegatronIndexTest, DifferencesAreNamedByField) {
  const std::vector<std::uint32_t> lengths = {3, 2};
  const std::string good = format_megatron_index(2, lengths);
  EXPECT_EQ(describe_index_difference(good, good, 2), "");
  const struct {
    std::size_t offset;
    std::string what;
  } cases[] = {
      {9, "byte at offset 9 is 0x03, expected 0x01"},
      {38, "length of sequence 1 (offset 38) is 0, expected 2"},
      {50, "pointer of sequence 1 (offset 50) is 4, expected 6"},
      {74, "document boundary 2 (offset 74) is 0, expected 2"},
  };
  for (const auto& damaged : cases) {
    std::string bytes = good;
    bytes[damaged.offset] ^= 2;
    EXPECT_EQ(describe_index_difference(good, bytes, 2), damaged.what);
  }
  EXPECT_EQ(describe_index_difference(good, good.substr(0, 80), 2), "80 bytes, expected 82");
}

TEST(MegatronIndexTest, ForeignHeadersAreRefused) {
  const std::string good = format_megatron_index(4, std::vector<std::uint32_t>{1});
  ASSERT_TRUE(megatron_token_width(good, "x.idx"));
  EXPECT_EQ(*megatron_token_width(good, "x.idx"), 4U);
  for (const std::size_t offset : {0U, 8U, 9U, 17U}) {
    std::string bytes = good;
    bytes[offset] ^= 1;
    EXPECT_EQ(megatron_token_width(bytes, "x.idx").error().code(), Code::kCorrupt) << offset;
  }
  EXPECT_FALSE(megatron_token_width(good.substr(0, 33), "x.idx"));
}

}  // namespace
}  // namespace headrace::shard
