// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <zstd.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "shard/mds_shard.h"
#include "shard/shard_output.h"

namespace headrace::shard {
namespace {

constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// The raw bytes of a shard: the file, or in memory what a compressed one holds.
class RawShard {
 public:
  static Result<RawShard> open(const std::string& path, bool require_sidecar) {
    HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, require_sidecar));
    RawShard raw(std::move(shard));
    if (path.ends_with(".zstd")) HEADRACE_RETURN_IF_ERROR(raw.decompress());
    return raw;
  }

  const std::string& path() const { return shard_.main.path(); }
  const std::optional<SidecarIndex>& index() const { return shard_.index; }
  bool in_memory() const { return in_memory_; }
  std::uint64_t bytes() const { return in_memory_ ? memory_.size() : shard_.main.bytes(); }
  std::uint64_t memory_bytes() const {
    return memory_.capacity() + (shard_.index ? shard_.index->memory_bytes() : 0);
  }

  Result<void> read(std::uint64_t offset, std::span<char> buffer) const {
    if (!in_memory_) return shard_.main.read(offset, buffer);
    std::memcpy(buffer.data(), memory_.data() + offset, buffer.size());
    return {};
  }

 private:
  explicit RawShard(OpenShard shard) : shard_(std::move(shard)) {}

  // The whole of it, with the checksum of its frame and, where there is one, the sidecar's.
  Result<void> decompress() {
    std::string packed(shard_.main.bytes(), '\0');
    HEADRACE_RETURN_IF_ERROR(shard_.main.read(0, packed));
    for (std::uint64_t block = 0; shard_.index && block < shard_.index->blocks(); ++block) {
      const std::uint32_t found =
          crc32c(std::string_view(packed).substr(block * kBlockBytes, kBlockBytes));
      if (found == shard_.index->block_crc32c(block)) continue;
      return corrupt("{}: block {} at offset {} has CRC32C {:08x}, the index says {:08x}", path(),
                     block, block * kBlockBytes, found, shard_.index->block_crc32c(block));
    }
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       &ZSTD_freeDCtx);
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    std::string piece(ZSTD_DStreamOutSize(), '\0');
    std::size_t rest = 1;
    while (in.pos < in.size || rest != 0) {
      ZSTD_outBuffer out{piece.data(), piece.size(), 0};
      const std::size_t before = in.pos;
      rest = ZSTD_decompressStream(context.get(), &out, &in);
      if (ZSTD_isError(rest)) {
        return corrupt("{}: offset {}: {}", path(), in.pos, ZSTD_getErrorName(rest));
      }
      memory_.append(piece.data(), out.pos);
      if (memory_.size() > kMostBytes) return corrupt("{}: over 4 GiB of samples", path());
      if (in.pos == before && out.pos == 0 && rest != 0) {
        return corrupt("{}: cut: its zstd frame goes on behind its {} bytes", path(),
                       packed.size());
      }
    }
    in_memory_ = true;
    return {};
  }

  OpenShard shard_;
  std::string memory_;
  bool in_memory_ = false;
};

class MdsReader final : public FieldReader {
 public:
  MdsReader(RawShard raw, Schema schema, std::vector<std::uint32_t> offsets)
      : raw_(std::move(raw)), schema_(std::move(schema)), offsets_(std::move(offsets)) {}

  const Schema& schema() const override { return schema_; }
  std::uint64_t samples() const override { return offsets_.size() - 1; }
  bool has_checksums() const override { return raw_.in_memory() || raw_.index(); }
  std::uint64_t memory_bytes() const override {
    return raw_.memory_bytes() + offsets_.capacity() * 4 + sizeof(*this);
  }

  Result<void> read(std::uint64_t i, FieldBuffer* sample) const override {
    if (i >= samples()) {
      return invalid_argument("{}: sample {} of {} asked for", raw_.path(), i, samples());
    }
    const std::uint64_t offset = offsets_[i];
    sample->reset(schema_.size());
    sample->bytes.resize(offsets_[i + 1] - offset);
    HEADRACE_RETURN_IF_ERROR(raw_.read(offset, sample->bytes));
    if (raw_.index() && !raw_.in_memory()) {
      const SampleRecord record = raw_.index()->sample(i);
      const std::uint32_t found = crc32c(sample->bytes);
      if (record.offset != offset || found != record.crc32c) {
        return sample_damage(
            raw_.path(), i, offset,
            fmt::format("{} bytes have CRC32C {:08x}, its index says {:08x} at {}",
                        sample->bytes.size(), found, record.crc32c, record.offset));
      }
    }
    if (const Result<void> cut = cut_columns(sample); !cut) {
      return sample_damage(raw_.path(), i, offset, cut.error().message());
    }
    return {};
  }

 private:
  Result<void> cut_columns(FieldBuffer* sample) const {
    const std::string& bytes = sample->bytes;
    std::size_t head = 0;
    std::size_t at = 0;
    for (const Field& field : schema_.fields()) at += field.fixed_bytes() == 0 ? 4 : 0;
    if (at > bytes.size()) return corrupt("{} bytes are less than its sizes", bytes.size());
    for (std::size_t i = 0; i < schema_.size(); ++i) {
      const Field& field = schema_.at(i);
      std::size_t size = field.fixed_bytes();
      if (size == 0) {
        size = load<std::uint32_t>(bytes.data() + head);
        head += 4;
      }
      if (size > bytes.size() - at) {
        return corrupt("field '{}': {} bytes, the sample has {} more", field.name, size,
                       bytes.size() - at);
      }
      std::size_t skipped = 0;
      if (field.is_array() && field.fixed_bytes() == 0) {
        HEADRACE_ASSIGN_OR_RETURN(skipped,
                                  shape_bytes(field, std::string_view(bytes).substr(at, size)));
      }
      sample->set(i, at + skipped, size - skipped);
      at += size;
    }
    if (at != bytes.size()) return corrupt("{} bytes behind its columns", bytes.size() - at);
    return {};
  }

  // Arrays of more dimensions come as their elements.
  static Result<std::size_t> shape_bytes(const Field& field, std::string_view value) {
    if (value.empty()) return corrupt("field '{}': no shape", field.name);
    const auto code = static_cast<unsigned char>(value.front());
    const std::size_t width = std::size_t{1} << (code & 3);
    const std::size_t bytes = 1 + (code >> 2) * width;
    if (bytes > value.size()) return corrupt("field '{}': its shape lies outside", field.name);
    std::uint64_t elements = 1;
    for (std::size_t at = 1; at < bytes; at += width) {
      std::uint64_t length = 0;
      std::memcpy(&length, value.data() + at, width);
      if (length > kMostBytes || elements > kMostBytes) elements = 0;
      elements *= length;
    }
    if (elements * type_width(field.type) != value.size() - bytes) {
      return corrupt("field '{}': {} bytes are not the elements of its shape", field.name,
                     value.size() - bytes);
    }
    return bytes;
  }

  const RawShard raw_;
  const Schema schema_;
  const std::vector<std::uint32_t> offsets_;
};

struct MdsHead {
  std::vector<std::uint32_t> offsets;
  MdsConfig config;
};

Result<MdsHead> read_head(const RawShard& raw) {
  const std::string& path = raw.path();
  const auto bad = [&](std::string_view what) {
    return corrupt("{}: no MDS shard: {}", path, what);
  };
  if (raw.bytes() < 8) return bad(fmt::format("{} bytes", raw.bytes()));
  if (raw.bytes() > kMostBytes) {
    return bad(
        fmt::format("{} bytes, its 32-bit offsets reach 4 GiB: a writer that did not see to "
                    "it has lost the samples behind",
                    raw.bytes()));
  }
  std::uint32_t count = 0;
  HEADRACE_RETURN_IF_ERROR(raw.read(0, {reinterpret_cast<char*>(&count), 4}));
  if (4 + 4 * (std::uint64_t{count} + 1) > raw.bytes()) {
    return bad(fmt::format("cut, or none: {} samples by its first bytes, {} bytes in all", count,
                           raw.bytes()));
  }
  MdsHead head;
  head.offsets.resize(std::size_t{count} + 1);
  HEADRACE_RETURN_IF_ERROR(
      raw.read(4, {reinterpret_cast<char*>(head.offsets.data()), head.offsets.size() * 4}));
  for (std::size_t i = 1; i < head.offsets.size(); ++i) {
    if (head.offsets[i] < head.offsets[i - 1]) {
      return bad(
          fmt::format("the offset of sample {} is {}, that of the one before {}: offsets "
                      "over 4 GiB that lost their high bits look so",
                      i, head.offsets[i], head.offsets[i - 1]));
    }
  }
  const std::uint64_t config_at = 4 + 4 * head.offsets.size();
  if (head.offsets.back() != raw.bytes()) {
    return bad(fmt::format("its samples end at {}, it has {} bytes: cut, or not one",
                           head.offsets.back(), raw.bytes()));
  }
  if (head.offsets.front() < config_at) return bad("its first sample is inside its offsets");
  std::string json(head.offsets.front() - config_at, '\0');
  HEADRACE_RETURN_IF_ERROR(raw.read(config_at, json));
  HEADRACE_ASSIGN_OR_RETURN(head.config, parse_mds_config(json, path));
  return head;
}

}  // namespace

Result<std::unique_ptr<FieldReader>> open_mds_reader(const std::string& path,
                                                     const FieldReadOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(RawShard raw, RawShard::open(path, options.require_sidecar));
  HEADRACE_ASSIGN_OR_RETURN(MdsHead head, read_head(raw));
  if (raw.index() && !raw.in_memory() && raw.index()->samples() + 1 != head.offsets.size()) {
    return corrupt("{}: {} samples, its sidecar has {}", path, head.offsets.size() - 1,
                   raw.index()->samples());
  }
  return std::unique_ptr<FieldReader>(
      new MdsReader(std::move(raw), std::move(head.config.schema), std::move(head.offsets)));
}

Result<std::string> format_mds_index(const std::string& folder,
                                     const std::vector<std::string>& paths) {
  nlohmann::json shards = nlohmann::json::array();
  for (const std::string& path : paths) {
    HEADRACE_ASSIGN_OR_RETURN(const RawShard raw, RawShard::open(io::join(folder, path), false));
    HEADRACE_ASSIGN_OR_RETURN(const MdsHead head, read_head(raw));
    nlohmann::json shard = nlohmann::json::parse(
        format_mds_config(head.config.schema, head.config.compression), nullptr, false);
    const auto file = [](const std::string& name, std::uint64_t bytes) {
      return nlohmann::json{
          {"basename", name}, {"bytes", bytes}, {"hashes", nlohmann::json::object()}};
    };
    const bool zipped = raw.in_memory();
    shard["samples"] = head.offsets.size() - 1;
    shard["raw_data"] = file(zipped ? path.substr(0, path.size() - 5) : path, raw.bytes());
    shard["zip_data"] = nullptr;
    if (zipped) {
      HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(io::join(folder, path)));
      shard["zip_data"] = file(path, info.bytes);
    }
    shards.push_back(std::move(shard));
  }
  return nlohmann::json{{"shards", std::move(shards)}, {"version", 2}}.dump();
}

}  // namespace headrace::shard
