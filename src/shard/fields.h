// SPDX-License-Identifier: Apache-2.0
// Samples of named, typed fields: what the containers of other frameworks hold. Token sequences
// are such samples too (token_fields.h).
//
// A value is its bytes: a string as UTF-8, a number as its little-endian bytes, an array as its
// numbers in C order. So a sample is a row of byte ranges, in the order of the schema, and a
// container that stores numbers as they are copies them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"
#include "headrace/shard_set.h"

namespace headrace::shard {

enum class FieldType { kString, kBytes, kUint16, kInt32, kInt64, kFloat32, kFloat64 };

// "string" | "bytes" | "uint16" | "int32" | "int64" | "float32" | "float64"
std::string_view type_name(FieldType type);
std::optional<FieldType> find_type(std::string_view name);
// Bytes of one number; 0 for strings and bytes.
std::size_t type_width(FieldType type);

struct Field {
  std::string name;  // letters, digits and '_'
  FieldType type = FieldType::kString;
  // Of an array: each length 1 or more, or one of them -1 (any). Empty: a single value.
  std::vector<std::int64_t> shape;
  bool operator==(const Field&) const = default;

  bool is_array() const { return !shape.empty(); }
  // Bytes of every value; 0: they differ.
  std::size_t fixed_bytes() const;
};

// Fields sorted by the bytes of their names, as MindRecord, MDS and WebDataset order them.
class Schema {
 public:
  Schema() = default;
  // Refuses names that no container takes, two of one name, arrays of strings, empty shapes.
  static Result<Schema> make(std::vector<Field> fields);

  const std::vector<Field>& fields() const { return fields_; }
  std::size_t size() const { return fields_.size(); }
  const Field& at(std::size_t i) const { return fields_[i]; }
  std::optional<std::size_t> find(std::string_view name) const;
  bool operator==(const Schema&) const = default;

 private:
  std::vector<Field> fields_;
};

// The value that is not there. It is told from an empty one by its address.
inline constexpr char kNullMark[1] = {};
inline constexpr std::string_view kNull(kNullMark, 0);
inline bool is_null(std::string_view value) { return value.data() == kNullMark; }

// One value a field, in the order of the schema.
using FieldValues = std::span<const std::string_view>;

// Whether the values are of the schema: their number, widths, shapes, UTF-8. Nulls pass: the
// container refuses those that it cannot hold. The Status names the field.
Result<void> check_values(const Schema& schema, FieldValues values);

// A sample read back; reused. The ranges lie in `bytes`, unaligned.
class FieldBuffer {
 public:
  std::string bytes;

  void reset(std::size_t fields) { ranges_.assign(fields, {kMissing, 0}); }
  void set(std::size_t field, std::size_t offset, std::size_t size) {
    ranges_[field] = {offset, size};
  }
  // Copies `value` behind the bytes so far.
  void append(std::size_t field, std::string_view value) {
    set(field, bytes.size(), value.size());
    bytes.append(value);
  }
  std::size_t size() const { return ranges_.size(); }
  bool has(std::size_t field) const { return ranges_[field].offset != kMissing; }
  // Valid until the buffer changes.
  std::string_view value(std::size_t field) const {
    if (!has(field)) return kNull;
    return std::string_view(bytes).substr(ranges_[field].offset, ranges_[field].size);
  }
  std::vector<std::string_view> values() const;

 private:
  static constexpr std::size_t kMissing = ~std::size_t{0};
  struct Range {
    std::size_t offset;
    std::size_t size;
  };
  std::vector<Range> ranges_;
};

struct FieldOptions {
  // mds: "" | "zstd", the whole shard.
  std::string compression;
  // mindrecord: what the schema says of itself.
  std::string description;
  // mindrecord: file names of all shards of the set, and which of them this is. Empty: a set of
  // this one.
  std::vector<std::string> set_names;
  std::uint32_t shard_number = 0;
  // mindrecord: fields whose values also stand in the index database; see
  // docs/formats/mindrecord.md.
  std::vector<std::string> index_fields;
  std::uint64_t header_bytes = 1 << 20;  // mindrecord: 16 KiB to 128 MiB, by 4
  std::uint64_t page_bytes = 32 << 20;   // mindrecord: 32 KiB to 256 MiB, by 4
};

// Writes one shard: all its files and its .hri. Nothing stands under a final name before finish().
// Destroyed unfinished, it removes what it wrote. Single-threaded.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  virtual Result<void> add(FieldValues values) = 0;
  // Paths are relative to the folder of the prefix. `tokens`: elements of the field "tokens".
  virtual Result<ShardEntry> finish() = 0;
};

struct FieldReadOptions {
  // For containers that do not say what their fields are (webdataset); others refuse a schema that
  // is not theirs.
  std::optional<Schema> schema;
  // Without a sidecar, what others wrote is read on the checksums that its container has.
  bool require_sidecar = false;
  // webdataset, tfrecord, jsonl without a sidecar: of a cut file the samples that are whole,
  // instead of the error.
  bool keep_whole = false;
};

// Random access to one shard. Thread-safe.
class FieldReader {
 public:
  virtual ~FieldReader() = default;
  virtual const Schema& schema() const = 0;
  virtual std::uint64_t samples() const = 0;
  // Whether each read is checked by a checksum, the sidecar's or the container's.
  virtual bool has_checksums() const = 0;
  // Damage is Code::kCorrupt with file, sample and offset.
  virtual Result<void> read(std::uint64_t i, FieldBuffer* sample) const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
};

// `format`: a name of the registry of container.h. `prefix`: path of the shard without extension.
// The writer checks every sample against the schema first.
Result<std::unique_ptr<FieldWriter>> create_field_writer(std::string_view format,
                                                         const std::string& prefix,
                                                         const Schema& schema,
                                                         const FieldOptions& options = {});
// `path`: the main file of a shard, ours or another's.
Result<std::unique_ptr<FieldReader>> open_field_reader(std::string_view format,
                                                       const std::string& path,
                                                       const FieldReadOptions& options = {});

}  // namespace headrace::shard
