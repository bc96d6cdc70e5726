// SPDX-License-Identifier: Apache-2.0
#include "read/internal/arrow_json.h"

#include <cmath>
#include <iterator>
#include <simdjson.h>
#include <type_traits>

#include <arrow/api.h>
#include <arrow/util/base64.h>
#include <arrow/util/float16.h>
#include <arrow/visit_array_inline.h>
#include <fmt/format.h>

#include "read/internal/json_text.h"

namespace headrace::read {
namespace {

constexpr std::int64_t kMillisecondsOfDay = 86'400'000;

template <class Value>
void append_float(Value value, std::string* json) {
  if (!std::isfinite(value)) {
    *json += "null";
    return;
  }
  const std::size_t from = json->size();
  fmt::format_to(std::back_inserter(*json), "{}", value);
  // 1.0 stays a float for whoever reads it.
  if (json->find_first_of(".e", from) == json->npos) *json += ".0";
}

void append_bytes(std::string_view bytes, std::string* json) {
  if (simdjson::validate_utf8(bytes.data(), bytes.size())) {
    append_json_string(bytes, json);
  } else {
    *json += "{\"base64\":\"" + arrow::util::base64_encode(bytes) + "\"}";
  }
}

// Called for a value that is not null.
struct JsonWriter {
  std::int64_t row;
  std::span<const std::string> without;
  std::string* json;

  template <class Array>
    requires std::is_base_of_v<arrow::IntegerType, typename Array::TypeClass>
  arrow::Status Visit(const Array& array) {
    fmt::format_to(std::back_inserter(*json), "{}", array.Value(row));
    return arrow::Status::OK();
  }

  template <class Array>
    requires(arrow::is_base_binary_type<typename Array::TypeClass>::value ||
             arrow::is_binary_view_like_type<typename Array::TypeClass>::value)
  arrow::Status Visit(const Array& array) {
    append_bytes(array.GetView(row), json);
    return arrow::Status::OK();
  }

  arrow::Status Visit(const arrow::BooleanArray& array) {
    *json += array.Value(row) ? "true" : "false";
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::FloatArray& array) {
    append_float(array.Value(row), json);
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::DoubleArray& array) {
    append_float(array.Value(row), json);
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::HalfFloatArray& array) {
    append_float(arrow::util::Float16::FromBits(array.Value(row)).ToFloat(), json);
    return arrow::Status::OK();
  }
  // Before the general one for binary types: a decimal is stored as fixed-size binary.
  template <class Array>
    requires(arrow::is_decimal_type<typename Array::TypeClass>::value)
  arrow::Status Visit(const Array& array) {
    *json += array.FormatValue(row);
    return arrow::Status::OK();
  }
  // What no calendar or clock shows stays the number that it is.
  template <class Array>
    requires(arrow::is_date_type<typename Array::TypeClass>::value ||
             arrow::is_time_type<typename Array::TypeClass>::value ||
             arrow::is_timestamp_type<typename Array::TypeClass>::value)
  arrow::Status Visit(const Array& array) {
    bool shown = true;
    if constexpr (std::is_same_v<Array, arrow::Date64Array>) {
      shown = array.Value(row) % kMillisecondsOfDay == 0;
    }
    ARROW_ASSIGN_OR_RAISE(const auto scalar, array.GetScalar(row));
    const std::string text = scalar->ToString();
    shown = shown && !text.starts_with('<');  // "<value out of range: 86400>"
    if (shown) {
      append_json_string(text, json);
    } else {
      fmt::format_to(std::back_inserter(*json), "{}", array.Value(row));
    }
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::FixedSizeBinaryArray& array) {
    append_bytes(array.GetView(row), json);
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::ListArray& array) {
    return elements(*array.values(), array.value_offset(row), array.value_length(row));
  }
  arrow::Status Visit(const arrow::LargeListArray& array) {
    return elements(*array.values(), array.value_offset(row), array.value_length(row));
  }
  arrow::Status Visit(const arrow::FixedSizeListArray& array) {
    return elements(*array.values(), array.value_offset(row), array.value_length(row));
  }
  arrow::Status Visit(const arrow::MapArray& array) {
    *json += '[';
    const std::int64_t begin = array.value_offset(row);
    const std::int64_t end = begin + array.value_length(row);
    for (std::int64_t i = begin; i < end; ++i) {
      if (i > begin) *json += ',';
      *json += '[';
      append_json(*array.keys(), i, {}, json);
      *json += ',';
      append_json(*array.items(), i, {}, json);
      *json += ']';
    }
    *json += ']';
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::StructArray& array) {
    *json += '{';
    bool first = true;
    for (int i = 0; i < array.num_fields(); ++i) {
      const std::string& name = array.type()->field(i)->name();
      const bool on_the_way = !without.empty() && name == without[0];
      if (on_the_way && without.size() == 1) continue;
      if (!first) *json += ',';
      first = false;
      append_json_string(name, json);
      *json += ':';
      append_json(*array.field(i), row,
                  on_the_way ? without.subspan(1) : std::span<const std::string>{}, json);
    }
    *json += '}';
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::DictionaryArray& array) {
    append_json(*array.dictionary(), array.GetValueIndex(row), without, json);
    return arrow::Status::OK();
  }
  arrow::Status Visit(const arrow::ExtensionArray& array) {
    append_json(*array.storage(), row, without, json);
    return arrow::Status::OK();
  }
  // Durations, intervals, and what Arrow may add.
  arrow::Status Visit(const arrow::Array& array) {
    ARROW_ASSIGN_OR_RAISE(const auto scalar, array.GetScalar(row));
    append_json_string(scalar->ToString(), json);
    return arrow::Status::OK();
  }

 private:
  arrow::Status elements(const arrow::Array& values, std::int64_t begin, std::int64_t count) {
    *json += '[';
    for (std::int64_t i = begin; i < begin + count; ++i) {
      if (i > begin) *json += ',';
      append_json(values, i, {}, json);
    }
    *json += ']';
    return arrow::Status::OK();
  }
};

}  // namespace

void append_json(const arrow::Array& array, std::int64_t row, std::span<const std::string> without,
                 std::string* json) {
  if (array.IsNull(row) || array.type_id() == arrow::Type::NA) {
    *json += "null";
    return;
  }
  JsonWriter writer{row, without, json};
  if (!arrow::VisitArrayInline(array, &writer).ok()) *json += "null";
}

bool string_value(const arrow::Array& array, std::int64_t row, std::string_view* text) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      *text = static_cast<const arrow::BinaryArray&>(array).GetView(row);
      return true;
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      *text = static_cast<const arrow::LargeBinaryArray&>(array).GetView(row);
      return true;
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      *text = static_cast<const arrow::BinaryViewArray&>(array).GetView(row);
      return true;
    case arrow::Type::DICTIONARY: {
      const auto& encoded = static_cast<const arrow::DictionaryArray&>(array);
      return string_value(*encoded.dictionary(), encoded.GetValueIndex(row), text);
    }
    default:
      return false;
  }
}

}  // namespace headrace::read
