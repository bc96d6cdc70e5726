// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <simdjson.h>
#include <utility>
#include <vector>

#include "base/error.h"
#include "shard/jsonl_shard.h"
#include "shard/shard_output.h"

namespace headrace::shard {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kPiece = 1 << 20;

// Starts of the lines, and the end of the last; empty lines are none.
struct Lines {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> ends;
};

Result<Lines> find_lines(const io::RandomFile& file) {
  Lines lines;
  std::string piece;
  std::uint64_t begin = 0;
  for (std::uint64_t at = 0; at < file.bytes(); at += piece.size()) {
    piece.resize(std::min<std::uint64_t>(kPiece, file.bytes() - at));
    HEADRACE_RETURN_IF_ERROR(file.read(at, piece));
    for (std::size_t end = 0; (end = piece.find('\n', end)) != std::string::npos; ++end) {
      if (at + end > begin) {
        lines.begins.push_back(begin);
        lines.ends.push_back(at + end);
      }
      begin = at + end + 1;
    }
  }
  if (begin < file.bytes()) {
    lines.begins.push_back(begin);
    lines.ends.push_back(file.bytes());
  }
  return lines;
}

template <class T>
void append(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

bool append_number(FieldType type, dom::element value, std::string* out) {
  if (type == FieldType::kFloat32 || type == FieldType::kFloat64) {
    double number = 0;
    if (value.get_double().get(number) != simdjson::SUCCESS) return false;
    type == FieldType::kFloat32 ? append(static_cast<float>(number), out) : append(number, out);
    return true;
  }
  std::int64_t number = 0;
  if (value.get_int64().get(number) != simdjson::SUCCESS) return false;
  switch (type) {
    case FieldType::kUint16:
      append(static_cast<std::uint16_t>(number), out);
      return number == static_cast<std::uint16_t>(number);
    case FieldType::kInt32:
      append(static_cast<std::int32_t>(number), out);
      return number == static_cast<std::int32_t>(number);
    default:
      append(number, out);
      return true;
  }
}

std::optional<Field> field_of(std::string_view name, dom::element value) {
  using dom::element_type;
  Field field{std::string(name), FieldType::kString, {}};
  switch (value.type()) {
    case element_type::STRING:
    case element_type::NULL_VALUE:
      return field;
    case element_type::INT64:
      field.type = FieldType::kInt64;
      return field;
    case element_type::DOUBLE:
      field.type = FieldType::kFloat64;
      return field;
    case element_type::ARRAY:
      break;
    default:
      return std::nullopt;
  }
  field.shape = {-1};
  field.type = FieldType::kInt64;
  for (const dom::element item : dom::array(value)) {
    if (item.type() == element_type::DOUBLE) field.type = FieldType::kFloat64;
    if (item.type() != element_type::DOUBLE && item.type() != element_type::INT64) {
      return std::nullopt;
    }
  }
  return field;
}

class JsonlReader final : public FieldReader {
 public:
  JsonlReader(OpenShard shard, Lines lines) : shard_(std::move(shard)), lines_(std::move(lines)) {}

  void set_schema(Schema schema) { schema_ = std::move(schema); }

  // The keys of the first line are those of all.
  Result<void> find_schema() {
    if (samples() == 0) {
      return invalid_argument(
          "{}: without a line it does not say what its fields are; give a "
          "schema",
          shard_.main.path());
    }
    std::string line;
    HEADRACE_RETURN_IF_ERROR(read_line(0, &line));
    dom::parser parser;
    dom::object object;
    if (parser.parse(line).get_object().get(object) != simdjson::SUCCESS) {
      return damage(0, "no JSON object");
    }
    std::vector<Field> fields;
    for (const auto [key, value] : object) {
      const auto field = field_of(key, value);
      if (!field) return damage(0, fmt::format("key '{}' has a value that is no field", key));
      fields.push_back(*field);
    }
    auto schema = Schema::make(std::move(fields));
    if (!schema) return damage(0, schema.error().message());
    schema_ = std::move(schema).value();
    return {};
  }

  const Schema& schema() const override { return schema_; }
  std::uint64_t samples() const override {
    return shard_.index ? shard_.index->samples() : lines_.begins.size();
  }
  bool has_checksums() const override { return shard_.index.has_value(); }
  std::uint64_t memory_bytes() const override {
    return sizeof(*this) + lines_.begins.capacity() * 2 * sizeof(std::uint64_t) +
           (shard_.index ? shard_.index->memory_bytes() : 0);
  }

  Result<void> read(std::uint64_t i, FieldBuffer* sample) const override {
    thread_local dom::parser parser;
    thread_local std::string line;
    HEADRACE_RETURN_IF_ERROR(read_line(i, &line));
    sample->reset(schema_.size());
    sample->bytes.clear();
    dom::object object;
    if (const auto error = parser.parse(line).get_object().get(object);
        error != simdjson::SUCCESS) {
      return damage(i, fmt::format("no JSON object: {}", simdjson::error_message(error)));
    }
    for (const auto [key, value] : object) {
      const auto place = schema_.find(key);
      if (!place || value.is_null()) continue;
      if (sample->has(*place)) return damage(i, fmt::format("key '{}' stands twice", key));
      if (!set_value(*place, value, sample)) {
        return damage(i, fmt::format("key '{}' is no {}{}", key, type_name(schema_.at(*place).type),
                                     schema_.at(*place).is_array() ? " list" : ""));
      }
    }
    return {};
  }

 private:
  Status damage(std::uint64_t i, std::string_view what) const {
    return sample_damage(shard_.main.path(), i,
                         shard_.index ? shard_.index->sample(i).offset : lines_.begins[i], what);
  }

  Result<void> read_line(std::uint64_t i, std::string* line) const {
    if (shard_.index) return read_checked(shard_.main, *shard_.index, i, line);
    if (i >= samples()) {
      return invalid_argument("{}: sample {} of {} asked for", shard_.main.path(), i, samples());
    }
    line->resize(lines_.ends[i] - lines_.begins[i]);
    return shard_.main.read(lines_.begins[i], *line);
  }

  bool set_value(std::size_t place, dom::element value, FieldBuffer* sample) const {
    const Field& field = schema_.at(place);
    if (type_width(field.type) == 0) {
      std::string_view text;
      if (value.get_string().get(text) != simdjson::SUCCESS) return false;
      if (field.type == FieldType::kString) {
        sample->append(place, text);
        return true;
      }
      const auto bytes = parse_base64(text);
      if (bytes) sample->append(place, *bytes);
      return bytes.has_value();
    }
    const std::size_t begin = sample->bytes.size();
    if (field.is_array()) {
      dom::array items;
      if (value.get_array().get(items) != simdjson::SUCCESS) return false;
      for (const dom::element item : items) {
        if (!append_number(field.type, item, &sample->bytes)) return false;
      }
    } else if (!append_number(field.type, value, &sample->bytes)) {
      return false;
    }
    sample->set(place, begin, sample->bytes.size() - begin);
    return true;
  }

  const OpenShard shard_;
  const Lines lines_;
  Schema schema_;
};

}  // namespace

Result<std::unique_ptr<FieldReader>> open_jsonl_reader(const std::string& path,
                                                       const FieldReadOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, options.require_sidecar));
  Lines lines;
  if (!shard.index) {
    HEADRACE_ASSIGN_OR_RETURN(lines, find_lines(shard.main));
  }
  auto reader = std::make_unique<JsonlReader>(std::move(shard), std::move(lines));
  if (options.schema) {
    reader->set_schema(*options.schema);
  } else {
    HEADRACE_RETURN_IF_ERROR(reader->find_schema());
  }
  return reader;
}

}  // namespace headrace::shard
