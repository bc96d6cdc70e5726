// SPDX-License-Identifier: Apache-2.0
#include "shard/token_file.h"

#include <cstring>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::shard {
namespace {

class TokenFileReader final : public FieldReader {
 public:
  TokenFileReader(TokenFile file, Schema schema)
      : file_(std::move(file)), schema_(std::move(schema)) {}

  const Schema& schema() const override { return schema_; }
  std::uint64_t samples() const override { return file_.ends.size(); }
  bool has_checksums() const override { return file_.shard.index.has_value(); }
  std::uint64_t memory_bytes() const override {
    return sizeof(*this) + file_.ends.capacity() * sizeof(std::uint64_t) +
           (file_.shard.index ? file_.shard.index->memory_bytes() : 0);
  }

  Result<void> read(std::uint64_t i, FieldBuffer* sample) const override {
    const std::string& path = file_.shard.main.path();
    if (i >= samples())
      return invalid_argument("{}: sample {} of {} asked for", path, i, samples());
    const std::uint64_t first = i == 0 ? 0 : file_.ends[i - 1];
    const std::uint64_t offset = file_.begin + first * file_.width;
    sample->reset(1);
    sample->bytes.resize((file_.ends[i] - first) * file_.width);
    HEADRACE_RETURN_IF_ERROR(file_.shard.main.read(offset, sample->bytes));
    if (file_.shard.index) {
      const SampleRecord record = file_.shard.index->sample(i);
      const std::uint32_t found = crc32c(sample->bytes);
      if (record.offset != offset || found != record.crc32c) {
        return sample_damage(
            path, i, offset,
            fmt::format("{} bytes have CRC32C {:08x}, its index says {:08x} at {}",
                        sample->bytes.size(), found, record.crc32c, record.offset));
      }
    }
    // Files of 32 bits are uint32; we say int32, as every container can hold it.
    for (std::size_t at = 3; file_.width == 4 && at < sample->bytes.size(); at += 4) {
      if (static_cast<unsigned char>(sample->bytes[at]) < 0x80) continue;
      return sample_damage(path, i, offset,
                           fmt::format("token {} is over 2^31 - 1: no token id", at / 4));
    }
    sample->set(0, 0, sample->bytes.size());
    return {};
  }

 private:
  const TokenFile file_;
  const Schema schema_;
};

}  // namespace

Result<std::size_t> width_of_tokens(std::uint64_t tokens, std::uint64_t bytes,
                                    const std::string& path) {
  for (const std::size_t width : {std::size_t{2}, std::size_t{4}}) {
    if (tokens <= bytes / width && tokens * width == bytes) return width;
  }
  return corrupt(
      "{}: {} bytes for the {} tokens of its index: neither 2 nor 4 a token; cut, or not "
      "the file of this index",
      path, bytes, tokens);
}

Result<std::unique_ptr<FieldReader>> make_token_file_reader(TokenFile file) {
  const std::string& path = file.shard.main.path();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < file.ends.size(); ++i) {
    if (file.ends[i] < before) {
      return corrupt("{}: document {} ends at token {}, the one before at {}", path, i,
                     file.ends[i], before);
    }
    before = file.ends[i];
  }
  if (before > (file.shard.main.bytes() - file.begin) / file.width) {
    return corrupt("{}: its documents end at token {}, it has {} bytes of {} a token", path, before,
                   file.shard.main.bytes() - file.begin, file.width);
  }
  if (file.shard.index && file.shard.index->samples() != file.ends.size()) {
    return corrupt("{}: {} documents, its sidecar has {}", path, file.ends.size(),
                   file.shard.index->samples());
  }
  HEADRACE_ASSIGN_OR_RETURN(
      Schema schema,
      Schema::make({{"tokens", file.width == 2 ? FieldType::kUint16 : FieldType::kInt32, {-1}}}));
  return std::unique_ptr<FieldReader>(new TokenFileReader(std::move(file), std::move(schema)));
}

}  // namespace headrace::shard
