// SPDX-License-Identifier: Apache-2.0
// Text without added tokens → ids, by byte-level BPE.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/simd_level.h"
#include "tokenize/bpe_tables.h"
#include "tokenize/junctions.h"
#include "tokenize/piece_cache.h"
#include "tokenize/piece_finder.h"

namespace headrace::tokenize {

// What a tokenizer has for it. All of it must outlive the encoder.
struct BpeModel {
  const Splitter& splitter;
  const Junctions& junctions;
  const BpeTables& tables;
  const BpeTables::WholePieces& unreachable;
};

// Single-threaded.
class PieceEncoder {
 public:
  PieceEncoder(const BpeModel& model, SimdLevel level);

  // Appends the ids of `text`, valid UTF-8 of less than 2 GiB. With `nfc` the text is normalized
  // first, if it must be.
  void encode(std::string_view text, bool nfc, std::vector<std::uint32_t>* ids);

 private:
  static constexpr std::size_t kBatch = 256;
  static constexpr std::size_t kStarts = 2048;

  // A batch of pieces, between the loops. Counts above kMostShortIds are these:
  static constexpr std::uint8_t kLook =
      PieceCache::Value::kElsewhere;       // in the second table, or merge
  static constexpr std::uint8_t kJob = 8;  // ids[0] is the job that has the ids
  struct Batch {
    PieceCache::Key keys[kBatch];
    PieceCache::Value values[kBatch];
    std::uint32_t hashes[kBatch];
    std::uint16_t missed[kBatch];
    std::uint8_t counts[kBatch];
  };

  std::string_view piece(const std::uint32_t* start) const {
    const std::uint32_t begin = start[0] & ~kPartBit;
    return text_.substr(begin, (start[1] & ~kPartBit) - begin);
  }
  // With ignore_merges a whole piece may be an entry that merging does not make.
  const std::uint32_t* unreachable(std::string_view piece) const;
  bool is_whole(const std::uint32_t* start) const {
    return ((start[0] | start[1]) & kPartBit) == 0;
  }

  void encode_pieces(std::size_t count, std::vector<std::uint32_t>* ids);
  void make_keys(const std::uint32_t* starts, std::uint32_t count);
  void resolve(const std::uint32_t* starts, std::uint32_t missed);
  bool start_job(std::string_view piece, std::uint32_t which);
  void finish_job(const MergeJob& job);
  void emit(const std::uint32_t* starts, std::uint32_t count, std::vector<std::uint32_t>* ids);
  std::span<const std::uint32_t> slow(const std::uint32_t* start);
  std::span<const std::uint32_t> merge(std::string_view piece);

  const BpeModel model_;
  const MergeKernels& merge_kernels_;
  PieceFinder finder_;
  PieceCache cache_;
  std::string_view text_;
  std::string normalized_;
  std::vector<std::uint32_t> starts_;
  Batch batch_;
  std::vector<MergeJob> jobs_;
  std::uint32_t job_count_ = 0;
  std::vector<std::uint16_t> active_;
  std::vector<std::uint32_t> made_;  // ids of one batch
  std::vector<std::uint32_t> merged_;
  MergeScratch scratch_;
  BacktrackScratch backtrack_scratch_;
};

}  // namespace headrace::tokenize
