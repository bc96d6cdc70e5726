// SPDX-License-Identifier: Apache-2.0
// The online half: batches of a shard set for one rank, in an order that no world size changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

struct FeedOptions {
  // --- affects results (hashed into the resume fingerprint) ---
  std::string set;           // a manifest.json or its folder
  std::uint32_t length = 0;  // tokens per sample; must equal the set's; 0 = the set's
  std::uint64_t seed = 0;
  bool shuffle = true;       // false: manifest order, the same every epoch
  std::uint32_t lanes = 64;  // L: the largest world expected, or more; fewer for small sets
  // W: positions of a lane that are shuffled together; more = better mixed, more random reads.
  // Lanes and windows: docs/rooms/13-shuffle.md.
  std::uint32_t window = 4096;

  // --- who reads what (not hashed: any world continues the same sequence) ---
  std::uint32_t batch = 1;  // samples per batch of this rank; the global batch is batch * world
  std::uint32_t rank = 0;
  std::uint32_t world = 1;
  std::optional<std::uint64_t> epochs;  // end after so many; nothing = for ever

  // --- speed only ---
  std::uint64_t prefetch_bytes = 256 << 20;  // bound on ready batches
  std::size_t threads = 2;                   // readers
};

// Row-major arrays of one batch. The last batch of the last epoch may have fewer rows, even none:
// all ranks make the same number of steps.
struct Batch {
  std::uint32_t rows = 0;
  std::uint32_t length = 0;
  // [rows, length]; behind a sample that is shorter (packing best_fit or padded) the end token
  std::vector<std::int32_t> tokens;
  // [rows, length]: tokens moved left by one; the last and padding are -100 (no target)
  std::vector<std::int32_t> labels;
  // [rows, length]: ordinal of the document inside the sample, from 0; -1 for padding
  std::vector<std::int32_t> segment_ids;
  // [rows]: ordinal of the sample in the set, manifest order
  std::vector<std::uint64_t> sample_ids;
  // samples consumed by all ranks once this batch is used
  std::uint64_t consumed = 0;
};

struct FeedState {
  static constexpr int kVersion = 1;
  int version = kVersion;
  std::string fingerprint;     // of the set and of the options that affect results
  std::uint64_t consumed = 0;  // samples, all ranks together
};

// One rank's feed. Movable. next() is for one thread; the readers are its own.
class Feed {
 public:
  static Result<Feed> open(const FeedOptions& options);
  ~Feed();
  Feed(Feed&&) noexcept;
  Feed& operator=(Feed&&) noexcept;

  // The next batch; nothing after the last epoch. A damaged sample is an error (Code::kCorrupt)
  // that names it; the state stays before its batch, and the next call tries that batch again.
  Result<std::optional<Batch>> next();

  // After the last batch that next() returned; batches read ahead do not count.
  FeedState state() const;
  // Continues from `state`: same fingerprint, any world. Errors name what differs.
  Result<void> load_state(const FeedState& state);

  std::uint64_t samples() const;  // per epoch
  std::uint32_t length() const;
  const FeedOptions& options() const;

 private:
  struct Impl;
  explicit Feed(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace headrace
