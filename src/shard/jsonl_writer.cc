// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "shard/jsonl_shard.h"
#include "shard/shard_output.h"

namespace headrace::shard {
namespace {

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// Shortest text that reads back as the number; 1.0 keeps its point, so that readers see a float.
template <class T>
void append_float(T value, std::string* out) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  const std::string_view shortest(text, static_cast<std::size_t>(end - text));
  out->append(shortest);
  if (shortest.find_first_of(".e") == std::string_view::npos) out->append(".0");
}

void append_json_string(std::string_view text, std::string* out) {
  out->push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      out->append("\\n");
    } else if (c == '\t') {
      out->append("\\t");
    } else if (byte < 0x20) {
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", byte);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

class JsonlWriter final : public FieldWriter {
 public:
  JsonlWriter(Schema schema, ShardOutput output)
      : schema_(std::move(schema)), output_(std::move(output)) {}

  Result<void> add(FieldValues values) override {
    line_ = "{";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Field& field = schema_.at(i);
      if (i > 0) line_ += ", ";
      line_ += '"';
      line_ += field.name;
      line_ += "\": ";
      if (is_null(values[i])) {
        line_ += "null";
      } else if (field.type == FieldType::kString) {
        append_json_string(values[i], &line_);
      } else if (field.type == FieldType::kBytes) {
        line_ += '"';
        append_base64(values[i], &line_);
        line_ += '"';
      } else {
        HEADRACE_RETURN_IF_ERROR(append_numbers(field, values[i]));
      }
    }
    line_ += "}\n";
    return output_.add_sample(line_);
  }

  Result<ShardEntry> finish() override { return output_.finish(); }

 private:
  Result<void> append_numbers(const Field& field, std::string_view value) {
    const std::size_t width = type_width(field.type);
    if (field.is_array()) line_ += '[';
    for (std::size_t at = 0; at < value.size(); at += width) {
      if (at > 0) line_ += ", ";
      const char* bytes = value.data() + at;
      switch (field.type) {
        case FieldType::kUint16:
          line_ += std::to_string(load<std::uint16_t>(bytes));
          break;
        case FieldType::kInt32:
          line_ += std::to_string(load<std::int32_t>(bytes));
          break;
        case FieldType::kInt64:
          line_ += std::to_string(load<std::int64_t>(bytes));
          break;
        default:
          HEADRACE_RETURN_IF_ERROR(append_real(field, bytes));
          break;
      }
    }
    if (field.is_array()) line_ += ']';
    return {};
  }

  Result<void> append_real(const Field& field, const char* bytes) {
    const bool narrow = field.type == FieldType::kFloat32;
    const double value = narrow ? static_cast<double>(load<float>(bytes)) : load<double>(bytes);
    if (!std::isfinite(value)) {
      return invalid_argument("field '{}': a number that is not finite, which JSON cannot hold",
                              field.name);
    }
    narrow ? append_float(load<float>(bytes), &line_) : append_float(value, &line_);
    return {};
  }

  const Schema schema_;
  ShardOutput output_;
  std::string line_;  // reused
};

}  // namespace

Result<std::unique_ptr<FieldWriter>> create_jsonl_writer(const std::string& prefix,
                                                         const Schema& schema,
                                                         const FieldOptions&) {
  for (const Field& field : schema.fields()) {
    if (field.shape.size() <= 1) continue;
    return unsupported("{}.jsonl, field '{}': arrays of several dimensions are not written", prefix,
                       field.name);
  }
  HEADRACE_ASSIGN_OR_RETURN(ShardOutput output, ShardOutput::create(prefix + ".jsonl"));
  return std::unique_ptr<FieldWriter>(new JsonlWriter(schema, std::move(output)));
}

}  // namespace headrace::shard
