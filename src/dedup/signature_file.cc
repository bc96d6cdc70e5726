// SPDX-License-Identifier: Apache-2.0
#include "dedup/signature_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace headrace::dedup {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

// All of this is part of the format; see docs/formats/signatures.md.
constexpr char kMagic[8] = {'H', 'R', 'S', 'I', 'G', 'N', 'A', 'T'};
constexpr char kEndMagic[8] = {'H', 'R', 'S', 'I', 'G', 'E', 'N', 'D'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kBlockRecords = 1024;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t permutations;
  std::uint64_t settings;  // SignatureSettings::fingerprint()
  std::uint32_t record_bytes;
  std::uint32_t block_records;
  std::uint64_t zero[4];
};
static_assert(sizeof(Header) == 64);

struct BlockHeader {
  std::uint32_t records;
  std::uint32_t zero;
  std::uint64_t checksum;  // XXH3-64 of the records
};
static_assert(sizeof(BlockHeader) == 16);

struct Trailer {
  std::uint64_t documents;
  std::uint64_t signatures;
  std::uint64_t checksum;  // XXH3-64 of the header and the two numbers before
  char magic[8];
};
static_assert(sizeof(Trailer) == 32);

Header make_header(const SignatureSettings& settings) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.permutations = settings.permutations;
  header.settings = settings.fingerprint();
  header.record_bytes =
      static_cast<std::uint32_t>(sizeof(SignatureRecord)) + 2 * settings.permutations;
  header.block_records = kBlockRecords;
  return header;
}

Trailer make_trailer(const Header& header, std::uint64_t documents, std::uint64_t signatures) {
  Trailer trailer{documents, signatures, 0, {}};
  std::memcpy(trailer.magic, kEndMagic, sizeof(kEndMagic));
  std::string all(reinterpret_cast<const char*>(&header), sizeof(header));
  all.append(reinterpret_cast<const char*>(&trailer), 2 * sizeof(std::uint64_t));
  trailer.checksum = hash64(all);
  return trailer;
}

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

template <class T>
std::span<char> room_of(T* value) {
  return {reinterpret_cast<char*>(value), sizeof(*value)};
}

std::uint64_t block_count(std::uint64_t signatures) {
  return (signatures + kBlockRecords - 1) / kBlockRecords;
}

}  // namespace

Result<SignatureWriter> SignatureWriter::create(const std::string& path,
                                                const SignatureSettings& settings) {
  HEADRACE_ASSIGN_OR_RETURN(auto file, io::AtomicFile::create(path));
  SignatureWriter writer(std::move(file));
  const Header header = make_header(settings);
  writer.header_.assign(bytes_of(header));
  HEADRACE_RETURN_IF_ERROR(writer.file_.write(writer.header_));
  return writer;
}

Result<void> SignatureWriter::add(std::span<const Signature> signatures) {
  for (const Signature& signature : signatures) {
    const SignatureRecord record{.row = static_cast<std::uint32_t>(documents_),
                                 .shingles = signature.shingles,
                                 .set_high = signature.set.high,
                                 .set_low = signature.set.low,
                                 .ngram = signature.ngram,
                                 .zero = 0};
    block_ += bytes_of(record);
    block_.append(reinterpret_cast<const char*>(signature.values.data()),
                  signature.values.size_bytes());
    ++signatures_;
    if (++in_block_ == kBlockRecords) HEADRACE_RETURN_IF_ERROR(end_block());
  }
  ++documents_;
  return {};
}

Result<void> SignatureWriter::end_block() {
  if (in_block_ == 0) return {};
  const BlockHeader header{in_block_, 0, hash64(block_)};
  HEADRACE_RETURN_IF_ERROR(file_.write(bytes_of(header)));
  HEADRACE_RETURN_IF_ERROR(file_.write(block_));
  block_.clear();
  in_block_ = 0;
  return {};
}

Result<void> SignatureWriter::commit() {
  HEADRACE_RETURN_IF_ERROR(end_block());
  Header header;
  std::memcpy(&header, header_.data(), sizeof(header));
  HEADRACE_RETURN_IF_ERROR(file_.write(bytes_of(make_trailer(header, documents_, signatures_))));
  return file_.commit();
}

std::uint64_t SignatureReader::blocks() const { return block_count(signatures_); }

std::uint64_t SignatureReader::first_of(std::uint64_t block) { return block * kBlockRecords; }

Result<SignatureReader> SignatureReader::open(const std::string& path,
                                              const SignatureSettings& settings) {
  HEADRACE_ASSIGN_OR_RETURN(auto file, io::RandomFile::open(path));
  SignatureReader reader(std::move(file));
  if (reader.file_.bytes() < sizeof(Header) + sizeof(Trailer))
    return corrupt("{} has {} bytes, too few for a file of signatures", path, reader.file_.bytes());
  Header header;
  HEADRACE_RETURN_IF_ERROR(reader.file_.read(0, room_of(&header)));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    return corrupt("{} is no file of signatures", path);
  if (header.version > kVersion) {
    return unsupported("{} has version {}, newer than this headrace reads ({})", path,
                       header.version, kVersion);
  }
  const Header expected = make_header(settings);
  if (header.settings != expected.settings) {
    return invalid_argument(
        "{} holds signatures of other settings ({} values) than {}: run its recipe again with "
        "these settings, or this one with its own",
        path, header.permutations, settings.text());
  }
  Trailer trailer;
  HEADRACE_RETURN_IF_ERROR(
      reader.file_.read(reader.file_.bytes() - sizeof(trailer), room_of(&trailer)));
  const Trailer wanted = make_trailer(header, trailer.documents, trailer.signatures);
  const bool is_whole =
      std::memcmp(&header, &expected, sizeof(header)) == 0 &&
      std::memcmp(&trailer, &wanted, sizeof(trailer)) == 0 &&
      reader.file_.bytes() == sizeof(Header) + sizeof(Trailer) +
                                  block_count(trailer.signatures) * sizeof(BlockHeader) +
                                  trailer.signatures * header.record_bytes;
  if (!is_whole)
    return corrupt("{} is cut off or damaged: it does not end as a file of signatures does", path);
  reader.permutations_ = settings.permutations;
  reader.documents_ = trailer.documents;
  reader.signatures_ = trailer.signatures;
  return reader;
}

Result<void> SignatureReader::read(std::uint64_t number, SignatureBlock* block) const {
  const std::uint64_t record_bytes = sizeof(SignatureRecord) + 2 * permutations_;
  const std::uint64_t first = number * kBlockRecords;
  const std::uint64_t count = std::min<std::uint64_t>(kBlockRecords, signatures_ - first);
  const std::uint64_t offset =
      sizeof(Header) + number * (sizeof(BlockHeader) + kBlockRecords * record_bytes);
  const std::size_t bytes = sizeof(BlockHeader) + count * record_bytes;
  block->words_.resize((bytes + 7) / 8);
  char* const data = reinterpret_cast<char*>(block->words_.data());
  HEADRACE_RETURN_IF_ERROR(file_.read(offset, {data, bytes}));
  BlockHeader header;
  std::memcpy(&header, data, sizeof(header));
  const std::string_view records(data + sizeof(header), bytes - sizeof(header));
  if (header.records != count || header.checksum != hash64(records)) {
    return corrupt(
        "{}: block {} of signatures (offset {}) is not what was written (its checksum "
        "differs)",
        file_.path(), number, offset);
  }
  block->count_ = count;
  block->permutations_ = permutations_;
  return {};
}

}  // namespace headrace::dedup
