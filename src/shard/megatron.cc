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
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "io/file.h"
#include "io/random_file.h"
#include "shard/container.h"
#include "shard/megatron_index.h"
#include "shard/sidecar_index.h"

namespace headrace::shard {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// The .idx of a main file "P.bin".
Result<std::string> index_path(const std::string& main_path) {
  if (!main_path.ends_with(".bin")) {
    return corrupt("shard '{}': the main file of a Megatron shard ends in .bin", main_path);
  }
  return main_path.substr(0, main_path.size() - 4) + ".idx";
}

class MegatronWriter final : public ShardWriter {
 public:
  static Result<std::unique_ptr<ShardWriter>> create(const std::string& prefix,
                                                     const ShardOptions& options) {
    HEADRACE_ASSIGN_OR_RETURN(const std::uint32_t width, token_width(options.token_type));
    HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(prefix + ".bin"));
    return std::unique_ptr<ShardWriter>(new MegatronWriter(prefix, width, std::move(file)));
  }

  ~MegatronWriter() override {
    for (const std::string& path : committed_) (void)io::remove_all(path);
  }

  Result<void> add(const Sample& sample) override {
    if (!main_) return invalid_argument("{}.bin: add() after finish()", prefix_);
    HEADRACE_RETURN_IF_ERROR(check(sample));
    encoded_.resize(sample.tokens.size() * width_);
    if (width_ == 4) {
      std::memcpy(encoded_.data(), sample.tokens.data(), encoded_.size());
    } else {
      for (std::size_t i = 0; i < sample.tokens.size(); ++i) {
        const auto token = static_cast<std::uint16_t>(sample.tokens[i]);
        std::memcpy(encoded_.data() + 2 * i, &token, 2);
      }
    }
    HEADRACE_RETURN_IF_ERROR(main_->write(encoded_));
    index_.add_sample(encoded_, sample.document_starts);
    sequence_tokens_.push_back(static_cast<std::uint32_t>(sample.tokens.size()));
    return {};
  }

  // The sidecar gets its name last: where it stands, the shard is whole.
  Result<ShardEntry> finish() override {
    if (!main_) return invalid_argument("{}.bin: finish() was called before", prefix_);
    ShardEntry entry;
    entry.path = file_name(prefix_ + ".bin");
    entry.samples = sequence_tokens_.size();
    entry.tokens = index_.main_bytes() / width_;

    std::vector<io::AtomicFile> side_files;
    const std::vector<std::pair<std::string, std::string>> contents = {
        {prefix_ + ".idx", format_megatron_index(width_, sequence_tokens_)},
        {sidecar_path(prefix_ + ".bin"), index_.format()}};
    entry.files.push_back({entry.path, main_->bytes_written(), to_hex(main_->digest())});
    for (const auto& [path, bytes] : contents) {
      HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
      HEADRACE_RETURN_IF_ERROR(file.write(bytes));
      entry.files.push_back({file_name(path), bytes.size(), to_hex(file.digest())});
      side_files.push_back(std::move(file));
    }

    HEADRACE_RETURN_IF_ERROR(commit(*main_, prefix_ + ".bin"));
    for (std::size_t i = 0; i < contents.size(); ++i) {
      HEADRACE_RETURN_IF_ERROR(commit(side_files[i], contents[i].first));
    }
    committed_.clear();
    main_.reset();
    return entry;
  }

 private:
  MegatronWriter(std::string prefix, std::uint32_t width, io::AtomicFile main)
      : prefix_(std::move(prefix)), width_(width), main_(std::move(main)) {}

  Result<void> commit(io::AtomicFile& file, const std::string& path) {
    HEADRACE_RETURN_IF_ERROR(file.commit());
    committed_.push_back(path);
    return {};
  }

  Status refused(std::string what) const {
    return invalid_argument("{}.bin, sample {}: {}", prefix_, sequence_tokens_.size(), what);
  }

  Result<void> check(const Sample& sample) const {
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();
    const std::size_t count = sample.tokens.size();
    if (count == 0) return refused("no tokens; leave empty samples out");
    if (count > std::numeric_limits<std::int32_t>::max() || count * width_ > kMaxBytes) {
      return refused(fmt::format("{} tokens are more than a sample of the format can hold", count));
    }
    const std::uint32_t largest = width_ == 2 ? std::numeric_limits<std::uint16_t>::max()
                                              : std::numeric_limits<std::int32_t>::max();
    const auto wide = std::find_if(sample.tokens.begin(), sample.tokens.end(),
                                   [&](std::uint32_t token) { return token > largest; });
    if (wide != sample.tokens.end()) {
      return refused(fmt::format("token {} at place {} does not fit {}", *wide,
                                 wide - sample.tokens.begin(),
                                 width_ == 2 ? "uint16; use token type int32" : "int32"));
    }
    const auto& starts = sample.document_starts;
    const bool ascending =
        std::adjacent_find(starts.begin(), starts.end(), std::greater_equal<>()) == starts.end();
    if (starts.empty() || starts.front() != 0 || starts.back() >= count || !ascending) {
      return refused("document starts must ascend from 0 and lie inside the sample");
    }
    return {};
  }

  const std::string prefix_;
  const std::uint32_t width_;
  std::optional<io::AtomicFile> main_;
  SidecarBuilder index_;
  std::vector<std::uint32_t> sequence_tokens_;
  std::string encoded_;                 // reused
  std::vector<std::string> committed_;  // removed if finish() ends in the middle
};

// The files of a shard, opened, and what they say about each other.
struct OpenShard {
  io::RandomFile main;
  SidecarIndex index;
  std::uint32_t width = 0;
  std::string index_file;  // path of the .idx
};

Result<OpenShard> open_shard(const std::string& folder, const ShardEntry& entry) {
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
  return OpenShard{std::move(main), std::move(index), width, std::move(idx_path)};
}

class MegatronReader final : public ShardReader {
 public:
  explicit MegatronReader(OpenShard shard) : shard_(std::move(shard)) {}

  std::uint64_t samples() const override { return shard_.index.samples(); }

  std::uint32_t sample_tokens(std::uint64_t i) const override {
    return shard_.index.sample(i).bytes / shard_.width;
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
    const std::size_t count = record.bytes / shard_.width;
    sample->tokens.resize(count);
    std::span<char> bytes(reinterpret_cast<char*>(sample->tokens.data()), count * shard_.width);
    if (shard_.width == 2) {
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
    if (shard_.width == 2) widen(bytes.data(), &sample->tokens);
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

  const OpenShard shard_;
};

Result<std::unique_ptr<ShardReader>> open_reader(const std::string& folder,
                                                 const ShardEntry& entry) {
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(folder, entry));
  return std::unique_ptr<ShardReader>(new MegatronReader(std::move(shard)));
}

// Damage of one shard, as verify() reports it. A ruined file would fill the report: after
// kMaxReported of one kind only their number is told.
class DamageList {
 public:
  DamageList(const ShardEntry& entry, std::vector<Damage>* broken)
      : entry_(entry), broken_(broken) {}
  ~DamageList() {
    if (left_out_ > 0) push(-1, fmt::format("{} more blocks or samples are damaged", left_out_));
  }

  void add(std::int64_t sample, std::string what) {
    if (++added_ <= kMaxReported) {
      push(sample, std::move(what));
    } else {
      ++left_out_;
    }
  }

 private:
  static constexpr std::uint64_t kMaxReported = 200;
  void push(std::int64_t sample, std::string what) {
    broken_->push_back({entry_.path, sample, std::move(what)});
  }

  const ShardEntry& entry_;
  std::vector<Damage>* broken_;
  std::uint64_t added_ = 0;
  std::uint64_t left_out_ = 0;
};

// One pass over the main file by blocks; a sample's CRC goes on over the block ends inside it.
class MainFileCheck {
 public:
  MainFileCheck(const OpenShard& shard, DamageList* damage) : shard_(shard), damage_(damage) {}

  void run() {
    std::string buffer;
    const SidecarIndex& index = shard_.index;
    for (std::uint64_t block = 0; block < index.blocks(); ++block) {
      const std::uint64_t offset = block * kBlockBytes;
      buffer.resize(std::min(kBlockBytes, index.main_bytes() - offset));
      if (Result<void> read = shard_.main.read(offset, buffer); !read) {
        damage_->add(-1, read.error().message());
        return;
      }
      if (const std::uint32_t found = crc32c(buffer); found != index.block_crc32c(block)) {
        damage_->add(-1, fmt::format("{}: block {} at offset {} ({} bytes) has CRC32C {:08x}, the "
                                     "index says {:08x}",
                                     shard_.main.path(), block, offset, buffer.size(), found,
                                     index.block_crc32c(block)));
      }
      check_samples(offset, buffer);
    }
    if (next_ != index.samples()) {
      damage_->add(-1, fmt::format("{}: ends inside sample {} of {}", shard_.main.path(), next_,
                                   index.samples()));
    }
  }

 private:
  void check_samples(std::uint64_t offset, std::string_view block) {
    const std::uint64_t end = offset + block.size();
    while (next_ < shard_.index.samples()) {
      const SampleRecord record = shard_.index.sample(next_);
      const std::uint64_t begin = std::max(record.offset, offset);
      const std::uint64_t sample_end = record.offset + record.bytes;
      if (begin > end || (begin == end && sample_end > begin)) return;
      crc_ = crc32c(block.substr(begin - offset, std::min(sample_end, end) - begin), crc_);
      if (sample_end > end) return;
      if (crc_ != record.crc32c) {
        damage_->add(static_cast<std::int64_t>(next_),
                     fmt::format("{}: sample {} at offset {} ({} bytes) has CRC32C {:08x}, the "
                                 "index says {:08x}",
                                 shard_.main.path(), next_, record.offset, record.bytes, crc_,
                                 record.crc32c));
      }
      crc_ = 0;
      ++next_;
    }
  }

  const OpenShard& shard_;
  DamageList* damage_;
  std::uint64_t next_ = 0;  // sample
  std::uint32_t crc_ = 0;   // of its bytes so far
};

void verify_shard(const std::string& folder, const ShardEntry& entry, std::vector<Damage>* broken) {
  DamageList damage(entry, broken);
  Result<OpenShard> shard = open_shard(folder, entry);
  if (!shard) {
    damage.add(-1, shard.error().message());
    return;
  }
  std::vector<std::uint32_t> sequence_tokens(shard->index.samples());
  for (std::uint64_t i = 0; i < sequence_tokens.size(); ++i) {
    sequence_tokens[i] = shard->index.sample(i).bytes / shard->width;
  }
  if (Result<std::string> found = io::read_file(shard->index_file); !found) {
    damage.add(-1, found.error().message());
  } else if (const std::string difference =
                 describe_index_difference(format_megatron_index(shard->width, sequence_tokens),
                                           *found, sequence_tokens.size());
             !difference.empty()) {
    damage.add(-1, fmt::format("{}: {}", shard->index_file, difference));
  }
  MainFileCheck(*shard, &damage).run();
}

}  // namespace

void register_megatron(Registry& registry) {
  registry.add({"megatron", "Megatron-LM indexed dataset: .bin with token ids, .idx with lengths",
                &MegatronWriter::create, &open_reader, &verify_shard});
}

}  // namespace headrace::shard
