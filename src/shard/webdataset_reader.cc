// SPDX-License-Identifier: Apache-2.0
// With a sidecar, a sample is one read; the names inside say which field is where. Without one, the
// archive is walked once, header by header.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "shard/npy_header.h"
#include "shard/shard_output.h"
#include "shard/tar.h"
#include "shard/webdataset_shard.h"

namespace headrace::shard {
namespace {

struct SampleRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

// Runs of members of one key.
Result<std::vector<SampleRange>> find_samples(const io::RandomFile& file, bool keep_whole) {
  std::vector<SampleRange> samples;
  std::string key;
  bool open = false;
  TarWalk walk(file);
  TarMember member;
  while (true) {
    const Result<bool> more = walk.next(&member, false);
    if (!more) {
      // A run that is cut inside a member is not whole; one that ends with the file may be.
      if (open && walk.at() < file.bytes()) samples.pop_back();
      if (keep_whole) return samples;
      return corrupt("{}: {} ({} whole samples before)", file.path(), more.error().message(),
                     samples.size());
    }
    if (!*more) return samples;
    const auto name = split_member_name(member.name);
    if (!name || !member.regular) {
      open = false;
      continue;
    }
    if (!open || name->key != key) {
      key = std::string(name->key);
      samples.push_back({member.offset, 0});
      open = true;
    }
    samples.back().bytes = member.end - samples.back().offset;
  }
}

class WebDatasetReader final : public FieldReader {
 public:
  WebDatasetReader(OpenShard shard, std::vector<SampleRange> ranges)
      : shard_(std::move(shard)), ranges_(std::move(ranges)) {}

  // The fields of the first sample are those of all.
  Result<void> find_schema() {
    std::vector<Field> fields = {{std::string(kKeyField), FieldType::kString, {}}};
    std::string bytes;
    if (samples() > 0) HEADRACE_RETURN_IF_ERROR(read_bytes(0, &bytes));
    TarWalk walk(bytes);
    TarMember member;
    while (true) {
      const Result<bool> more = walk.next(&member, true);
      if (!more) return damage(0, more.error().message());
      if (!*more) break;
      const auto name = split_member_name(member.name);
      auto field = name ? extension_field(name->extension) : std::nullopt;
      if (!field) continue;
      if (is_array_name(name->extension)) {
        const auto header = parse_npy_header(value_of(bytes, member));
        const auto type = header ? npy_type(header->descr) : std::nullopt;
        if (type) {
          field->type = *type;
          field->shape = header->shape;
          if (!field->shape.empty()) field->shape.front() = -1;
        }
      }
      fields.push_back(std::move(*field));
    }
    auto schema = Schema::make(std::move(fields));
    if (!schema) return damage(0, schema.error().message());
    set_schema(std::move(schema).value());
    return {};
  }

  void set_schema(Schema schema) {
    schema_ = std::move(schema);
    key_field_ = schema_.find(kKeyField);
  }

  const Schema& schema() const override { return schema_; }
  std::uint64_t samples() const override {
    return shard_.index ? shard_.index->samples() : ranges_.size();
  }
  bool has_checksums() const override { return shard_.index.has_value(); }
  std::uint64_t memory_bytes() const override {
    return sizeof(*this) + ranges_.capacity() * sizeof(SampleRange) +
           (shard_.index ? shard_.index->memory_bytes() : 0);
  }

  Result<void> read(std::uint64_t i, FieldBuffer* sample) const override {
    HEADRACE_RETURN_IF_ERROR(read_bytes(i, &sample->bytes));
    sample->reset(schema_.size());
    const std::size_t archive_bytes = sample->bytes.size();
    TarWalk walk(std::string_view(sample->bytes).substr(0, archive_bytes));
    TarMember member;
    std::string key;
    while (true) {
      const Result<bool> more = walk.next(&member, true);
      if (!more) return damage(i, more.error().message());
      if (!*more) break;
      const auto name = split_member_name(member.name);
      if (!name) continue;
      if (key.empty()) key = std::string(name->key);
      const auto field = extension_field(name->extension);
      const auto place = field ? schema_.find(field->name) : std::nullopt;
      if (!place) {
        return damage(i, fmt::format("a field '{}' that the first sample does not have; give a "
                                     "schema that names all",
                                     name->extension));
      }
      if (sample->has(*place)) {
        return damage(i, fmt::format("the field '{}' stands twice", name->extension));
      }
      HEADRACE_RETURN_IF_ERROR(set_value(i, *place, *name, member, sample));
    }
    // Behind the archive, which the walk is through with.
    if (key_field_) sample->append(*key_field_, key);
    return {};
  }

 private:
  static bool is_array_name(std::string_view extension) { return extension.ends_with(".npy"); }
  static std::string_view value_of(std::string_view bytes, const TarMember& member) {
    return bytes.substr(member.data_offset, member.bytes);
  }

  Status damage(std::uint64_t i, std::string_view what) const {
    const std::uint64_t offset = samples() == 0 ? 0
                                 : shard_.index ? shard_.index->sample(i).offset
                                                : ranges_[i].offset;
    return sample_damage(shard_.main.path(), i, offset, what);
  }

  Result<void> read_bytes(std::uint64_t i, std::string* bytes) const {
    if (shard_.index) return read_checked(shard_.main, *shard_.index, i, bytes);
    if (i >= samples()) {
      return invalid_argument("{}: sample {} of {} asked for", shard_.main.path(), i, samples());
    }
    bytes->resize(ranges_[i].bytes);
    return shard_.main.read(ranges_[i].offset, *bytes);
  }

  Result<void> set_value(std::uint64_t i, std::size_t place, const MemberName& name,
                         const TarMember& member, FieldBuffer* sample) const {
    const Field& field = schema_.at(place);
    std::size_t skipped = 0;
    if (type_width(field.type) > 0) {
      const auto header = parse_npy_header(value_of(sample->bytes, member));
      if (!header) {
        return damage(i, fmt::format("'{}': {}", name.extension, header.error().message()));
      }
      if (npy_type(header->descr) != field.type || header->shape.size() != field.shape.size()) {
        return damage(i, fmt::format("'{}' is an array of {} in {} dimensions, its field one of {} "
                                     "in {}",
                                     name.extension, header->descr, header->shape.size(),
                                     type_name(field.type), field.shape.size()));
      }
      std::uint64_t elements = 1;
      for (const std::int64_t length : header->shape)
        elements *= static_cast<std::uint64_t>(length);
      skipped = header->bytes;
      if (elements * type_width(field.type) != member.bytes - skipped) {
        return damage(i, fmt::format("'{}': {} bytes for {} numbers", name.extension,
                                     member.bytes - skipped, elements));
      }
    }
    sample->set(place, member.data_offset + skipped, member.bytes - skipped);
    return {};
  }

  const OpenShard shard_;
  const std::vector<SampleRange> ranges_;
  Schema schema_;
  std::optional<std::size_t> key_field_;
};

}  // namespace

Result<std::unique_ptr<FieldReader>> open_webdataset_reader(const std::string& path,
                                                            const FieldReadOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, options.require_sidecar));
  std::vector<SampleRange> ranges;
  if (!shard.index) {
    HEADRACE_ASSIGN_OR_RETURN(ranges, find_samples(shard.main, options.keep_whole));
  }
  auto reader = std::make_unique<WebDatasetReader>(std::move(shard), std::move(ranges));
  if (options.schema) {
    reader->set_schema(*options.schema);
  } else {
    HEADRACE_RETURN_IF_ERROR(reader->find_schema());
  }
  return reader;
}

}  // namespace headrace::shard
