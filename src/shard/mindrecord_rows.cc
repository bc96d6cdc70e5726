// SPDX-License-Identifier: Apache-2.0
#include "shard/mindrecord_rows.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "shard/mindrecord_msgpack.h"

namespace headrace::shard {
namespace {

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

bool is_blob(const Field& field) { return field.is_array() || field.type == FieldType::kBytes; }

// 1 << code bytes hold the value.
unsigned width_code(std::int64_t value) {
  if (value == static_cast<std::int8_t>(value)) return 0;
  if (value == static_cast<std::int16_t>(value)) return 1;
  return value == static_cast<std::int32_t>(value) ? 2 : 3;
}

std::int64_t integer_at(FieldType type, const char* bytes) {
  return type == FieldType::kInt32 ? load<std::int32_t>(bytes) : load<std::int64_t>(bytes);
}

// Number of elements (u32, big-endian), two bits of width each, the elements.
void pack_integers(FieldType type, std::string_view values, std::string* out) {
  const std::size_t width = type_width(type);
  const std::size_t count = values.size() / width;
  append_big_endian(out, static_cast<std::uint32_t>(count));
  const std::size_t codes_at = out->size();
  out->resize(codes_at + (count + 3) / 4 + values.size() + count * 8, '\0');
  char* codes = out->data() + codes_at;
  char* to = codes + (count + 3) / 4;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t value = integer_at(type, values.data() + i * width);
    const unsigned code = width_code(value);
    codes[i / 4] = static_cast<char>(codes[i / 4] | (code << (6 - 2 * (i % 4))));
    std::memcpy(to, &value, 8);  // the room behind is there; the next element writes over it
    to += std::size_t{1} << code;
  }
  out->resize(static_cast<std::size_t>(to - out->data()));
}

Result<void> unpack_integers(const Field& field, std::string_view packed, std::string* out) {
  const auto bad = [&](std::string_view what) {
    return corrupt("field '{}': {} of its {} packed bytes", field.name, what, packed.size());
  };
  if (packed.size() < 4) return bad("the number of elements lies outside");
  const std::uint64_t count = load_big_endian<std::uint32_t>(packed.data());
  const std::uint64_t codes = (count + 3) / 4;
  if (packed.size() < 4 + codes) return bad("the widths lie outside");
  const std::size_t width = type_width(field.type);
  std::size_t at = 4 + codes;
  for (std::uint64_t i = 0; i < count; ++i) {
    const unsigned code = (static_cast<unsigned char>(packed[4 + i / 4]) >> (6 - 2 * (i % 4))) & 3;
    const std::size_t bytes = std::size_t{1} << code;
    if (bytes > width) return bad("an element is wider than its type");
    if (bytes > packed.size() - at) return bad("the elements lie outside");
    const char* from = packed.data() + at;
    const std::int64_t value = code == 0   ? load<std::int8_t>(from)
                               : code == 1 ? load<std::int16_t>(from)
                               : code == 2 ? load<std::int32_t>(from)
                                           : load<std::int64_t>(from);
    out->append(reinterpret_cast<const char*>(&value), width);
    at += bytes;
  }
  if (at != packed.size()) return bad("the elements end before the end");
  return {};
}

}  // namespace

MindRecordRows::MindRecordRows(Schema schema, bool packed)
    : schema_(std::move(schema)), packed_(packed) {
  for (std::size_t i = 0; i < schema_.size(); ++i) {
    (is_blob(schema_.at(i)) ? blob_ : raw_).push_back(i);
  }
}

Result<void> MindRecordRows::check(const Schema& schema) {
  for (const Field& field : schema.fields()) {
    if (field.type != FieldType::kUint16) continue;
    return unsupported("field '{}': MindRecord has no {}; int32 holds its values", field.name,
                       type_name(field.type));
  }
  return {};
}

bool MindRecordRows::is_packed(const Field& field) const {
  return packed_ && (field.type == FieldType::kInt32 || field.type == FieldType::kInt64);
}

void MindRecordRows::encode_raw(FieldValues values, std::string* record) const {
  if (raw_.empty()) {
    record->append("\x81\xa2id", 4);
    record->push_back('\0');
    return;
  }
  append_map_size(record, raw_.size());
  for (const std::size_t i : raw_) {
    const Field& field = schema_.at(i);
    append_string(record, field.name);
    const std::string_view value = values[i];
    switch (field.type) {
      case FieldType::kString:
        append_string(record, value);
        break;
      case FieldType::kFloat32:
        append_double(record, load<float>(value.data()));
        break;
      case FieldType::kFloat64:
        append_double(record, load<double>(value.data()));
        break;
      default:
        append_integer(record, integer_at(field.type, value.data()));
        break;
    }
  }
}

void MindRecordRows::encode_field(std::size_t field, std::string_view value, std::string* record,
                                  std::int64_t* saved) const {
  const Field& type = schema_.at(field);
  if (type.is_array() && is_packed(type)) {
    const std::size_t before = record->size();
    pack_integers(type.type, value, record);
    *saved += static_cast<std::int64_t>(value.size()) -
              static_cast<std::int64_t>(record->size() - before);
  } else {
    record->append(value);
  }
}

void MindRecordRows::encode_blob(FieldValues values, std::string* record,
                                 std::int64_t* saved) const {
  if (blob_.empty()) {
    record->append(4, '\0');
    return;
  }
  if (blob_.size() == 1) return encode_field(blob_.front(), values[blob_.front()], record, saved);
  for (const std::size_t i : blob_) {
    const std::size_t length_at = record->size();
    record->append(8, '\0');
    encode_field(i, values[i], record, saved);
    std::string length;
    append_big_endian(&length, std::uint64_t{record->size() - length_at - 8});
    record->replace(length_at, 8, length);
  }
}

Result<void> MindRecordRows::decode_raw(std::string_view record, FieldBuffer* sample) const {
  if (raw_.empty()) return {};
  MsgpackReader reader(record);
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t entries, reader.map_size());
  for (std::uint64_t e = 0; e < entries; ++e) {
    HEADRACE_ASSIGN_OR_RETURN(const std::string_view name, reader.string());
    const std::optional<std::size_t> field = schema_.find(name);
    if (!field || is_blob(schema_.at(*field))) {
      HEADRACE_RETURN_IF_ERROR(reader.skip());
      continue;
    }
    const Field& type = schema_.at(*field);
    const auto append_number = [&](auto value) {
      sample->append(*field, {reinterpret_cast<const char*>(&value), sizeof(value)});
    };
    if (type.type == FieldType::kString) {
      HEADRACE_ASSIGN_OR_RETURN(const std::string_view text, reader.string());
      sample->append(*field, text);
    } else if (type.type == FieldType::kFloat32 || type.type == FieldType::kFloat64) {
      HEADRACE_ASSIGN_OR_RETURN(const double value, reader.number());
      type.type == FieldType::kFloat32 ? append_number(static_cast<float>(value))
                                       : append_number(value);
    } else {
      HEADRACE_ASSIGN_OR_RETURN(const std::int64_t value, reader.integer());
      if (type.type == FieldType::kInt64) {
        append_number(value);
      } else if (value == static_cast<std::int32_t>(value)) {
        append_number(static_cast<std::int32_t>(value));
      } else {
        return corrupt("field '{}': {} is no int32", type.name, value);
      }
    }
  }
  for (const std::size_t i : raw_) {
    if (!sample->has(i)) return corrupt("field '{}' is missing", schema_.at(i).name);
  }
  if (!reader.at_end()) return corrupt("bytes behind the values of the raw record");
  return {};
}

Result<void> MindRecordRows::decode_field(std::size_t field, std::string_view bytes,
                                          FieldBuffer* sample) const {
  const Field& type = schema_.at(field);
  if (!type.is_array() || !is_packed(type)) {
    sample->append(field, bytes);
  } else {
    const std::size_t begin = sample->bytes.size();
    HEADRACE_RETURN_IF_ERROR(unpack_integers(type, bytes, &sample->bytes));
    sample->set(field, begin, sample->bytes.size() - begin);
  }
  return {};
}

Result<void> MindRecordRows::decode_blob(std::string_view record, FieldBuffer* sample) const {
  if (blob_.empty()) return {};
  if (blob_.size() == 1) return decode_field(blob_.front(), record, sample);
  for (const std::size_t i : blob_) {
    const std::string& name = schema_.at(i).name;
    if (record.size() < 8) return corrupt("field '{}': its length lies outside the record", name);
    const auto length = load_big_endian<std::uint64_t>(record.data());
    record.remove_prefix(8);
    if (length > record.size()) {
      return corrupt("field '{}': {} bytes, the record has {} more", name, length, record.size());
    }
    HEADRACE_RETURN_IF_ERROR(decode_field(i, record.substr(0, length), sample));
    record.remove_prefix(length);
  }
  if (!record.empty()) return corrupt("{} bytes behind the fields of the blob", record.size());
  return {};
}

}  // namespace headrace::shard
