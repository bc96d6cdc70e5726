// SPDX-License-Identifier: Apache-2.0
// The contract between the offline and the online half: ordinary container files plus one
// manifest.json. Byte layouts: docs/formats/manifest.md and docs/formats/sidecar_index.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

struct ShardEntry {
  // Of the main file, relative to the manifest; its parts and its .hri lie beside it.
  std::string path;
  std::uint64_t samples = 0;
  std::uint64_t tokens = 0;
  struct File {
    std::string path;  // relative to the manifest
    std::uint64_t bytes = 0;
    std::string xxh3_128;  // 32 hex digits
  };
  std::vector<File> files;  // every file of the shard, the main one first, the sidecar last
};

struct DomainEntry {
  std::string name;
  std::uint64_t documents = 0;
  std::uint64_t tokens = 0;
};

struct Manifest {
  // Readers accept all older, refuse newer. Only sets whose samples may be shorter than
  // sequence_length say 2.
  static constexpr int kVersion = 2;

  std::string format;  // "megatron"
  std::uint64_t seed = 0;
  std::uint64_t samples = 0;
  std::uint64_t tokens = 0;
  std::uint32_t sequence_length = 0;  // 0: samples differ in length
  // "concat" | "best_fit" | "padded" | "none"; "" in sets of before it was said.
  std::string packing;
  std::string token_type;  // "uint16" | "int32"
  std::string tokenizer_sha256;
  std::string tokenizer_path;
  std::uint64_t vocabulary_size = 0;
  std::string end_token;  // its name
  std::optional<std::uint32_t> end_token_id;
  std::vector<std::uint32_t> begin_token_ids;  // before each document
  std::uint64_t leftover_tokens = 0;           // in the tail that filled no sequence
  std::uint64_t padding_tokens = 0;            // that samples lack; they are not stored
  std::string run_fingerprint;                 // lineage
  std::vector<DomainEntry> domains;
  std::vector<ShardEntry> shards;

  // Samples have at most sequence_length tokens, not all as many.
  bool may_be_shorter() const { return packing == "best_fit" || packing == "padded"; }
};

// `path`: a manifest.json, or the folder that holds one.
Result<Manifest> read_manifest(const std::string& path);
// One canonical form: the same manifest gives the same bytes.
std::string format_manifest(const Manifest& manifest);

// A sample as it lies in the set.
struct SampleView {
  std::uint64_t number = 0;  // in the set, manifest order
  std::span<const std::int32_t> tokens;
  std::span<const std::uint32_t> document_starts;  // ascending, the first 0
};

// Calls see(sample) for `count` samples from `first` on, or as many as there are, until it returns
// false. Each is checked by its CRC32C. `path` as above.
Result<void> read_samples(const std::string& path, std::uint64_t first, std::uint64_t count,
                          const std::function<bool(const SampleView&)>& see);

struct Damage {
  std::string shard;         // path as in the manifest, or as in the run directory
  std::int64_t sample = -1;  // -1: not one sample but a file
  std::string what;          // what was expected and what was found, with the offset
};

// How far a run is that has not come to its end.
struct Unfinished {
  std::string stage;        // the first that is not done, by the word of the books
  std::uint64_t tasks = 0;  // 0: it has not begun
  std::uint64_t tasks_done = 0;
};

struct VerifyReport {
  bool ok = false;  // nothing is broken, and a run is finished
  std::uint64_t shards = 0;
  std::uint64_t samples = 0;
  std::uint64_t files = 0;  // of a run directory, beside its shards
  std::uint64_t bytes = 0;
  std::vector<Damage> broken;
  // Of a run directory: what it lacks; nothing when every stage of its recipe is done.
  std::optional<Unfinished> unfinished;
  // Stages whose files are there but were made for an earlier recipe or for earlier verdicts.
  std::vector<std::string> stale;
};

struct VerifyOptions {
  std::size_t threads = 0;  // speed only; 0 = all CPUs
  bool show_progress = false;
  std::stop_token stop;
};

// Proves a shard set whole: every file's size and checksum, every block and sample CRC32C, every
// count. `path` as above. Damage is an answer, not an error; an error means that nothing could be
// checked (no manifest, no permission).
Result<VerifyReport> verify_shards(const std::string& path, const VerifyOptions& options = {});

}  // namespace headrace
