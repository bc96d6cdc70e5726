// SPDX-License-Identifier: Apache-2.0
// The wire format of protobuf for the one message: Example { Features { map<string, Feature> } },
// Feature one of BytesList, FloatList, Int64List. Reading takes what any writer may write: unpacked
// numbers, entries in any order, the last of several, fields that are unknown.
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "shard/tfrecord_shard.h"

namespace headrace::shard {
namespace {

enum WireType : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
enum Kind : std::uint64_t { kNone = 0, kBytesList = 1, kFloatList = 2, kInt64List = 3 };

void append_varint(std::uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

std::size_t varint_bytes(std::uint64_t value) {
  std::size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

// Tag and length of a field of `size` bytes.
void append_head(std::uint64_t field, std::uint64_t size, std::string* out) {
  append_varint(field << 3 | kBytes, out);
  append_varint(size, out);
}
std::size_t with_head(std::size_t size) { return 1 + varint_bytes(size) + size; }

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

std::int64_t integer_at(FieldType type, const char* bytes) {
  switch (type) {
    case FieldType::kUint16:
      return load<std::uint16_t>(bytes);
    case FieldType::kInt32:
      return load<std::int32_t>(bytes);
    default:
      return load<std::int64_t>(bytes);
  }
}

Kind kind_of(FieldType type) {
  if (type_width(type) == 0) return kBytesList;
  return type == FieldType::kFloat32 ? kFloatList : kInt64List;
}

// The content of the list of a feature; the list's own field is 1, packed.
void append_list(const Field& field, std::string_view value, std::string* out) {
  if (kind_of(field.type) != kInt64List) {
    out->append(value);
    return;
  }
  const std::size_t width = type_width(field.type);
  for (std::size_t at = 0; at < value.size(); at += width) {
    append_varint(static_cast<std::uint64_t>(integer_at(field.type, value.data() + at)), out);
  }
}

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return bytes_.empty(); }

  Result<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    return corrupt("a tf.train.Example that ends inside a number");
  }

  // Number, type and content of the next field; of a number its value alone.
  struct Item {
    std::uint64_t field = 0;
    std::uint64_t type = 0;
    std::uint64_t number = 0;
    std::string_view bytes;
  };
  Result<Item> next() {
    Item item;
    HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t tag, varint());
    item.field = tag >> 3;
    item.type = tag & 7;
    std::uint64_t size = 0;
    if (item.type == kVarint) {
      HEADRACE_ASSIGN_OR_RETURN(item.number, varint());
    } else if (item.type == kBytes) {
      HEADRACE_ASSIGN_OR_RETURN(size, varint());
    } else if (item.type == kFixed64 || item.type == kFixed32) {
      size = item.type == kFixed64 ? 8 : 4;
    } else {
      return corrupt("no tf.train.Example: a field of wire type {}", item.type);
    }
    if (size > bytes_.size()) {
      return corrupt("no tf.train.Example, or cut: a field of {} bytes, {} more are there", size,
                     bytes_.size());
    }
    item.bytes = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return item;
  }

 private:
  std::string_view bytes_;
};

// each(name, kind, content of the list) for every feature.
template <class Each>
Result<void> for_each_feature(std::string_view example, Each each) {
  WireReader top(example);
  while (!top.at_end()) {
    HEADRACE_ASSIGN_OR_RETURN(const WireReader::Item features, top.next());
    if (features.field != 1 || features.type != kBytes) continue;
    WireReader entries(features.bytes);
    while (!entries.at_end()) {
      HEADRACE_ASSIGN_OR_RETURN(const WireReader::Item entry, entries.next());
      if (entry.field != 1 || entry.type != kBytes) continue;
      WireReader parts(entry.bytes);
      std::string_view name;
      Kind kind = kNone;
      std::string_view list;
      while (!parts.at_end()) {
        HEADRACE_ASSIGN_OR_RETURN(const WireReader::Item part, parts.next());
        if (part.type != kBytes) continue;
        if (part.field == 1) name = part.bytes;
        if (part.field != 2) continue;
        WireReader feature(part.bytes);
        while (!feature.at_end()) {
          HEADRACE_ASSIGN_OR_RETURN(const WireReader::Item one, feature.next());
          if (one.type != kBytes || one.field < kBytesList || one.field > kInt64List) continue;
          kind = static_cast<Kind>(one.field);
          list = one.bytes;
        }
      }
      if (kind != kNone) HEADRACE_RETURN_IF_ERROR(each(name, kind, list));
    }
  }
  return {};
}

Result<void> append_integer(const Field& field, std::uint64_t bits, std::string* out) {
  const auto value = static_cast<std::int64_t>(bits);
  const bool fits =
      field.type == FieldType::kInt64 ||
      (field.type == FieldType::kInt32 && value == static_cast<std::int32_t>(value)) ||
      (field.type == FieldType::kUint16 && value == static_cast<std::uint16_t>(value));
  if (!fits) return corrupt("field '{}': {} is no {}", field.name, value, type_name(field.type));
  out->append(reinterpret_cast<const char*>(&value), type_width(field.type));
  return {};
}

Result<void> read_list(const Field& field, Kind kind, std::string_view list, std::string* out) {
  WireReader reader(list);
  while (!reader.at_end()) {
    HEADRACE_ASSIGN_OR_RETURN(const WireReader::Item item, reader.next());
    if (item.field != 1) continue;
    if (kind == kInt64List && item.type == kVarint) {
      HEADRACE_RETURN_IF_ERROR(append_integer(field, item.number, out));
    } else if (kind == kInt64List && item.type == kBytes) {
      WireReader packed(item.bytes);
      while (!packed.at_end()) {
        HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t bits, packed.varint());
        HEADRACE_RETURN_IF_ERROR(append_integer(field, bits, out));
      }
    } else {
      out->append(item.bytes);  // packed or single floats
    }
  }
  return {};
}

// The one value of a BytesList.
Result<std::string_view> single_bytes(const Field& field, std::string_view list) {
  WireReader reader(list);
  std::string_view value = kNull;
  while (!reader.at_end()) {
    HEADRACE_ASSIGN_OR_RETURN(const WireReader::Item item, reader.next());
    if (item.field != 1) continue;
    if (!is_null(value)) return unsupported("field '{}': several byte strings", field.name);
    value = item.bytes;
  }
  return value;
}

}  // namespace

void append_example(const Schema& schema, FieldValues values, std::string* out) {
  std::string features;
  std::string list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_null(values[i])) continue;
    const Field& field = schema.at(i);
    list.clear();
    append_list(field, values[i], &list);
    // An empty array is a list without its field; an empty string is one value.
    const Kind kind = kind_of(field.type);
    const std::size_t list_bytes = list.empty() && kind != kBytesList ? 0 : with_head(list.size());
    const std::size_t feature_bytes = with_head(list_bytes);
    append_head(1, with_head(field.name.size()) + with_head(feature_bytes), &features);
    append_head(1, field.name.size(), &features);
    features += field.name;
    append_head(2, feature_bytes, &features);
    append_head(kind, list_bytes, &features);
    if (list_bytes == 0) continue;
    append_head(1, list.size(), &features);
    features += list;
  }
  append_head(1, features.size(), out);
  out->append(features);
}

Result<void> parse_example(const Schema& schema, std::string_view bytes, FieldBuffer* sample) {
  return for_each_feature(
      bytes, [&](std::string_view name, Kind kind, std::string_view list) -> Result<void> {
        const auto place = schema.find(name);
        if (!place) return {};
        const Field& field = schema.at(*place);
        const std::size_t width = type_width(field.type);
        if (kind != kind_of(field.type)) {
          return corrupt("field '{}': its list is not of {}", name, type_name(field.type));
        }
        if (kind == kBytesList) {
          HEADRACE_ASSIGN_OR_RETURN(const std::string_view value, single_bytes(field, list));
          if (!is_null(value)) sample->append(*place, value);
          return {};
        }
        const std::size_t begin = sample->bytes.size();
        HEADRACE_RETURN_IF_ERROR(read_list(field, kind, list, &sample->bytes));
        const std::size_t size = sample->bytes.size() - begin;
        if (size % width != 0 || (!field.is_array() && size != width)) {
          return corrupt("field '{}': {} bytes of numbers, expected {}{}", name, size, width,
                         field.is_array() ? " each" : "");
        }
        sample->set(*place, begin, size);
        return {};
      });
}

Result<Schema> example_schema(std::string_view bytes) {
  std::vector<Field> fields;
  HEADRACE_RETURN_IF_ERROR(for_each_feature(
      bytes, [&](std::string_view name, Kind kind, std::string_view) -> Result<void> {
        Field field{std::string(name), FieldType::kBytes, {}};
        if (kind != kBytesList) {
          field.type = kind == kFloatList ? FieldType::kFloat32 : FieldType::kInt64;
          field.shape = {-1};
        }
        std::erase_if(fields, [&](const Field& other) { return other.name == field.name; });
        fields.push_back(std::move(field));
        return {};
      }));
  return Schema::make(std::move(fields));
}

}  // namespace headrace::shard
