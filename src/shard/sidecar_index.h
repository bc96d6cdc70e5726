// SPDX-License-Identifier: Apache-2.0
// The sidecar index (.hri) of a shard: where its samples lie in the main file, and the checksums
// that container formats lack. Byte layout: docs/formats/sidecar_index.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::shard {

inline constexpr std::uint32_t kSidecarVersion = 1;
inline constexpr std::uint64_t kBlockBytes = 1 << 20;  // part of the format

// Path of the sidecar of a main file.
std::string sidecar_path(std::string_view main_path);

// Where a sample lies in the main file.
struct SampleRecord {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t crc32c = 0;
  bool operator==(const SampleRecord&) const = default;
};

// Collects an index while the main file is written front to back. Single-threaded.
class SidecarBuilder {
 public:
  // One sample: its bytes in the main file and the starts of its documents in units of the
  // container (tokens), ascending, the first 0. `bytes` is shorter than 4 GiB.
  void add_sample(std::string_view bytes, std::span<const std::uint32_t> document_starts);
  // Bytes of the main file that belong to no sample: headers, padding.
  void add_bytes(std::string_view bytes);
  // A sample whose bytes are handed to add_bytes(); in the order of the offsets.
  void add_record(const SampleRecord& record);

  const std::vector<SampleRecord>& samples() const { return samples_; }
  std::uint64_t main_bytes() const { return main_bytes_; }

  // The bytes of the .hri.
  std::string format() const;

 private:
  std::uint64_t main_bytes_ = 0;
  std::vector<SampleRecord> samples_;
  std::vector<std::uint32_t> block_crc32c_;   // of all blocks but the last
  std::uint32_t open_block_crc32c_ = 0;       // of the last block, so far
  std::vector<std::uint64_t> document_ends_;  // per sample: entries of document_starts_ so far
  std::vector<std::uint32_t> document_starts_;
};

// A parsed index. It owns the bytes of the file and reads them in place, so that thousands of
// shards cost no more memory than their sidecars have bytes. Immutable: thread-safe. Movable.
class SidecarIndex {
 public:
  // Checks everything that can be checked without the main file: magic, version, exact size, its
  // own CRC32C, samples inside the main file and in order, document starts ascending from 0.
  // `path` names the file in errors (Code::kCorrupt; a newer version: Code::kUnsupported).
  static Result<SidecarIndex> parse(std::string bytes, const std::string& path);

  std::uint64_t main_bytes() const { return main_bytes_; }
  std::uint64_t samples() const { return samples_; }
  std::uint64_t blocks() const { return blocks_; }

  SampleRecord sample(std::uint64_t i) const;             // i < samples()
  std::uint32_t block_crc32c(std::uint64_t block) const;  // block < blocks()
  // Replaces `starts` by the document starts of sample i.
  void document_starts(std::uint64_t i, std::vector<std::uint32_t>* starts) const;

  std::uint64_t memory_bytes() const { return bytes_.capacity() + sizeof(*this); }

 private:
  explicit SidecarIndex(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<void> check_layout(const std::string& path);
  Result<void> check_samples(const std::string& path) const;
  std::uint64_t document_end(std::uint64_t i) const;  // entries of samples 0 … i - 1

  std::string bytes_;
  std::uint64_t main_bytes_ = 0;
  std::uint64_t samples_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t document_starts_ = 0;
  // Where the sections begin in bytes_.
  std::uint64_t blocks_at_ = 0;
  std::uint64_t document_ends_at_ = 0;
  std::uint64_t document_starts_at_ = 0;
};

}  // namespace headrace::shard
