// SPDX-License-Identifier: Apache-2.0
#include "shard/fields.h"

#include <algorithm>
#include <array>
#include <simdjson.h>
#include <utility>

#include "base/error.h"
#include "shard/container.h"

namespace headrace::shard {
namespace {

struct TypeRow {
  std::string_view name;
  std::size_t width;
};
// By FieldType.
constexpr std::array<TypeRow, 7> kTypes = {{{"string", 0},
                                            {"bytes", 0},
                                            {"uint16", 2},
                                            {"int32", 4},
                                            {"int64", 8},
                                            {"float32", 4},
                                            {"float64", 8}}};

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Result<void> check_shape(const Field& field) {
  if (!field.is_array()) return {};
  if (type_width(field.type) == 0) {
    return invalid_argument("field '{}': arrays of {} are not supported; a shape needs numbers",
                            field.name, type_name(field.type));
  }
  std::size_t open = 0;
  for (const std::int64_t length : field.shape) {
    if (length == -1) ++open;
    if (length < -1 || length == 0) {
      return invalid_argument("field '{}': a length of {} in its shape; 1 or more, or -1 for any",
                              field.name, length);
    }
  }
  if (open > 1) {
    return invalid_argument("field '{}': {} lengths of its shape are -1, at most one can be",
                            field.name, open);
  }
  return {};
}

Result<void> check_value(const Field& field, std::string_view value) {
  if (is_null(value)) return {};
  if (field.type == FieldType::kString) {
    if (simdjson::validate_utf8(value.data(), value.size())) return {};
    return invalid_argument("field '{}': a string of {} bytes is not UTF-8; use type bytes",
                            field.name, value.size());
  }
  const std::size_t width = type_width(field.type);
  if (width == 0) return {};
  if (!field.is_array()) {
    if (value.size() == width) return {};
    return invalid_argument("field '{}': {} bytes, {} has {}", field.name, value.size(),
                            type_name(field.type), width);
  }
  std::size_t unit = width;
  bool open = false;
  for (const std::int64_t length : field.shape) {
    if (length == -1) {
      open = true;
    } else {
      unit *= static_cast<std::size_t>(length);
    }
  }
  if (open ? value.size() % unit == 0 : value.size() == unit) return {};
  return invalid_argument("field '{}': {} bytes do not fill its shape, which takes {}{}",
                          field.name, value.size(), open ? "multiples of " : "", unit);
}

// In front of every writer: no container has to check what the schema says.
class CheckedWriter final : public FieldWriter {
 public:
  CheckedWriter(std::string prefix, Schema schema, std::unique_ptr<FieldWriter> writer)
      : prefix_(std::move(prefix)),
        schema_(std::move(schema)),
        tokens_field_(schema_.find("tokens")),
        writer_(std::move(writer)) {}

  Result<void> add(FieldValues values) override {
    if (writer_ == nullptr) return invalid_argument("{}: add() after finish()", prefix_);
    Result<void> added = check_values(schema_, values);
    if (added) added = writer_->add(values);
    if (!added) return added.error().with_context(fmt::format("{}, sample {}", prefix_, samples_));
    ++samples_;
    if (tokens_field_ && schema_.at(*tokens_field_).is_array()) {
      tokens_ += values[*tokens_field_].size() / type_width(schema_.at(*tokens_field_).type);
    }
    return {};
  }

  Result<ShardEntry> finish() override {
    if (writer_ == nullptr) return invalid_argument("{}: finish() was called before", prefix_);
    Result<ShardEntry> entry = writer_->finish();
    writer_.reset();
    if (!entry) return entry;
    entry->samples = samples_;
    entry->tokens = tokens_;
    return entry;
  }

 private:
  const std::string prefix_;
  const Schema schema_;
  const std::optional<std::size_t> tokens_field_;
  std::unique_ptr<FieldWriter> writer_;
  std::uint64_t samples_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace

std::string_view type_name(FieldType type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::optional<FieldType> find_type(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<FieldType>(i);
  }
  return std::nullopt;
}

std::size_t type_width(FieldType type) { return kTypes[static_cast<std::size_t>(type)].width; }

std::size_t Field::fixed_bytes() const {
  std::size_t bytes = type_width(type);
  for (const std::int64_t length : shape) {
    if (length == -1) return 0;
    bytes *= static_cast<std::size_t>(length);
  }
  return bytes;
}

Result<Schema> Schema::make(std::vector<Field> fields) {
  if (fields.empty()) return invalid_argument("a schema needs a field");
  std::sort(fields.begin(), fields.end(),
            [](const Field& a, const Field& b) { return a.name < b.name; });
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!is_name(fields[i].name)) {
      return invalid_argument("field '{}': a name is letters, digits and '_'", fields[i].name);
    }
    if (i > 0 && fields[i].name == fields[i - 1].name) {
      return invalid_argument("field '{}' stands twice in the schema", fields[i].name);
    }
    HEADRACE_RETURN_IF_ERROR(check_shape(fields[i]));
  }
  Schema schema;
  schema.fields_ = std::move(fields);
  return schema;
}

std::optional<std::size_t> Schema::find(std::string_view name) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return i;
  }
  return std::nullopt;
}

Result<void> check_values(const Schema& schema, FieldValues values) {
  if (values.size() != schema.size()) {
    return invalid_argument("{} values for {} fields", values.size(), schema.size());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    HEADRACE_RETURN_IF_ERROR(check_value(schema.at(i), values[i]));
  }
  return {};
}

std::vector<std::string_view> FieldBuffer::values() const {
  std::vector<std::string_view> values(size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
  return values;
}

Result<std::unique_ptr<FieldWriter>> create_field_writer(std::string_view format,
                                                         const std::string& prefix,
                                                         const Schema& schema,
                                                         const FieldOptions& options) {
  const ContainerInfo* container = registry().find(format);
  if (container == nullptr || container->create_fields == nullptr) {
    return unsupported("'{}' is not a container of fields that this program writes", format);
  }
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<FieldWriter> writer,
                            container->create_fields(prefix, schema, options));
  return std::unique_ptr<FieldWriter>(new CheckedWriter(prefix, schema, std::move(writer)));
}

Result<std::unique_ptr<FieldReader>> open_field_reader(std::string_view format,
                                                       const std::string& path,
                                                       const FieldReadOptions& options) {
  const ContainerInfo* container = registry().find(format);
  if (container == nullptr || container->open_fields == nullptr) {
    return unsupported("'{}' is not a container of fields that this program reads", format);
  }
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<FieldReader> reader,
                            container->open_fields(path, options));
  if (options.schema && !(*options.schema == reader->schema())) {
    return invalid_argument("{}: its fields are not those of the schema that was asked for", path);
  }
  return reader;
}

}  // namespace headrace::shard
