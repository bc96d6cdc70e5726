// SPDX-License-Identifier: Apache-2.0
#include "read/internal/arrow_rows.h"

#include <algorithm>
#include <simdjson.h>
#include <span>
#include <utility>

#include <arrow/api.h>

#include "base/error.h"
#include "read/internal/arrow_json.h"
#include "read/internal/file_encoding.h"
#include "read/internal/json_text.h"

namespace headrace::read {
namespace {

constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

std::vector<std::string> cut_at_dots(std::string_view path) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t dot = path.find('.');
    names.emplace_back(path.substr(0, dot));
    if (dot == path.npos) return names;
    path.remove_prefix(dot + 1);
  }
}

std::string json_name(std::string_view name) {
  std::string json;
  append_json_string(name, &json);
  return json;
}

}  // namespace

// Two fields of one name: neither is taken, as nothing says which is meant.
Status ArrowRows::doubled(const std::string& name, const std::string& path) const {
  return invalid_argument(
      "reading {}: more than one field is named '{}', which the recipe asks for as '{}': rename "
      "one, or ask for another",
      split_.path, name, path);
}

Result<FieldPath> ArrowRows::find_path(const arrow::Schema& schema, const std::string& path) const {
  FieldPath found;
  if (schema.GetAllFieldIndices(path).size() > 1) return doubled(path, path);
  found.column = schema.GetFieldIndex(path);
  if (found.column >= 0) return found;
  found.names = cut_at_dots(path);
  if (schema.GetAllFieldIndices(found.names[0]).size() > 1) return doubled(found.names[0], path);
  found.column = schema.GetFieldIndex(found.names[0]);
  found.names.erase(found.names.begin());
  if (found.column < 0) return found;
  const arrow::DataType* type = schema.field(found.column)->type().get();
  for (const std::string& name : found.names) {
    if (type->id() != arrow::Type::STRUCT) return FieldPath();
    const auto& fields = static_cast<const arrow::StructType&>(*type);
    if (fields.GetAllFieldIndices(name).size() > 1) return doubled(name, path);
    const auto field = fields.GetFieldByName(name);
    if (field == nullptr) return FieldPath();
    type = field->type().get();
  }
  return found;
}

const arrow::Array* ArrowRows::resolve(const arrow::Array& column,
                                       const std::vector<std::string>& names, std::int64_t row) {
  const arrow::Array* array = &column;
  for (const std::string& name : names) {
    if (array->IsNull(row)) return nullptr;
    const auto& holder = static_cast<const arrow::StructArray&>(*array);
    // The struct array keeps the fields it has handed out.
    array = holder.field(holder.struct_type()->GetFieldIndex(name)).get();
  }
  return array;
}

Result<void> ArrowRows::bind(const arrow::Schema& schema) {
  HEADRACE_ASSIGN_OR_RETURN(text_, find_path(schema, options_.text_field));
  fields_.clear();
  if (options_.keep_all) {
    for (int i = 0; i < schema.num_fields(); ++i) {
      if (i == text_.column && text_.names.empty()) continue;
      fields_.push_back({{i, {}}, json_name(schema.field(i)->name())});
    }
  } else {
    for (const std::string& path : options_.keep) {
      HEADRACE_ASSIGN_OR_RETURN(FieldPath found, find_path(schema, path));
      if (found.column >= 0) fields_.push_back({std::move(found), json_name(path)});
    }
  }
  return {};
}

std::vector<int> ArrowRows::columns() const {
  std::vector<int> all;
  if (text_.column >= 0) all.push_back(text_.column);
  for (const Field& field : fields_) all.push_back(field.path.column);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Result<void> ArrowRows::batch(const arrow::RecordBatch& batch, std::uint64_t first_row) {
  columns_.clear();
  for (int i = 0; i < batch.num_columns(); ++i) columns_.push_back(batch.column(i));
  for (std::int64_t row = 0; row < batch.num_rows(); ++row) {
    HEADRACE_RETURN_IF_ERROR(this->row(row, first_row + static_cast<std::uint64_t>(row)));
  }
  return {};
}

Result<void> ArrowRows::reject(std::uint64_t row, Rejection kind, std::string_view reason,
                               std::string detail, std::string_view bytes) {
  RejectedRecord record;
  record.kind = kind;
  record.reason = reason;
  record.detail = std::move(detail);
  record.offset = row;
  record.bytes = bytes;
  return sink_.rejected(record);
}

Result<void> ArrowRows::row(std::int64_t row, std::uint64_t place) {
  const arrow::Array* array = nullptr;
  if (text_.column >= 0) {
    array = resolve(*columns_[static_cast<std::size_t>(text_.column)], text_.names, row);
  }
  if (array == nullptr) return drop(row, place, "text_missing", "is not there");
  if (array->IsNull(row) || array->type_id() == arrow::Type::NA) {
    return drop(row, place, "text_null", "is null");
  }
  std::string_view text;
  if (!string_value(*array, row, &text)) {
    return drop(row, place, "text_not_string", "is of type " + array->type()->ToString());
  }
  if (text.size() > options_.max_record_bytes) {
    return reject(place, Rejection::kDrop, "record_too_long",
                  fmt::format("the text is longer than {} bytes", options_.max_record_bytes),
                  text.substr(0, kFrontBytes));
  }
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    const std::size_t bad = first_invalid_utf8(text);
    return reject(place, Rejection::kQuarantine, "invalid_utf8",
                  fmt::format("byte 0x{:02X} at byte {} of the text of row {} is not UTF-8",
                              static_cast<unsigned char>(text[bad]), bad, place),
                  text);
  }
  document_.id = DocumentId::make(split_.file, place);
  document_.text = text;
  document_.line = 0;
  document_.meta.clear();
  append_fields(row, &document_.meta);
  return sink_.document(document_);
}

// The row's other fields stand for its bytes.
Result<void> ArrowRows::drop(std::int64_t row, std::uint64_t place, std::string_view reason,
                             std::string_view what) {
  std::string fields;
  append_fields(row, &fields);
  return reject(place, Rejection::kDrop, reason,
                fmt::format("row {}: the field '{}' {}", place, options_.text_field, what), fields);
}

void ArrowRows::append_fields(std::int64_t row, std::string* json) const {
  for (const Field& field : fields_) {
    const arrow::Array* array =
        resolve(*columns_[static_cast<std::size_t>(field.path.column)], field.path.names, row);
    if (array == nullptr) continue;
    *json += json->empty() ? '{' : ',';
    *json += field.quoted_name;
    *json += ':';
    std::span<const std::string> way_to_text;
    if (field.path.column == text_.column && field.path.names.empty()) way_to_text = text_.names;
    append_json(*array, row, way_to_text, json);
  }
  if (!json->empty()) *json += '}';
}

}  // namespace headrace::read
