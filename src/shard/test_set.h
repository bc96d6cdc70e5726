// SPDX-License-Identifier: Apache-2.0
// For tests only: small shard sets made by the writer itself, with tokens that say where they
// stand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "io/file.h"
#include "io/test_folder.h"
#include "shard/container.h"
#include "shard/manifest.h"

namespace headrace::shard {

struct TestSetOptions {
  std::vector<std::uint64_t> shard_samples = {5, 3, 7};
  std::uint32_t sequence_length = 16;
  std::string token_type = "uint16";
};

// Token k of the sample with this ordinal in the set.
inline std::uint32_t test_token(std::uint64_t ordinal, std::uint64_t k) {
  return static_cast<std::uint32_t>(CounterRng(ordinal, purpose("test_token")).below(k, 50'000));
}

// Document starts of a sample: 0, and two more in every other one.
inline std::vector<std::uint32_t> test_starts(std::uint64_t ordinal, std::uint32_t length) {
  if (ordinal % 2 == 0 || length < 4) return {0};
  return {0, 1 + static_cast<std::uint32_t>(ordinal % (length / 2)), length - 1};
}

// An empty folder of this name, below one that no other process uses and that goes when this one
// ends.
inline std::string fresh_folder(const std::string& name) {
  static const io::TestFolder parent;
  const std::string folder = parent / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

inline std::string slurp(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

inline void spill(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Writes the set and its manifest into `folder`.
inline Manifest write_test_set(const std::string& folder, const TestSetOptions& options = {}) {
  Manifest manifest;
  manifest.format = "megatron";
  manifest.seed = 7;
  manifest.sequence_length = options.sequence_length;
  manifest.token_type = options.token_type;
  manifest.vocabulary_size = 50'000;
  manifest.domains = {{"news", 3, 100}};
  std::uint64_t ordinal = 0;
  for (std::size_t i = 0; i < options.shard_samples.size(); ++i) {
    const std::string prefix = folder + "/shard-0000" + std::to_string(i);
    auto writer = registry().find("megatron")->create(prefix, {.token_type = options.token_type});
    EXPECT_TRUE(writer) << writer.error().message();
    for (std::uint64_t s = 0; s < options.shard_samples[i]; ++s, ++ordinal) {
      std::vector<std::uint32_t> tokens(options.sequence_length);
      for (std::size_t k = 0; k < tokens.size(); ++k) tokens[k] = test_token(ordinal, k);
      const auto added = (*writer)->add({tokens, test_starts(ordinal, options.sequence_length)});
      EXPECT_TRUE(added) << added.error().message();
    }
    auto entry = (*writer)->finish();
    EXPECT_TRUE(entry) << entry.error().message();
    manifest.samples += entry->samples;
    manifest.tokens += entry->tokens;
    manifest.shards.push_back(*entry);
  }
  EXPECT_TRUE(io::write_file_atomic(manifest_path(folder), format_manifest(manifest)));
  return manifest;
}

}  // namespace headrace::shard
