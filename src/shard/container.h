// SPDX-License-Identifier: Apache-2.0
// One container format per file: how samples become the files of a shard, and how they are read
// back at random.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"
#include "headrace/shard_set.h"

#include "base/registry.h"
#include "shard/fields.h"

namespace headrace::shard {

// A training item as a writer takes it.
struct Sample {
  std::span<const std::uint32_t> tokens;
  // Where documents start inside the sample, ascending, the first 0; one entry per document piece.
  std::span<const std::uint32_t> document_starts;
};

struct ShardOptions {
  std::string token_type = "int32";  // "uint16" | "int32"
};

// Writes one shard: all its files and its .hri. Single-threaded. Nothing stands under a final name
// before finish(): files are written beside their names with a temporary suffix, flushed to disk,
// then renamed. Destroyed unfinished, it removes what it wrote.
class ShardWriter {
 public:
  virtual ~ShardWriter() = default;
  virtual Result<void> add(const Sample& sample) = 0;
  // `ShardEntry::path` and files are relative to the folder of the prefix.
  virtual Result<ShardEntry> finish() = 0;
};

// A sample read back; the vectors are reused.
struct SampleBuffer {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint32_t> document_starts;
  std::vector<char> scratch;  // the reader's own
};

// Random access to one shard. Thread-safe.
class ShardReader {
 public:
  virtual ~ShardReader() = default;
  virtual std::uint64_t samples() const = 0;
  virtual std::uint32_t sample_tokens(std::uint64_t i) const = 0;
  // Checks the sample's CRC32C; damage is Code::kCorrupt with file, sample and offset.
  virtual Result<void> read(std::uint64_t i, SampleBuffer* sample) const = 0;
  // Memory it holds while open: bounds caches of readers.
  virtual std::uint64_t memory_bytes() const = 0;
};

struct ContainerInfo {
  std::string name;  // "megatron"
  std::string summary;
  // `prefix`: path of the shard without extension, absolute or relative to the working folder.
  Result<std::unique_ptr<ShardWriter>> (*create)(const std::string& prefix,
                                                 const ShardOptions& options);
  // `folder`: where the manifest lies.
  Result<std::unique_ptr<ShardReader>> (*open)(const std::string& folder, const ShardEntry& entry);
  // Damage of one shard: structure, counts, block and sample checksums. File sizes and hashes are
  // checked by the caller.
  void (*verify)(const std::string& folder, const ShardEntry& entry, std::vector<Damage>* broken);
  // Samples of named fields (fields.h); nullptr: not this container, or read only. A container of
  // fields has none of the three above.
  Result<std::unique_ptr<FieldWriter>> (*create_fields)(const std::string& prefix,
                                                        const Schema& schema,
                                                        const FieldOptions& options) = nullptr;
  Result<std::unique_ptr<FieldReader>> (*open_fields)(const std::string& path,
                                                      const FieldReadOptions& options) = nullptr;
};

using Registry = headrace::Registry<ContainerInfo>;

void register_all(Registry& registry);
const Registry& registry();
// Names of the containers that token sequences are packed into: those with create().
std::vector<std::string> token_containers();

}  // namespace headrace::shard
