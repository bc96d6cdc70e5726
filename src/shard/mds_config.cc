// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "shard/mds_shard.h"

namespace headrace::shard {
namespace {

using Json = nlohmann::json;

struct EncodingRow {
  FieldType type;
  std::string_view encoding;
};
// Of single values; the first of a type is the one that is written.
constexpr std::array<EncodingRow, 9> kEncodings = {{{FieldType::kString, "str"},
                                                    {FieldType::kBytes, "bytes"},
                                                    {FieldType::kUint16, "uint16"},
                                                    {FieldType::kInt32, "int32"},
                                                    {FieldType::kInt64, "int64"},
                                                    {FieldType::kInt64, "int"},
                                                    {FieldType::kFloat32, "float32"},
                                                    {FieldType::kFloat64, "float64"},
                                                    {FieldType::kBytes, "jpeg"}}};

// Encodings whose values are the bytes of a file.
bool is_file(std::string_view encoding) { return encoding == "jpeg" || encoding == "png"; }

// As json.dumps of Python separates: ", ".
template <class Each>
std::string joined(const Schema& schema, Each each) {
  std::string text;
  for (const Field& field : schema.fields()) text += (text.empty() ? "" : ", ") + each(field);
  return text;
}

}  // namespace

std::string mds_encoding(const Field& field) {
  if (field.is_array()) {
    std::string encoding = fmt::format("ndarray:{}", type_name(field.type));
    if (field.fixed_bytes() > 0) encoding += fmt::format(":{}", fmt::join(field.shape, ","));
    return encoding;
  }
  for (const EncodingRow& row : kEncodings) {
    if (row.type == field.type) return std::string(row.encoding);
  }
  return "";
}

std::optional<Field> mds_field(std::string_view name, std::string_view encoding) {
  Field field{std::string(name), FieldType::kBytes, {}};
  if (is_file(encoding)) return field;
  if (encoding == "json") {
    field.type = FieldType::kString;
    return field;
  }
  for (const EncodingRow& row : kEncodings) {
    if (row.encoding != encoding) continue;
    field.type = row.type;
    return field;
  }
  constexpr std::string_view kArray = "ndarray:";
  if (!encoding.starts_with(kArray)) return std::nullopt;
  encoding.remove_prefix(kArray.size());
  const std::size_t colon = encoding.find(':');
  const std::optional<FieldType> type = find_type(encoding.substr(0, colon));
  if (!type || type_width(*type) == 0) return std::nullopt;
  field.type = *type;
  if (colon == std::string_view::npos) {
    field.shape = {-1};
    return field;
  }
  const std::string shape = "[" + std::string(encoding.substr(colon + 1)) + "]";
  const Json lengths = Json::parse(shape, nullptr, false);
  if (!lengths.is_array() || lengths.empty()) return std::nullopt;
  for (const Json& length : lengths) {
    if (!length.is_number_unsigned()) return std::nullopt;
    field.shape.push_back(length.get<std::int64_t>());
  }
  return field;
}

// The keys in their order, the blanks where Python's json.dumps(sort_keys=True) has them.
std::string format_mds_config(const Schema& schema, std::string_view compression) {
  return fmt::format(
      R"({{"column_encodings": [{}], "column_names": [{}], "column_sizes": [{}], )"
      R"("compression": {}, "format": "mds", "hashes": [], "size_limit": null, "version": 2}})",
      joined(schema, [](const Field& field) { return fmt::format("\"{}\"", mds_encoding(field)); }),
      joined(schema, [](const Field& field) { return fmt::format("\"{}\"", field.name); }),
      joined(schema,
             [](const Field& field) {
               return field.fixed_bytes() == 0 ? std::string("null")
                                               : std::to_string(field.fixed_bytes());
             }),
      compression.empty() ? "null" : fmt::format("\"{}\"", compression));
}

Result<MdsConfig> parse_mds_config(std::string_view json, const std::string& path) {
  const Json config = Json::parse(json, nullptr, false);
  const auto bad = [&](std::string_view what) {
    return corrupt("{}: no MDS shard: {} in its {} bytes of columns", path, what, json.size());
  };
  if (!config.is_object()) return bad("no JSON object");
  const auto has = [&](const char* key, Json::value_t type) {
    return config.contains(key) && config[key].type() == type;
  };
  if (!has("version", Json::value_t::number_unsigned)) return bad("no version");
  if (config["version"] != 2) {
    return unsupported("{}: MDS version {}; this program reads 2", path, config["version"].dump());
  }
  if (!has("format", Json::value_t::string) || config["format"] != "mds") {
    return bad("another format than 'mds'");
  }
  if (!has("column_names", Json::value_t::array) ||
      !has("column_encodings", Json::value_t::array) ||
      config["column_names"].size() != config["column_encodings"].size()) {
    return bad("no names and encodings");
  }
  std::vector<Field> fields;
  for (std::size_t i = 0; i < config["column_names"].size(); ++i) {
    const Json& name = config["column_names"][i];
    const Json& encoding = config["column_encodings"][i];
    if (!name.is_string() || !encoding.is_string()) return bad("a column that is no text");
    auto field = mds_field(name.get<std::string>(), encoding.get<std::string>());
    if (!field) {
      return unsupported("{}: column '{}' has the encoding '{}', which this program does not read",
                         path, name.get<std::string>(), encoding.get<std::string>());
    }
    fields.push_back(std::move(*field));
  }
  auto schema = Schema::make(std::move(fields));
  if (!schema) return bad(schema.error().message());
  MdsConfig parsed{std::move(schema).value(), ""};
  for (std::size_t i = 0; i < parsed.schema.size(); ++i) {
    if (config["column_names"][i] != parsed.schema.at(i).name) return bad("names out of order");
  }
  if (has("compression", Json::value_t::string)) {
    parsed.compression = config["compression"].get<std::string>();
  }
  return parsed;
}

}  // namespace headrace::shard
