// SPDX-License-Identifier: Apache-2.0
// Container formats say where samples are; most have no checksum, so a flipped bit becomes a token.
// The sidecar holds a CRC32C per sample (checked on every read, for the price of the read itself:
// SSE 4.2 runs it faster than memory delivers) and one per 1 MiB block (for caches, which move
// blocks and know no samples), and is covered by one of its own.
//
// Fixed-width little-endian arrays, so any entry is found by arithmetic and nothing is decoded at
// the start. Every constant below is part of the format; see docs/formats/sidecar_index.md.
#include "shard/sidecar_index.h"

#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::shard {
namespace {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian");

constexpr std::string_view kMagic("\x89HRI\r\n\x1a\n", 8);  // as PNG: shows text-mode transfers
constexpr std::uint64_t kHeaderBytes = 48;
constexpr std::uint64_t kRecordBytes = 16;
constexpr std::uint64_t kTrailerBytes = 4;

template <class T>
T load(std::string_view bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

template <class T>
void append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
void append_all(std::string* bytes, const std::vector<T>& values) {
  bytes->append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::uint64_t block_count(std::uint64_t main_bytes) {
  return main_bytes / kBlockBytes + (main_bytes % kBlockBytes > 0 ? 1 : 0);
}

}  // namespace

std::string sidecar_path(std::string_view main_path) { return std::string(main_path) + ".hri"; }

void SidecarBuilder::add_sample(std::string_view bytes,
                                std::span<const std::uint32_t> document_starts) {
  samples_.push_back({main_bytes_, static_cast<std::uint32_t>(bytes.size()), crc32c(bytes)});
  document_starts_.insert(document_starts_.end(), document_starts.begin(), document_starts.end());
  document_ends_.push_back(document_starts_.size());
  add_bytes(bytes);
}

void SidecarBuilder::add_record(const SampleRecord& record) {
  samples_.push_back(record);
  document_ends_.push_back(document_starts_.size());
}

void SidecarBuilder::add_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::uint64_t room = kBlockBytes - main_bytes_ % kBlockBytes;
    const std::string_view piece = bytes.substr(0, room);
    open_block_crc32c_ = crc32c(piece, open_block_crc32c_);
    main_bytes_ += piece.size();
    bytes.remove_prefix(piece.size());
    if (main_bytes_ % kBlockBytes == 0) {
      block_crc32c_.push_back(open_block_crc32c_);
      open_block_crc32c_ = 0;
    }
  }
}

std::string SidecarBuilder::format() const {
  std::string bytes(kMagic);
  append(&bytes, kSidecarVersion);
  append(&bytes, static_cast<std::uint32_t>(kBlockBytes));
  append(&bytes, main_bytes_);
  append(&bytes, std::uint64_t{samples_.size()});
  append(&bytes, block_count(main_bytes_));
  append(&bytes, std::uint64_t{document_starts_.size()});
  for (const SampleRecord& sample : samples_) {
    append(&bytes, sample.offset);
    append(&bytes, sample.bytes);
    append(&bytes, sample.crc32c);
  }
  append_all(&bytes, block_crc32c_);
  if (main_bytes_ % kBlockBytes > 0) append(&bytes, open_block_crc32c_);
  append_all(&bytes, document_ends_);
  append_all(&bytes, document_starts_);
  append(&bytes, crc32c(bytes));
  return bytes;
}

Result<SidecarIndex> SidecarIndex::parse(std::string bytes, const std::string& path) {
  SidecarIndex index(std::move(bytes));
  HEADRACE_RETURN_IF_ERROR(index.check_layout(path));
  HEADRACE_RETURN_IF_ERROR(index.check_samples(path));
  return index;
}

Result<void> SidecarIndex::check_layout(const std::string& path) {
  const std::uint64_t size = bytes_.size();
  if (size < kHeaderBytes + kTrailerBytes || !bytes_.starts_with(kMagic)) {
    return corrupt("{}: not a headrace index ({} bytes, no magic number at offset 0)", path, size);
  }
  // The CRC stands at the end in every version: a damaged version number is damage, not news.
  const auto stated = load<std::uint32_t>(bytes_, size - kTrailerBytes);
  const std::uint32_t found = crc32c(std::string_view(bytes_).substr(0, size - kTrailerBytes));
  if (stated != found) {
    return corrupt("{}: CRC32C of its {} bytes is {:08x}, the file says {:08x}", path, size, found,
                   stated);
  }
  const auto version = load<std::uint32_t>(bytes_, 8);
  if (version > kSidecarVersion) {
    return unsupported("{}: version {} is newer than {}, the newest this program reads", path,
                       version, kSidecarVersion);
  }
  const auto block_bytes = load<std::uint32_t>(bytes_, 12);
  if (version == 0 || block_bytes != kBlockBytes) {
    return corrupt("{}: version {} with blocks of {} bytes; expected version 1 and {}", path,
                   version, block_bytes, kBlockBytes);
  }

  main_bytes_ = load<std::uint64_t>(bytes_, 16);
  samples_ = load<std::uint64_t>(bytes_, 24);
  blocks_ = load<std::uint64_t>(bytes_, 32);
  document_starts_ = load<std::uint64_t>(bytes_, 40);
  // Counts are bounded by the size before they are multiplied, so that the sum cannot wrap.
  const bool plausible = samples_ <= size / kRecordBytes && blocks_ <= size / 4 &&
                         document_starts_ <= size / 4 && blocks_ == block_count(main_bytes_);
  blocks_at_ = kHeaderBytes + samples_ * kRecordBytes;
  document_ends_at_ = blocks_at_ + blocks_ * 4;
  document_starts_at_ = document_ends_at_ + samples_ * 8;
  if (!plausible || document_starts_at_ + document_starts_ * 4 + kTrailerBytes != size) {
    return corrupt(
        "{}: {} bytes do not fit its counts ({} samples, {} blocks, {} document starts, main file "
        "of {} bytes)",
        path, size, samples_, blocks_, document_starts_, main_bytes_);
  }
  return {};
}

Result<void> SidecarIndex::check_samples(const std::string& path) const {
  std::uint64_t at = 0;
  std::uint64_t entries = 0;
  for (std::uint64_t i = 0; i < samples_; ++i) {
    const SampleRecord record = sample(i);
    if (record.offset < at || record.offset > main_bytes_ ||
        record.bytes > main_bytes_ - record.offset) {
      return corrupt("{}: sample {} at offset {} with {} bytes overlaps its neighbour or the end",
                     path, i, record.offset, record.bytes);
    }
    at = record.offset + record.bytes;

    const std::uint64_t end = document_end(i + 1);
    if (end < entries || end > document_starts_) {
      return corrupt("{}: document starts of sample {} end at entry {} of {}", path, i, end,
                     document_starts_);
    }
    for (std::uint64_t k = entries; k < end; ++k) {
      const auto start = load<std::uint32_t>(bytes_, document_starts_at_ + 4 * k);
      const bool good =
          k == entries ? start == 0
                       : start > load<std::uint32_t>(bytes_, document_starts_at_ + 4 * (k - 1));
      if (!good) {
        return corrupt("{}: document starts of sample {} do not ascend from 0 (entry {} is {})",
                       path, i, k - entries, start);
      }
    }
    entries = end;
  }
  if (entries != document_starts_) {
    return corrupt("{}: {} document starts, {} of them belong to samples", path, document_starts_,
                   entries);
  }
  return {};
}

SampleRecord SidecarIndex::sample(std::uint64_t i) const {
  const std::uint64_t at = kHeaderBytes + i * kRecordBytes;
  return {load<std::uint64_t>(bytes_, at), load<std::uint32_t>(bytes_, at + 8),
          load<std::uint32_t>(bytes_, at + 12)};
}

std::uint32_t SidecarIndex::block_crc32c(std::uint64_t block) const {
  return load<std::uint32_t>(bytes_, blocks_at_ + 4 * block);
}

std::uint64_t SidecarIndex::document_end(std::uint64_t i) const {
  return i == 0 ? 0 : load<std::uint64_t>(bytes_, document_ends_at_ + 8 * (i - 1));
}

void SidecarIndex::document_starts(std::uint64_t i, std::vector<std::uint32_t>* starts) const {
  const std::uint64_t begin = document_end(i);
  starts->resize(document_end(i + 1) - begin);
  if (starts->empty()) return;  // memcpy takes no null pointer, not even for nothing
  std::memcpy(starts->data(), bytes_.data() + document_starts_at_ + 4 * begin, 4 * starts->size());
}

}  // namespace headrace::shard
