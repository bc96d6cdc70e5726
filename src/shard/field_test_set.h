// SPDX-License-Identifier: Apache-2.0
// For tests only: rows of fields, written and read back.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "shard/fields.h"
#include "shard/shard_output.h"
#include "shard/test_set.h"

namespace headrace::shard {

// The bytes of numbers, as values have them.
template <class T>
std::string packed(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::string packed(T value) {
  static_assert(std::is_arithmetic_v<T>);
  return packed(std::vector<T>{value});
}

using TestRow = std::vector<std::string>;

inline Schema schema_of(std::vector<Field> fields) {
  Result<Schema> schema = Schema::make(std::move(fields));
  EXPECT_TRUE(schema) << schema.error().message();
  return *schema;
}

// Every type that all containers have.
inline Schema every_type() {
  return schema_of({{"text", FieldType::kString, {}},
                    {"image", FieldType::kBytes, {}},
                    {"count", FieldType::kInt32, {}},
                    {"id", FieldType::kInt64, {}},
                    {"quality", FieldType::kFloat32, {}},
                    {"loss", FieldType::kFloat64, {}},
                    {"tokens", FieldType::kInt32, {-1}},
                    {"times", FieldType::kInt64, {-1}},
                    {"vector", FieldType::kFloat32, {-1}}});
}

// In the order of the names: count, id, image, loss, quality, text, times, tokens, vector.
inline TestRow every_type_row(std::uint64_t i) {
  const CounterRng rng(i, purpose("field_row"));
  std::vector<std::int32_t> tokens(1 + rng.below(0, 40));
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    tokens[k] = static_cast<std::int32_t>(rng.below(k + 9, 1ULL << (1 + k % 31)));
    if (k % 3 == 0) tokens[k] = -tokens[k];
  }
  std::string text = i % 3 == 0 ? "" : "café 石 " + std::to_string(i);
  text.append(rng.below(1, 300), 'x');
  std::string image(rng.below(2, 500), '\0');
  for (std::size_t k = 0; k < image.size(); ++k) image[k] = static_cast<char>(rng.below(k, 256));
  return {packed(-static_cast<std::int32_t>(i)),
          packed(static_cast<std::int64_t>(i) << 33),
          image,
          packed(0.1 * static_cast<double>(i)),
          packed(0.25F * static_cast<float>(i)),
          text,
          packed(std::vector<std::int64_t>{-1, std::int64_t{1} << 40, 300}),
          packed(tokens),
          packed(std::vector<float>{0.5F, -1.5F})};
}

inline std::vector<TestRow> every_type_rows(std::uint64_t count) {
  std::vector<TestRow> rows;
  for (std::uint64_t i = 0; i < count; ++i) rows.push_back(every_type_row(i));
  return rows;
}

inline Result<void> add_row(FieldWriter& writer, const TestRow& row) {
  const std::vector<std::string_view> values(row.begin(), row.end());
  return writer.add(values);
}

// Writes a shard; its entry.
inline ShardEntry write_rows(const std::string& format, const std::string& prefix,
                             const Schema& schema, const std::vector<TestRow>& rows,
                             const FieldOptions& options = {}) {
  auto writer = create_field_writer(format, prefix, schema, options);
  EXPECT_TRUE(writer) << writer.error().message();
  if (!writer) return {};
  for (const TestRow& row : rows) {
    const Result<void> added = add_row(**writer, row);
    EXPECT_TRUE(added) << added.error().message();
  }
  Result<ShardEntry> entry = (*writer)->finish();
  EXPECT_TRUE(entry) << entry.error().message();
  return entry.value_or(ShardEntry{});
}

inline std::vector<TestRow> read_rows(const FieldReader& reader) {
  std::vector<TestRow> rows;
  FieldBuffer buffer;
  for (std::uint64_t i = 0; i < reader.samples(); ++i) {
    const Result<void> read = reader.read(i, &buffer);
    EXPECT_TRUE(read) << read.error().message();
    TestRow row;
    for (const std::string_view value : buffer.values()) row.emplace_back(value);
    rows.push_back(std::move(row));
  }
  return rows;
}

inline std::vector<TestRow> read_rows(const std::string& format, const std::string& path,
                                      const FieldReadOptions& options = {}) {
  auto reader = open_field_reader(format, path, options);
  EXPECT_TRUE(reader) << reader.error().message();
  return reader ? read_rows(**reader) : std::vector<TestRow>{};
}

// What opening or reading every sample says; "" when all is well.
inline std::string first_error(const std::string& format, const std::string& path,
                               const FieldReadOptions& options = {}) {
  auto reader = open_field_reader(format, path, options);
  if (!reader) return reader.error().message();
  FieldBuffer buffer;
  for (std::uint64_t i = 0; i < (*reader)->samples(); ++i) {
    if (Result<void> read = (*reader)->read(i, &buffer); !read) return read.error().message();
  }
  return "";
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  int digits = 0;
  int value = 0;
  for (const char c : hex) {
    if (c == ' ') continue;
    value = value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
    if (++digits % 2 == 0) {
      bytes.push_back(static_cast<char>(value));
      value = 0;
    }
  }
  return bytes;
}

// What holds for every container: values come back, in any order; the same rows give the same
// bytes; nothing stands under a final name before the end; every flipped bit of a sample is found.
inline void check_container(const std::string& format, const std::string& extension,
                            const FieldOptions& options = {}, const Schema& schema = every_type()) {
  const std::string folder = fresh_folder("container_" + format + options.compression);
  const std::string prefix = folder + "/片-00000";
  const std::string path = prefix + extension;
  std::vector<TestRow> rows = every_type_rows(60);
  if (!schema.find("loss")) {
    for (TestRow& row : rows) row.erase(row.begin() + 3);
  }
  const std::size_t text = *schema.find("text");
  const ShardEntry entry = write_rows(format, prefix, schema, rows, options);
  EXPECT_EQ(entry.path, file_name(path));
  EXPECT_EQ(entry.samples, rows.size());
  std::uint64_t tokens = 0;
  for (const TestRow& row : rows) tokens += row[*schema.find("tokens")].size() / 4;
  EXPECT_EQ(entry.tokens, tokens);
  for (const ShardEntry::File& file : entry.files) {
    const std::string bytes = slurp(folder + "/" + file.path);
    EXPECT_EQ(bytes.size(), file.bytes) << file.path;
    EXPECT_EQ(to_hex(hash128(bytes)), file.xxh3_128) << file.path;
  }
  const FieldReadOptions typed{.schema = schema};
  EXPECT_EQ(read_rows(format, path, typed), rows);

  auto reader = open_field_reader(format, path, {.schema = schema, .require_sidecar = true});
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_TRUE((*reader)->has_checksums());
  FieldBuffer buffer;
  for (const std::uint64_t i : {59U, 3U, 31U, 3U}) {
    ASSERT_TRUE((*reader)->read(i, &buffer));
    EXPECT_EQ(buffer.value(text), rows[i][text]);
  }
  EXPECT_EQ((*reader)->read(60, &buffer).error().code(), Code::kInvalidArgument);

  // The same again, elsewhere: the same bytes. An unfinished writer leaves nothing.
  const std::string again = fresh_folder("container_again") + "/片-00000";
  write_rows(format, again, schema, rows, options);
  EXPECT_EQ(slurp(again + extension), slurp(path));
  EXPECT_EQ(slurp(again + extension + ".hri"), slurp(path + ".hri"));
  const std::string unfinished = fresh_folder("container_unfinished");
  {
    auto writer = create_field_writer(format, unfinished + "/a", schema, options);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(add_row(**writer, rows[1]));
    EXPECT_FALSE(std::filesystem::exists(unfinished + "/a" + extension));
  }
  EXPECT_TRUE(std::filesystem::is_empty(unfinished));

  // A set moves with its folder.
  const std::string moved = fresh_folder("container_moved") + "/新 place";
  std::filesystem::rename(folder, moved);
  EXPECT_EQ(read_rows(format, moved + "/片-00000" + extension, typed), rows);

  // Cut files and foreign ones.
  const std::string good = slurp(moved + "/片-00000" + extension);
  const std::string bad_path = moved + "/片-00000" + extension;
  for (const std::size_t kept :
       {good.size() - 1, good.size() / 2, std::size_t{700}, std::size_t{5}, std::size_t{0}}) {
    spill(bad_path, good.substr(0, kept));
    const std::string error = first_error(format, bad_path, typed);
    EXPECT_NE(error.find("片-00000" + extension), std::string::npos) << kept << ": " << error;
  }
  spill(bad_path, good);
  const std::string sidecar = slurp(bad_path + ".hri");
  const Result<SidecarIndex> index = SidecarIndex::parse(sidecar, "test");
  ASSERT_TRUE(index);
  const CounterRng rng(5, purpose("flip"));
  for (std::uint64_t k = 0; k < 60 && index->samples() > 0; ++k) {
    const SampleRecord record = index->sample(rng.below(2 * k, index->samples()));
    std::string bytes = good;
    bytes[record.offset + rng.below(2 * k + 1, record.bytes)] ^= 16;
    spill(bad_path, bytes);
    EXPECT_NE(first_error(format, bad_path, typed).find("片-00000" + extension), std::string::npos);
  }
  std::filesystem::remove(bad_path + ".hri");
  spill(bad_path, "<html><head><title>404</title></head><body>" + std::string(9000, 'x'));
  EXPECT_NE(first_error(format, bad_path, typed), "");
}

}  // namespace headrace::shard
