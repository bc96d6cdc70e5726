// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "headrace/shard_set.h"

#include "base/counter_rng.h"
#include "shard/test_set.h"

namespace headrace {
namespace {

using shard::slurp;
using shard::spill;

VerifyReport verified(const std::string& folder, std::size_t threads = 1) {
  const Result<VerifyReport> report = verify_shards(folder, {.threads = threads});
  EXPECT_TRUE(report) << report.error().message();
  return report.value_or(VerifyReport{});
}

std::string all_damage(const VerifyReport& report) {
  std::string text;
  for (const Damage& damage : report.broken) {
    text += damage.shard + " #" + std::to_string(damage.sample) + ": " + damage.what + "\n";
  }
  return text;
}

bool says(const VerifyReport& report, const std::string& what) {
  return all_damage(report).find(what) != std::string::npos;
}

TEST(VerifyTest, AWholeSetIsOk) {
  const std::string folder = shard::fresh_folder("verify_whole");
  const Manifest manifest = shard::write_test_set(folder);
  const VerifyReport report = verified(folder);
  EXPECT_TRUE(report.ok) << all_damage(report);
  EXPECT_EQ(report.shards, 3U);
  EXPECT_EQ(report.samples, 15U);
  std::uint64_t bytes = 0;
  for (const ShardEntry& entry : manifest.shards)
    for (const ShardEntry::File& file : entry.files) bytes += file.bytes;
  EXPECT_EQ(report.bytes, bytes);
}

// A hundred places and more over all files: each found, and the file named that it is in.
TEST(VerifyTest, AnyFlippedBitIsFoundAndNamed) {
  const std::string folder = shard::fresh_folder("verify_flipped");
  shard::write_test_set(folder, {.shard_samples = {6, 5}, .sequence_length = 24});
  std::vector<std::string> names;
  for (const auto& item : std::filesystem::directory_iterator(folder))
    names.push_back(item.path().filename().string());
  std::sort(names.begin(), names.end());
  ASSERT_EQ(names.size(), 7U);
  const CounterRng rng(11, purpose("flip"));
  std::uint64_t draw = 0;
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    const std::string good = slurp(path);
    for (int k = 0; k < 40; ++k) {
      std::string bytes = good;
      const std::uint64_t bit = rng.below(draw++, good.size() * 8);
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      spill(path, bytes);
      const VerifyReport report = verified(folder);
      ASSERT_FALSE(report.ok) << name << " bit " << bit;
      EXPECT_TRUE(says(report, name)) << name << " bit " << bit << "\n" << all_damage(report);
      if (name.ends_with(".bin")) {
        const auto sample = static_cast<std::int64_t>(bit / 8 / (24 * 2));
        EXPECT_TRUE(std::any_of(report.broken.begin(), report.broken.end(),
                                [&](const Damage& damage) { return damage.sample == sample; }))
            << name << " sample " << sample << "\n"
            << all_damage(report);
        EXPECT_TRUE(says(report, "block 0 at offset 0"));
      }
    }
    spill(path, good);
  }
  EXPECT_TRUE(verified(folder).ok);
}

TEST(VerifyTest, SamplesThatCrossBlocksAreCheckedWhole) {
  const std::string folder = shard::fresh_folder("verify_blocks");
  shard::write_test_set(folder,
                        {.shard_samples = {7}, .sequence_length = 300'000, .token_type = "int32"});
  ASSERT_TRUE(verified(folder).ok);
  const std::string path = folder + "/shard-00000.bin";
  std::string bytes = slurp(path);
  bytes[3 * 1'200'000 - 1] ^= 1;  // last byte of sample 2, in block 3
  spill(path, bytes);
  const VerifyReport report = verified(folder);
  ASSERT_EQ(report.broken.size(), 3U) << all_damage(report);
  EXPECT_NE(report.broken[0].what.find("XXH3-128"), std::string::npos);
  EXPECT_NE(report.broken[1].what.find("block 3 at offset 3145728"), std::string::npos);
  EXPECT_EQ(report.broken[2].sample, 2);
}

TEST(VerifyTest, MissingExtraAndTruncatedFilesAreNamed) {
  const std::string folder = shard::fresh_folder("verify_files");
  shard::write_test_set(folder);
  spill(folder + "/README.md", "hello");  // nobody's business
  EXPECT_TRUE(verified(folder).ok);
  spill(folder + "/shard-00009.bin", "x");
  const VerifyReport extra = verified(folder);
  ASSERT_EQ(extra.broken.size(), 1U);
  EXPECT_EQ(extra.broken[0].shard, "shard-00009.bin");
  std::filesystem::remove(folder + "/shard-00009.bin");

  std::filesystem::resize_file(folder + "/shard-00001.bin", 50);
  std::filesystem::remove(folder + "/shard-00002.idx");
  const VerifyReport report = verified(folder);
  EXPECT_TRUE(says(report, "shard-00001.bin: 50 bytes, the manifest says 96"));
  EXPECT_TRUE(says(report, "shard-00002.idx"));
  for (const Damage& damage : report.broken) EXPECT_NE(damage.shard, "shard-00000.bin");
}

// Files that are whole in themselves but not the ones that the run wrote.
TEST(VerifyTest, ExchangedShardsAreFound) {
  const std::string folder = shard::fresh_folder("verify_exchanged");
  shard::write_test_set(folder, {.shard_samples = {4, 4}});
  for (const char* extension : {".bin", ".idx", ".bin.hri"}) {
    const std::string a = folder + "/shard-00000" + extension;
    const std::string b = folder + "/shard-00001" + extension;
    std::filesystem::rename(a, folder + "/tmp");
    std::filesystem::rename(b, a);
    std::filesystem::rename(folder + "/tmp", b);
  }
  const VerifyReport report = verified(folder);
  EXPECT_FALSE(report.ok);
  EXPECT_TRUE(says(report, "shard-00000.bin: XXH3-128"));
}

// A manifest that is sealed and wrong: what a mistaken writer would leave.
TEST(VerifyTest, ManifestsThatDoNotFitTheFilesAreFound) {
  const std::string folder = shard::fresh_folder("verify_manifest");
  const Manifest good = shard::write_test_set(folder);
  const auto with = [&](const Manifest& manifest) {
    spill(folder + "/manifest.json", format_manifest(manifest));
    return verified(folder);
  };
  Manifest bad = good;
  bad.shards[1].samples += 1;
  bad.samples += 1;
  EXPECT_TRUE(says(with(bad), "4 samples and 48 tokens by the manifest"));
  bad = good;
  bad.sequence_length = 17;
  EXPECT_TRUE(says(with(bad), "sample 0 has 16 tokens, the manifest says 17"));
  bad = good;
  bad.token_type = "int32";
  EXPECT_TRUE(says(with(bad), "do not fit the manifest's token type 'int32'"));
  bad = good;
  bad.samples += 1;
  EXPECT_TRUE(says(with(bad), "key 'samples': 16, but the shards have 15"));
  EXPECT_TRUE(with(good).ok);
}

TEST(VerifyTest, TheReportDoesNotDependOnThreads) {
  const std::string folder = shard::fresh_folder("verify_threads");
  shard::write_test_set(folder, {.shard_samples = {4, 5, 6, 7, 8}});
  for (const char* name : {"/shard-00001.bin", "/shard-00003.idx", "/shard-00004.bin.hri"}) {
    std::string bytes = slurp(folder + name);
    bytes[40] ^= 4;
    spill(folder + name, bytes);
  }
  const std::string one = all_damage(verified(folder, 1));
  EXPECT_FALSE(one.empty());
  for (const std::size_t threads : {2U, 4U, 0U})
    EXPECT_EQ(all_damage(verified(folder, threads)), one);
}

TEST(VerifyTest, ARuinedShardDoesNotFloodTheReport) {
  const std::string folder = shard::fresh_folder("verify_ruined");
  shard::write_test_set(folder, {.shard_samples = {1000}, .sequence_length = 4});
  const std::string path = folder + "/shard-00000.bin";
  spill(path, std::string(slurp(path).size(), '\0'));
  const VerifyReport report = verified(folder);
  EXPECT_LT(report.broken.size(), 250U);
  EXPECT_TRUE(says(report, "801 more blocks or samples are damaged"));
}

TEST(VerifyTest, WithoutAManifestNothingCanBeSaid) {
  const std::string folder = shard::fresh_folder("verify_nothing");
  EXPECT_EQ(verify_shards(folder).error().code(), Code::kNotFound);
  Manifest manifest;
  manifest.format = "mds";
  spill(folder + "/manifest.json", format_manifest(manifest));
  EXPECT_EQ(verify_shards(folder).error().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace headrace
