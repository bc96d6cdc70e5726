// SPDX-License-Identifier: Apache-2.0
#include "leak/internal/index_bytes.h"

#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "leak/internal/fold_table.h"

namespace headrace::leak {
namespace {

// Part of the formats; see docs/formats/leak-index.md.
constexpr std::string_view kMagic("\x89HRL\r\n\x1a\n", 8);  // as PNG: shows text-mode transfers
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kTrailerBytes = 16;

std::string digest_of(std::string_view bytes) {
  const Hash128 hash = hash128(bytes);
  std::string digest(reinterpret_cast<const char*>(&hash.low), 8);
  return digest.append(reinterpret_cast<const char*>(&hash.high), 8);
}

std::string_view noun(std::uint32_t kind) {
  return kind == static_cast<std::uint32_t>(IndexKind::kItems)   ? "evaluation items"
         : kind == static_cast<std::uint32_t>(IndexKind::kSplit) ? "validation documents"
                                                                 : "another kind";
}

}  // namespace

IndexWriter::IndexWriter(IndexKind kind) : bytes_(kMagic) {
  put(kIndexVersion);
  put(static_cast<std::uint32_t>(kind));
  const auto folds = FoldTable::get();
  put<std::uint64_t>(folds.has_value() ? (*folds)->digest() : 0);
  put<std::uint64_t>(0);  // payload bytes
}

std::string IndexWriter::finish() {
  const std::uint64_t payload = bytes_.size() - kHeaderBytes;
  std::memcpy(bytes_.data() + kHeaderBytes - sizeof(payload), &payload, sizeof(payload));
  bytes_ += digest_of(bytes_);
  return std::move(bytes_);
}

Result<IndexReader> IndexReader::open(std::string_view bytes, IndexKind kind,
                                      std::string_view name) {
  if (!bytes.starts_with(kMagic)) {
    return corrupt("reading the leak index {}: not one ({} bytes, no magic number at offset 0)",
                   name, bytes.size());
  }
  if (bytes.size() < kHeaderBytes + kTrailerBytes) {
    return corrupt("reading the leak index {}: cut off after {} bytes; build it again", name,
                   bytes.size());
  }
  IndexReader reader(bytes.substr(kMagic.size(), bytes.size() - kMagic.size() - kTrailerBytes),
                     name);
  const auto version = reader.take<std::uint32_t>();
  if (version != kIndexVersion) {
    return unsupported(
        "reading the leak index {}: its version is {}, this release reads {}; build it "
        "again",
        name, version, kIndexVersion);
  }
  const auto found_kind = reader.take<std::uint32_t>();
  const auto folds_digest = reader.take<std::uint64_t>();
  const auto payload = reader.take<std::uint64_t>();
  if (payload != reader.left_.size()) {
    return corrupt("reading the leak index {}: {} bytes where its header says {}; build it again",
                   name, reader.left_.size(), payload);
  }
  const std::size_t end = bytes.size() - kTrailerBytes;
  if (digest_of(bytes.substr(0, end)) != bytes.substr(end)) {
    return corrupt("reading the leak index {}: its checksum is another; build it again", name);
  }
  if (found_kind != static_cast<std::uint32_t>(kind)) {
    return invalid_argument("reading the leak index {}: it holds {}, {} are asked for", name,
                            noun(found_kind), noun(static_cast<std::uint32_t>(kind)));
  }
  HEADRACE_ASSIGN_OR_RETURN(const FoldTable* folds, FoldTable::get());
  if (folds_digest != folds->digest()) {
    return invalid_argument(
        "reading the leak index {}: it was made with another table of characters (another ICU), "
        "and "
        "would find nothing; build it again",
        name);
  }
  return reader;
}

Status IndexReader::fault(std::string_view found) const {
  return corrupt("reading the leak index {}: {}; build it again", name_, found);
}

}  // namespace headrace::leak
