// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "io/file.h"
#include "shard/megatron_index.h"
#include "shard/megatron_shard.h"

namespace headrace::shard {
namespace {

// The .idx of a main file "P.bin".
Result<std::string> index_path(const std::string& main_path) {
  if (!main_path.ends_with(".bin")) {
    return corrupt("shard '{}': the main file of a Megatron shard ends in .bin", main_path);
  }
  return main_path.substr(0, main_path.size() - 4) + ".idx";
}

class MegatronReader final : public ShardReader {
 public:
  explicit MegatronReader(MegatronShard shard) : shard_(std::move(shard)) {}

  std::uint64_t samples() const override { return shard_.index.samples(); }

  std::uint32_t sample_tokens(std::uint64_t i) const override {
    return shard_.index.sample(i).bytes / shard_.token_width;
  }

  std::uint64_t memory_bytes() const override {
    return shard_.index.memory_bytes() + sizeof(*this);
  }

  Result<void> read(std::uint64_t i, SampleBuffer* sample) const override {
    const std::string& path = shard_.main.path();
    if (i >= samples()) {
      return invalid_argument("{}: sample {} of {} asked for", path, i, samples());
    }
    const SampleRecord record = shard_.index.sample(i);
    const std::size_t count = record.bytes / shard_.token_width;
    sample->tokens.resize(count);
    std::span<char> bytes(reinterpret_cast<char*>(sample->tokens.data()),
                          count * shard_.token_width);
    if (shard_.token_width == 2) {
      sample->scratch.resize(bytes.size());
      bytes = sample->scratch;
    }
    HEADRACE_RETURN_IF_ERROR(shard_.main.read(record.offset, bytes));
    const std::uint32_t found = crc32c({bytes.data(), bytes.size()});
    shard_.index.document_starts(i, &sample->document_starts);
    const auto& starts = sample->document_starts;
    if (found != record.crc32c || (!starts.empty() && starts.back() >= count)) {
      return corrupt(
                 "{}: sample {} at offset {} ({} bytes) has CRC32C {:08x}, its index says {:08x}",
                 path, i, record.offset, record.bytes, found, record.crc32c)
          .with_reach(Reach::kRecord);
    }
    if (shard_.token_width == 2) widen(bytes.data(), &sample->tokens);
    return {};
  }

 private:
  static void widen(const char* narrow, std::vector<std::int32_t>* tokens) {
    const std::size_t count = tokens->size();
    for (std::size_t k = 0; k < count; ++k) {
      std::uint16_t token;
      std::memcpy(&token, narrow + 2 * k, 2);
      (*tokens)[k] = token;
    }
  }

  const MegatronShard shard_;
};

}  // namespace

Result<MegatronShard> open_megatron_shard(const std::string& folder, const ShardEntry& entry) {
  const std::string main_path = io::join(folder, entry.path);
  const std::string sidecar = sidecar_path(main_path);
  HEADRACE_ASSIGN_OR_RETURN(std::string idx_path, index_path(main_path));
  HEADRACE_ASSIGN_OR_RETURN(std::string sidecar_bytes, io::read_file(sidecar));
  HEADRACE_ASSIGN_OR_RETURN(SidecarIndex index,
                            SidecarIndex::parse(std::move(sidecar_bytes), sidecar));
  HEADRACE_ASSIGN_OR_RETURN(io::RandomFile main, io::RandomFile::open(main_path));
  HEADRACE_ASSIGN_OR_RETURN(const io::RandomFile idx, io::RandomFile::open(idx_path));
  std::string header(kMegatronHeaderBytes, '\0');
  HEADRACE_RETURN_IF_ERROR(idx.read(0, header));
  HEADRACE_ASSIGN_OR_RETURN(const std::uint32_t width, megatron_token_width(header, idx_path));

  if (main.bytes() != index.main_bytes()) {
    return corrupt("{}: {} bytes, its index {} says {}", main_path, main.bytes(), sidecar,
                   index.main_bytes());
  }
  if (index.samples() != entry.samples || index.main_bytes() != entry.tokens * width) {
    return corrupt(
        "{}: {} samples and {} tokens of {} bytes by its index, {} samples and {} tokens by the "
        "manifest",
        main_path, index.samples(), index.main_bytes() / width, width, entry.samples, entry.tokens);
  }
  return MegatronShard{std::move(main), std::move(index), width, std::move(idx_path)};
}

Result<std::unique_ptr<ShardReader>> open_megatron_reader(const std::string& folder,
                                                          const ShardEntry& entry) {
  HEADRACE_ASSIGN_OR_RETURN(MegatronShard shard, open_megatron_shard(folder, entry));
  return std::unique_ptr<ShardReader>(new MegatronReader(std::move(shard)));
}

}  // namespace headrace::shard
