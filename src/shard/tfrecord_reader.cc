// SPDX-License-Identifier: Apache-2.0
// Every record carries its checksums, so others' files are read as safely as ours; the sidecar
// spares the walk over their lengths.
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "shard/shard_output.h"
#include "shard/tfrecord_shard.h"

namespace headrace::shard {
namespace {

constexpr std::uint64_t kHeadBytes = 12;
constexpr std::uint64_t kFrameBytes = 16;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

Result<std::vector<std::uint64_t>> find_records(const io::RandomFile& file, bool keep_whole) {
  std::vector<std::uint64_t> offsets = {0};
  const auto bad = [&](std::string_view what) {
    return corrupt("{}: offset {}: {} ({} whole records before)", file.path(), offsets.back(), what,
                   offsets.size() - 1);
  };
  while (offsets.back() < file.bytes()) {
    const std::uint64_t rest = file.bytes() - offsets.back();
    char head[kHeadBytes];
    std::uint64_t length = 0;
    bool whole = rest >= kFrameBytes;
    if (whole) {
      HEADRACE_RETURN_IF_ERROR(file.read(offsets.back(), head));
      length = load<std::uint64_t>(head);
      if (masked_crc32c({head, 8}) != load<std::uint32_t>(head + 8)) {
        const bool gzip = offsets.size() == 1 && head[0] == '\x1f' && head[1] == '\x8b';
        if (gzip) {
          return unsupported(
              "{}: compressed as a whole by gzip, so no record can be found; unpack "
              "it first",
              file.path());
        }
        return bad("no TFRecord (the checksum of a length does not fit)");
      }
      whole = length <= rest - kFrameBytes;
    }
    if (!whole || length >= kMostBytes) {
      if (!whole && keep_whole) return offsets;
      return bad(
          fmt::format("cut: a record of {} bytes, {} are there", length + kFrameBytes, rest));
    }
    offsets.push_back(offsets.back() + kFrameBytes + length);
  }
  return offsets;
}

class TfrecordReader final : public FieldReader {
 public:
  TfrecordReader(OpenShard shard, std::vector<std::uint64_t> offsets)
      : shard_(std::move(shard)), offsets_(std::move(offsets)) {}

  void set_schema(Schema schema) { schema_ = std::move(schema); }
  // The features of the first record are those of all.
  Result<void> find_schema() {
    if (samples() == 0) {
      return invalid_argument(
          "{}: without a record it does not say what its fields are; give a "
          "schema",
          shard_.main.path());
    }
    std::string record;
    HEADRACE_ASSIGN_OR_RETURN(const std::string_view example, read_record(0, &record));
    auto schema = example_schema(example);
    if (!schema) return sample_damage(shard_.main.path(), 0, offset(0), schema.error().message());
    schema_ = std::move(schema).value();
    return {};
  }

  const Schema& schema() const override { return schema_; }
  std::uint64_t samples() const override {
    return shard_.index ? shard_.index->samples() : offsets_.size() - 1;
  }
  bool has_checksums() const override { return true; }
  std::uint64_t memory_bytes() const override {
    return sizeof(*this) + offsets_.capacity() * sizeof(std::uint64_t) +
           (shard_.index ? shard_.index->memory_bytes() : 0);
  }

  Result<void> read(std::uint64_t i, FieldBuffer* sample) const override {
    thread_local std::string record;
    HEADRACE_ASSIGN_OR_RETURN(const std::string_view example, read_record(i, &record));
    sample->reset(schema_.size());
    sample->bytes.clear();
    const Result<void> parsed = parse_example(schema_, example, sample);
    if (parsed) return {};
    return sample_damage(shard_.main.path(), i, offset(i), parsed.error().message());
  }

 private:
  std::uint64_t offset(std::uint64_t i) const {
    return shard_.index ? shard_.index->sample(i).offset : offsets_[i];
  }

  Result<std::string_view> read_record(std::uint64_t i, std::string* record) const {
    const std::string& path = shard_.main.path();
    if (i >= samples())
      return invalid_argument("{}: sample {} of {} asked for", path, i, samples());
    if (shard_.index) {
      HEADRACE_RETURN_IF_ERROR(read_checked(shard_.main, *shard_.index, i, record));
    } else {
      record->resize(offsets_[i + 1] - offsets_[i]);
      HEADRACE_RETURN_IF_ERROR(shard_.main.read(offsets_[i], *record));
    }
    if (record->size() < kFrameBytes ||
        load<std::uint64_t>(record->data()) != record->size() - kFrameBytes) {
      return sample_damage(path, i, offset(i), "its length is not that of its place");
    }
    const std::string_view example =
        std::string_view(*record).substr(kHeadBytes, record->size() - kFrameBytes);
    const auto stated = load<std::uint32_t>(record->data() + record->size() - 4);
    if (const std::uint32_t found = masked_crc32c(example); found != stated) {
      return sample_damage(path, i, offset(i),
                           fmt::format("{} bytes have the masked CRC32C {:08x}, the record says "
                                       "{:08x}",
                                       example.size(), found, stated));
    }
    return example;
  }

  const OpenShard shard_;
  const std::vector<std::uint64_t> offsets_;  // without a sidecar; the last is the end
  Schema schema_;
};

}  // namespace

Result<std::unique_ptr<FieldReader>> open_tfrecord_reader(const std::string& path,
                                                          const FieldReadOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, options.require_sidecar));
  std::vector<std::uint64_t> offsets;
  if (!shard.index) {
    HEADRACE_ASSIGN_OR_RETURN(offsets, find_records(shard.main, options.keep_whole));
  }
  auto reader = std::make_unique<TfrecordReader>(std::move(shard), std::move(offsets));
  if (options.schema) {
    reader->set_schema(*options.schema);
  } else {
    HEADRACE_RETURN_IF_ERROR(reader->find_schema());
  }
  return reader;
}

}  // namespace headrace::shard
