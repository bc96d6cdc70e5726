// SPDX-License-Identifier: Apache-2.0
// Written by hand in the order of MindSpore's writer, so that the bytes are its bytes.
#include "shard/mindrecord_header.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace headrace::shard {
namespace {

using Json = nlohmann::json;

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "null" for none, as MindSpore writes it.
template <class T, class Format>
std::string list(const std::vector<T>& values, std::string_view empty, Format format) {
  if (values.empty()) return std::string(empty);
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += format(values[i], i);
  }
  return text + "]";
}

std::string format_page(const MindRecordPage& page, std::size_t id, std::uint64_t shard) {
  std::vector<MindRecordPage::Group> groups = page.groups;
  if (page.blob) groups = {{0, 0}};
  return fmt::format(
      R"({{"end_row_id":{},"page_id":{},"page_size":{},"page_type":"{}","page_type_id":{},)"
      R"("row_group_ids":{},"shard_id":{},"start_row_id":{}}})",
      page.end_row, id, page.bytes, page.blob ? "BLOB_DATA" : "RAW_DATA", page.type_id,
      list(groups, "[]",
           [](const MindRecordPage::Group& group, std::size_t) {
             return fmt::format(R"({{"id":{},"offset":{}}})", group.id, group.offset);
           }),
      shard, page.first_row);
}

std::string format_schema(const MindRecordHeader& header) {
  std::vector<std::string> blobs;
  for (const Field& field : header.schema.fields()) {
    if (field.is_array() || field.type == FieldType::kBytes) blobs.push_back(field.name);
  }
  std::string fields = list(header.schema.fields(), "", [](const Field& field, std::size_t) {
    const std::string shape =
        field.is_array() ? fmt::format(R"("shape":[{}],)", fmt::join(field.shape, ",")) : "";
    return fmt::format(R"({}:{{{}"type":"{}"}})", quoted(field.name), shape, type_name(field.type));
  });
  fields.front() = '{';
  fields.back() = '}';
  return fmt::format(
      R"([{{"blob_fields":{},"desc":{},"schema":{}}}])",
      list(blobs, "[]", [](const std::string& name, std::size_t) { return quoted(name); }),
      quoted(header.description), fields);
}

// Finds keys and remembers the first fault.
class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path) {}

  const Json* find(const Json& object, const char* key, Json::value_t type) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end()) {
      fail(key, "is missing");
      return nullptr;
    }
    const bool unsigned_wanted = type == Json::value_t::number_unsigned;
    if (found->type() != type || (unsigned_wanted && *found > kLargest)) {
      if (type == Json::value_t::array && found->is_null()) return nullptr;
      fail(key, fmt::format("has the type {}", found->type_name()));
      return nullptr;
    }
    return &*found;
  }

  std::uint64_t number(const Json& object, const char* key) {
    const Json* found = find(object, key, Json::value_t::number_unsigned);
    return found == nullptr ? 0 : found->get<std::uint64_t>();
  }
  std::string text(const Json& object, const char* key) {
    const Json* found = find(object, key, Json::value_t::string);
    return found == nullptr ? "" : found->get<std::string>();
  }
  template <class Each>
  void each(const Json& object, const char* key, Each each) {
    const Json* found = find(object, key, Json::value_t::array);
    if (found == nullptr) return;
    for (const Json& item : *found) {
      if (!fault_) each(item);
    }
  }

  void fail(std::string_view key, std::string_view what) {
    if (!fault_) fault_ = corrupt("{}: its header is damaged: key '{}' {}", path_, key, what);
  }
  const std::optional<Status>& fault() const { return fault_; }

 private:
  // Offsets and sizes are added and multiplied: none of a real file comes near.
  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
  const std::string& path_;
  std::optional<Status> fault_;
};

MindRecordPage parse_page(Parser& parser, const Json& item, std::size_t place) {
  MindRecordPage page;
  const std::string type = parser.text(item, "page_type");
  page.blob = type == "BLOB_DATA";
  if (!page.blob && type != "RAW_DATA") parser.fail("page_type", "is neither of the two kinds");
  if (parser.number(item, "page_id") != place) parser.fail("page_id", "is out of order");
  page.type_id = parser.number(item, "page_type_id");
  page.first_row = parser.number(item, "start_row_id");
  page.end_row = parser.number(item, "end_row_id");
  page.bytes = parser.number(item, "page_size");
  if (page.end_row < page.first_row) parser.fail("end_row_id", "is before start_row_id");
  return page;
}

std::vector<Field> parse_fields(Parser& parser, const Json& object) {
  std::vector<Field> fields;
  const Json* found = parser.find(object, "schema", Json::value_t::object);
  if (found == nullptr) return fields;
  for (const auto& [name, value] : found->items()) {
    Field field{name, FieldType::kString, {}};
    const std::optional<FieldType> type = find_type(parser.text(value, "type"));
    if (!type) parser.fail(name, "of the schema has a type that MindRecord does not have");
    if (type) field.type = *type;
    if (value.is_object() && value.contains("shape")) {
      const Json& shape = value["shape"];
      if (!shape.is_array()) parser.fail("shape", "is no list");
      for (const Json& length : shape) {
        if (!length.is_number_integer()) parser.fail("shape", "has a length that is no integer");
        if (length.is_number_integer()) field.shape.push_back(length.get<std::int64_t>());
      }
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace

std::uint64_t MindRecordHeader::rows() const {
  std::uint64_t rows = 0;
  for (const MindRecordPage& page : pages) {
    if (page.blob) rows += page.end_row - page.first_row;
  }
  return rows;
}

std::string format_mindrecord_header(const MindRecordHeader& header) {
  const std::string json = fmt::format(
      R"({{"header_size":{},"index_fields":{},"page":{},"page_size":{},"compression_size":{},)"
      R"("schema":{},"shard_addresses":{},"shard_id":{},"statistics":null,"version":"{}"}})",
      header.header_bytes,
      list(header.index_fields, "null",
           [](const std::string& name, std::size_t) {
             return fmt::format(R"({{"index_field":{},"schema_id":0}})", quoted(name));
           }),
      list(header.pages, "null",
           [&](const MindRecordPage& page, std::size_t id) {
             return format_page(page, id, header.shard_number);
           }),
      header.page_bytes, header.saved_bytes, format_schema(header),
      list(header.set_names, "[]",
           [](const std::string& name, std::size_t) { return quoted(name); }),
      header.shard_number, header.version);
  const std::uint64_t size = json.size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof(size));
  return bytes + json;
}

Result<MindRecordHeader> parse_mindrecord_header(std::string_view json, const std::string& path) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) {
    return corrupt("{}: no MindRecord file: its first {} bytes are no header", path, json.size());
  }
  Parser parser(path);
  MindRecordHeader header;
  header.version = parser.text(parsed, "version");
  if (parser.fault()) return *parser.fault();
  if (header.version != "2.0" && header.version != "3.0") {
    return unsupported("{}: MindRecord version '{}'; this program reads 2.0 and 3.0", path,
                       header.version);
  }
  header.header_bytes = parser.number(parsed, "header_size");
  header.page_bytes = parser.number(parsed, "page_size");
  header.shard_number = parser.number(parsed, "shard_id");
  parser.each(parsed, "index_fields", [&](const Json& item) {
    header.index_fields.push_back(parser.text(item, "index_field"));
  });
  parser.each(parsed, "page", [&](const Json& item) {
    header.pages.push_back(parse_page(parser, item, header.pages.size()));
    if (header.pages.back().bytes > header.page_bytes) {
      parser.fail("page_size", "of a page is larger than a page");
    }
  });
  parser.each(parsed, "shard_addresses", [&](const Json& item) {
    if (!item.is_string()) return parser.fail("shard_addresses", "holds something else than names");
    header.set_names.push_back(item.get<std::string>());
  });
  std::vector<Field> fields;
  std::size_t schemas = 0;
  parser.each(parsed, "schema", [&](const Json& item) {
    if (++schemas > 1) return parser.fail("schema", "has more than one entry");
    header.description = parser.text(item, "desc");
    fields = parse_fields(parser, item);
  });
  if (parser.fault()) return *parser.fault();
  auto schema = Schema::make(std::move(fields));
  if (!schema) return corrupt("{}: its header is damaged: {}", path, schema.error().message());
  header.schema = std::move(schema).value();
  return header;
}

}  // namespace headrace::shard
