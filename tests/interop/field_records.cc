// SPDX-License-Identifier: Apache-2.0
// For tests/interop/containers, tests/interop/mindspore and bench/peers/mindrecord_bench.py:
// samples of fields on standard input or output.
//
//   headrace_field_records write FORMAT PREFIX SCHEMA [OPTION=VALUE]... < samples
//   headrace_field_records read FORMAT PATH [SCHEMA] > samples
//   headrace_field_records mds-index FOLDER NAME... > index.json
//
// SCHEMA: "text:string,tokens:int32[-1]"; read prints it as its first line. A sample is, for each
// field in the order of the names, its length (u32, little-endian; 2^32 - 1 is null) and its bytes.
// OPTION: compression, description, index (names with '+'), names (of the set, with '+'), number,
// header, page, repeat (write the samples so many times).
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "shard/fields.h"
#include "shard/mds_shard.h"

namespace {

using headrace::shard::Field;
using headrace::shard::Schema;

constexpr std::uint32_t kNullLength = 0xffffffff;

[[noreturn]] void fail(std::string_view message) {
  std::fprintf(stderr, "headrace_field_records: %.*s\n", static_cast<int>(message.size()),
               message.data());
  std::exit(1);
}

template <class T>
T good(headrace::Result<T> result) {
  if (!result) fail(result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Schema parse_schema(std::string_view text) {
  std::vector<Field> fields;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> name_type = split(part, ':');
    if (name_type.size() != 2) fail("a field is NAME:TYPE");
    const std::vector<std::string> type = split(name_type[1], '[');
    const auto found = headrace::shard::find_type(type[0]);
    if (!found) fail("unknown type " + type[0]);
    Field field{name_type[0], *found, {}};
    if (type.size() > 1) {
      for (const std::string& length : split(type[1], 'x'))
        field.shape.push_back(std::atoll(length.c_str()));
    }
    fields.push_back(field);
  }
  return good(Schema::make(std::move(fields)));
}

void print_schema(const Schema& schema) {
  std::string line;
  for (const Field& field : schema.fields()) {
    if (!line.empty()) line += ',';
    line += field.name + ":" + std::string(type_name(field.type));
    for (std::size_t i = 0; i < field.shape.size(); ++i) {
      line += (i == 0 ? '[' : 'x') + std::to_string(field.shape[i]);
    }
    if (field.is_array()) line += ']';
  }
  std::printf("%s\n", line.c_str());
}

std::string read_all() {
  std::string bytes;
  std::vector<char> piece(1 << 20);
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), stdin)) {
    bytes.append(piece.data(), got);
  }
  return bytes;
}

void write(const std::vector<std::string>& arguments) {
  const Schema schema = parse_schema(arguments.at(4));
  headrace::shard::FieldOptions options;
  std::uint64_t repeat = 1;
  for (std::size_t i = 5; i < arguments.size(); ++i) {
    const std::vector<std::string> option = split(arguments[i], '=');
    const std::string& value = option.at(1);
    if (option[0] == "compression") options.compression = value;
    if (option[0] == "description") options.description = value;
    if (option[0] == "index") options.index_fields = split(value, '+');
    if (option[0] == "names") options.set_names = split(value, '+');
    if (option[0] == "number") options.shard_number = static_cast<std::uint32_t>(std::stoul(value));
    if (option[0] == "header") options.header_bytes = std::stoull(value);
    if (option[0] == "page") options.page_bytes = std::stoull(value);
    if (option[0] == "repeat") repeat = std::stoull(value);
  }
  auto writer = good(create_field_writer(arguments.at(2), arguments.at(3), schema, options));
  const std::string input = read_all();
  std::vector<std::string_view> values(schema.size());
  for (std::uint64_t round = 0; round < repeat; ++round) {
    std::string_view rest = input;
    while (!rest.empty()) {
      for (std::string_view& value : values) {
        std::uint32_t size = 0;
        if (rest.size() < sizeof(size)) fail("the last sample is cut");
        rest.copy(reinterpret_cast<char*>(&size), sizeof(size));
        rest.remove_prefix(sizeof(size));
        value = headrace::shard::kNull;
        if (size == kNullLength) continue;
        if (rest.size() < size) fail("the last sample is cut");
        value = rest.substr(0, size);
        rest.remove_prefix(size);
      }
      good(writer->add(values));
    }
  }
  const headrace::ShardEntry entry = good(writer->finish());
  for (const auto& file : entry.files) std::printf("%s\n", file.path.c_str());
}

void read(const std::vector<std::string>& arguments) {
  headrace::shard::FieldReadOptions options;
  if (arguments.size() > 4) options.schema = parse_schema(arguments[4]);
  const auto reader = good(open_field_reader(arguments.at(2), arguments.at(3), options));
  print_schema(reader->schema());
  headrace::shard::FieldBuffer sample;
  for (std::uint64_t i = 0; i < reader->samples(); ++i) {
    good(reader->read(i, &sample));
    for (const std::string_view value : sample.values()) {
      const auto size =
          headrace::shard::is_null(value) ? kNullLength : static_cast<std::uint32_t>(value.size());
      std::fwrite(&size, sizeof(size), 1, stdout);
      std::fwrite(value.data(), 1, value.size(), stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (argc >= 5 && arguments[1] == "write") {
    write(arguments);
  } else if (argc >= 4 && arguments[1] == "read") {
    read(arguments);
  } else if (argc >= 4 && arguments[1] == "mds-index") {
    const std::vector<std::string> names(arguments.begin() + 3, arguments.end());
    std::printf("%s", good(headrace::shard::format_mds_index(arguments[2], names)).c_str());
  } else {
    fail(
        "arguments: write FORMAT PREFIX SCHEMA [OPTION=VALUE]... | read FORMAT PATH [SCHEMA] | "
        "mds-index FOLDER NAME...");
  }
  return 0;
}
