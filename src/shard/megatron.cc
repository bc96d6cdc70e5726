// SPDX-License-Identifier: Apache-2.0
// Megatron's indexed dataset: P.bin (token ids of all sequences end to end, no header), P.idx
// (lengths, pointers, document boundaries), and P.bin.hri beside them.
//
// Chosen as the first container because it is the plainest: a sample is a range of bytes, and every
// training framework reads it. A sample of ours is one sequence and one document of the index;
// where the documents inside a packed sample start is in the sidecar, which Megatron ignores.
//
// The reader trusts the sidecar, not the .idx: the sidecar is checksummed. Reads are positioned
// reads (io/random_file.h says why not a memory map) of exactly one sample.
#include "base/error.h"
#include "io/file.h"
#include "shard/container.h"
#include "shard/main_file_check.h"
#include "shard/megatron_index.h"
#include "shard/megatron_shard.h"

namespace headrace::shard {
namespace {

// What the sidecar can not know, and the reader refuses: samples that end inside a token, documents
// that start behind their sample. Both come with checksums that fit, from a writer that is wrong.
void check_samples(const MegatronShard& shard, DamageList* damage) {
  std::vector<std::uint32_t> starts;
  for (std::uint64_t i = 0; i < shard.index.samples(); ++i) {
    const std::uint32_t bytes = shard.index.sample(i).bytes;
    shard.index.document_starts(i, &starts);
    const bool whole = bytes % shard.token_width == 0;
    if (whole && (starts.empty() || starts.back() < bytes / shard.token_width)) continue;
    damage->add(static_cast<std::int64_t>(i),
                whole ? fmt::format("{}: sample {} has {} tokens, a document of it starts at {}",
                                    shard.main.path(), i, bytes / shard.token_width, starts.back())
                      : fmt::format("{}: sample {} has {} bytes, no whole number of tokens of {}",
                                    shard.main.path(), i, bytes, shard.token_width));
  }
}

void verify_shard(const std::string& folder, const ShardEntry& entry, std::vector<Damage>* broken) {
  DamageList damage(entry, broken);
  Result<MegatronShard> shard = open_megatron_shard(folder, entry);
  if (!shard) {
    damage.add(-1, shard.error().message());
    return;
  }
  std::vector<std::uint32_t> sequence_tokens(shard->index.samples());
  for (std::uint64_t i = 0; i < sequence_tokens.size(); ++i) {
    sequence_tokens[i] = shard->index.sample(i).bytes / shard->token_width;
  }
  if (Result<std::string> found = io::read_file(shard->idx_path); !found) {
    damage.add(-1, found.error().message());
  } else if (const std::string difference = describe_index_difference(
                 format_megatron_index(shard->token_width, sequence_tokens), *found,
                 sequence_tokens.size());
             !difference.empty()) {
    damage.add(-1, fmt::format("{}: {}", shard->idx_path, difference));
  }
  check_samples(*shard, &damage);
  check_main_file(shard->main, shard->index, &damage);
}

}  // namespace

void register_megatron(Registry& registry) {
  registry.add({"megatron", "Megatron-LM indexed dataset: .bin with token ids, .idx with lengths",
                &create_megatron_writer, &open_megatron_reader, &verify_shard});
}

}  // namespace headrace::shard
