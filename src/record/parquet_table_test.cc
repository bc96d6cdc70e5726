// SPDX-License-Identifier: Apache-2.0
#include "record/parquet_table.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"

namespace headrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class ParquetTableTest : public testing::Test {
 protected:
  ParquetTableTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              fmt::format("{}_{}_{}", info->test_suite_name(), info->name(), ::getpid());
    std::filesystem::create_directories(folder_);
  }
  ~ParquetTableTest() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name = "x.parquet") const { return folder_ / name; }

  static std::string slurp(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  static void spit(const std::string& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
  }

  std::filesystem::path folder_;
};

std::unique_ptr<ParquetWriter> writer_for(
    const std::string& file, const std::vector<ColumnInfo>& columns,
    const std::vector<std::pair<std::string, std::string>>& metadata = {}) {
  auto writer = ParquetWriter::create(file, columns, metadata);
  EXPECT_TRUE(writer.has_value()) << writer.error().message();
  return *std::move(writer);
}

std::unique_ptr<ParquetReader> reader_for(const std::string& file) {
  auto reader = ParquetReader::open(file);
  EXPECT_TRUE(reader.has_value()) << reader.error().message();
  return *std::move(reader);
}

// Rows as a run has them: ids, a repeating name, texts of any length, measures with nulls.
const std::vector<ColumnInfo> kRunColumns = {
    {"id", ColumnType::kUint64},    {"domain", ColumnType::kString},
    {"text", ColumnType::kString},  {"share", ColumnType::kDouble, true},
    {"count", ColumnType::kUint32}, {"delta", ColumnType::kInt64}};

std::string text_of(std::uint64_t row) {
  const std::uint64_t h = hash64(std::to_string(row));
  std::string text = "文" + to_hex(h);
  while (text.size() < h % 900) text += to_hex(hash64(text)) + " 数据 ";
  return text;
}

void write_run(const std::string& file, std::uint64_t rows) {
  auto writer = writer_for(file, kRunColumns, {{"stage", "measure"}, {"a", "b"}});
  for (std::uint64_t row = 0; row < rows; ++row) {
    writer->append_uint64(0, ~row);
    writer->append_string(1, row % 3 == 0 ? "news" : "forum");
    writer->append_string(2, text_of(row));
    writer->append_double(3, row % 5 == 0 ? kNaN : static_cast<double>(row) / 7);
    writer->append_uint32(4, static_cast<std::uint32_t>(0xFFFFFFFF - row));
    writer->append_int64(5, -static_cast<std::int64_t>(row));
    ASSERT_TRUE(writer->end_row().has_value());
  }
  ASSERT_TRUE(writer->close().has_value());
}

TEST_F(ParquetTableTest, CodesStandForStrings) {
  constexpr std::uint64_t kRows = 12345;
  write_run(path(), kRows);
  auto reader = reader_for(path());
  std::vector<std::string> dictionary = {"web", "forum"};  // what is known keeps its number
  std::vector<std::uint32_t> codes;
  ASSERT_TRUE(reader->read_codes("domain", &dictionary, &codes).has_value());
  EXPECT_THAT(dictionary, ElementsAre("web", "forum", "news"));
  ASSERT_EQ(codes.size(), kRows);
  for (std::uint64_t row = 0; row < kRows; ++row) ASSERT_EQ(codes[row], row % 3 == 0 ? 2 : 1);
  EXPECT_EQ(reader->read_codes("id", &dictionary, &codes).error().code(), Code::kInvalidArgument);
  EXPECT_EQ(codes.size(), kRows);
}

TEST_F(ParquetTableTest, RoundTripOfEveryType) {
  constexpr std::uint64_t kRows = 12345;
  write_run(path(), kRows);
  auto reader = reader_for(path());
  ASSERT_EQ(reader->rows(), kRows);
  ASSERT_EQ(reader->row_groups(), 1);
  EXPECT_EQ(reader->row_group_rows(0), kRows);

  std::vector<std::uint64_t> ids;
  std::vector<std::string> domains;
  std::vector<std::string> texts;
  std::vector<double> shares;
  std::vector<std::uint32_t> counts;
  std::vector<std::int64_t> deltas;
  ASSERT_TRUE(reader->read_uint64("id", &ids).has_value());
  ASSERT_TRUE(reader->read_strings("domain", 0, &domains).has_value());
  ASSERT_TRUE(reader->read_strings("text", 0, &texts).has_value());
  ASSERT_TRUE(reader->read_double("share", &shares).has_value());
  ASSERT_TRUE(reader->read_uint32("count", &counts).has_value());
  ASSERT_TRUE(reader->read_int64("delta", &deltas).has_value());
  for (const std::size_t n :
       {ids.size(), domains.size(), texts.size(), shares.size(), counts.size(), deltas.size()}) {
    ASSERT_EQ(n, kRows);
  }
  for (std::uint64_t row = 0; row < kRows; ++row) {
    ASSERT_EQ(ids[row], ~row);
    ASSERT_EQ(domains[row], row % 3 == 0 ? "news" : "forum");
    ASSERT_EQ(texts[row], text_of(row));
    if (row % 5 == 0) {
      ASSERT_TRUE(std::isnan(shares[row]));
    } else {
      ASSERT_EQ(shares[row], static_cast<double>(row) / 7);
    }
    ASSERT_EQ(counts[row], static_cast<std::uint32_t>(0xFFFFFFFF - row));
    ASSERT_EQ(deltas[row], -static_cast<std::int64_t>(row));
  }
}

TEST_F(ParquetTableTest, ColumnsTellTypeAndNullability) {
  write_run(path(), 1);
  const auto columns = reader_for(path())->columns();
  ASSERT_EQ(columns.size(), kRunColumns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(columns[i].name, kRunColumns[i].name);
    EXPECT_EQ(columns[i].type, kRunColumns[i].type);
    EXPECT_EQ(columns[i].nullable, kRunColumns[i].nullable);
  }
}

TEST_F(ParquetTableTest, NullsBecomeNeutralValues) {
  auto writer = writer_for(path(), {{"u", ColumnType::kUint64, true},
                                    {"n", ColumnType::kUint32, true},
                                    {"i", ColumnType::kInt64, true},
                                    {"d", ColumnType::kDouble, true},
                                    {"s", ColumnType::kString, true}});
  for (int row = 0; row < 3; ++row) {
    if (row == 1) {
      for (std::size_t column = 0; column < 5; ++column) writer->append_null(column);
    } else {
      writer->append_uint64(0, 7);
      writer->append_uint32(1, 8);
      writer->append_int64(2, -9);
      writer->append_double(3, 0.5);
      writer->append_string(4, row == 0 ? "" : "z");
    }
    ASSERT_TRUE(writer->end_row().has_value());
  }
  ASSERT_TRUE(writer->close().has_value());

  auto reader = reader_for(path());
  std::vector<std::uint64_t> u;
  std::vector<std::uint32_t> n;
  std::vector<std::int64_t> i;
  std::vector<double> d;
  std::vector<std::string> s;
  ASSERT_TRUE(reader->read_uint64("u", &u).has_value());
  ASSERT_TRUE(reader->read_uint32("n", &n).has_value());
  ASSERT_TRUE(reader->read_int64("i", &i).has_value());
  ASSERT_TRUE(reader->read_double("d", &d).has_value());
  ASSERT_TRUE(reader->read_strings("s", 0, &s).has_value());
  EXPECT_THAT(u, ElementsAre(7, 0, 7));
  EXPECT_THAT(n, ElementsAre(8, 0, 8));
  EXPECT_THAT(i, ElementsAre(-9, 0, -9));
  EXPECT_THAT(d, ElementsAre(0.5, testing::NanSensitiveDoubleEq(kNaN), 0.5));
  EXPECT_THAT(s, ElementsAre("", "", "z"));
}

// Scores that others made come in any type of numbers; a null is never a 0.
TEST_F(ParquetTableTest, AnyNumbersAsDoubles) {
  auto writer = writer_for(path(), {{"u", ColumnType::kUint64, true},
                                    {"w", ColumnType::kUint32},
                                    {"i", ColumnType::kInt64, true},
                                    {"d", ColumnType::kDouble, true},
                                    {"s", ColumnType::kString}});
  for (const bool null : {false, true}) {
    null ? writer->append_null(0) : writer->append_uint64(0, ~std::uint64_t{0});
    writer->append_uint32(1, ~std::uint32_t{0});
    null ? writer->append_null(2) : writer->append_int64(2, -5);
    writer->append_double(3, null ? kNaN : 0.25);
    writer->append_string(4, "x");
    ASSERT_TRUE(writer->end_row().has_value());
  }
  ASSERT_TRUE(writer->close().has_value());
  const auto reader = reader_for(path());
  const std::pair<const char*, double> columns[] = {
      {"u", 18446744073709551615.0}, {"w", 4294967295.0}, {"i", -5}, {"d", 0.25}};
  for (const auto& [name, value] : columns) {
    std::vector<double> values;
    ASSERT_TRUE(reader->read_numbers(name, &values).has_value()) << name;
    ASSERT_EQ(values.size(), 2U);
    EXPECT_EQ(values[0], value) << name;
    EXPECT_EQ(std::isnan(values[1]), std::string_view(name) != "w") << name;
  }
  std::vector<double> none;
  EXPECT_THAT(reader->read_numbers("s", &none).error().message(), HasSubstr("asked for numbers"));
  EXPECT_THAT(reader->read_numbers("y", &none).error().message(), HasSubstr("no such column"));
}

TEST_F(ParquetTableTest, NaNStaysInAColumnWithoutNulls) {
  auto writer = writer_for(path(), {{"d", ColumnType::kDouble}});
  writer->append_double(0, kNaN);
  ASSERT_TRUE(writer->end_row().has_value());
  ASSERT_TRUE(writer->close().has_value());
  std::vector<double> d;
  ASSERT_TRUE(reader_for(path())->read_double("d", &d).has_value());
  EXPECT_THAT(d, ElementsAre(testing::NanSensitiveDoubleEq(kNaN)));
}

TEST_F(ParquetTableTest, NoRows) {
  write_run(path(), 0);
  auto reader = reader_for(path());
  EXPECT_EQ(reader->rows(), 0u);
  EXPECT_EQ(reader->row_groups(), 0);
  EXPECT_EQ(reader->columns().size(), kRunColumns.size());
  std::vector<double> shares;
  EXPECT_TRUE(reader->read_double("share", &shares).has_value());
  EXPECT_TRUE(shares.empty());
}

TEST_F(ParquetTableTest, RowGroupsAreCutByBufferedBytes) {
  // A text of 1 MiB counts 1 MiB and 4 bytes: the 64th row reaches 64 MiB.
  auto writer = writer_for(path(), {{"text", ColumnType::kString}});
  for (int row = 0; row < 130; ++row) {
    writer->append_string(0, std::string(1 << 20, static_cast<char>('a' + row % 26)));
    ASSERT_TRUE(writer->end_row().has_value());
  }
  ASSERT_TRUE(writer->close().has_value());
  auto reader = reader_for(path());
  ASSERT_EQ(reader->row_groups(), 3);
  EXPECT_EQ(reader->row_group_rows(0), 64u);
  EXPECT_EQ(reader->row_group_rows(1), 64u);
  EXPECT_EQ(reader->row_group_rows(2), 2u);
  std::vector<std::string> texts;
  ASSERT_TRUE(reader->read_strings("text", 2, &texts).has_value());
  EXPECT_THAT(texts, ElementsAre(std::string(1 << 20, 'y'), std::string(1 << 20, 'z')));
  EXPECT_EQ(reader->read_strings("text", 3, &texts).error().code(), Code::kInvalidArgument);
}

TEST_F(ParquetTableTest, NumbersSpanRowGroups) {
  constexpr std::uint64_t kRows = (std::uint64_t{64} << 20) / 8 + 10;
  auto writer = writer_for(path(), {{"n", ColumnType::kUint64}});
  for (std::uint64_t row = 0; row < kRows; ++row) {
    writer->append_uint64(0, row * row);
    ASSERT_TRUE(writer->end_row().has_value());
  }
  ASSERT_TRUE(writer->close().has_value());
  auto reader = reader_for(path());
  EXPECT_EQ(reader->row_groups(), 2);
  std::vector<std::uint64_t> n = {42};  // values are appended
  ASSERT_TRUE(reader->read_uint64("n", &n).has_value());
  ASSERT_EQ(n.size(), kRows + 1);
  EXPECT_EQ(n[0], 42u);
  for (std::uint64_t row = 0; row < kRows; ++row) ASSERT_EQ(n[row + 1], row * row);
}

TEST_F(ParquetTableTest, SameRowsGiveTheSameBytes) {
  write_run(path("a"), 3000);
  write_run(path("b"), 3000);
  const std::string bytes = slurp(path("a"));
  EXPECT_EQ(bytes, slurp(path("b")));
  EXPECT_THAT(bytes, HasSubstr("headrace version 1"));
  EXPECT_THAT(bytes, testing::Not(HasSubstr(folder_.string())));
}

// Golden: the bytes of a small file are part of what resume and checksums rely on. They may change
// with the library's version, on purpose and with a note in changes/; never with machine or time.
TEST_F(ParquetTableTest, BytesOfASmallFileAreKnown) {
  write_run(path(), 10);
  EXPECT_EQ(to_hex(hash64(slurp(path()))), "5d1a6f5e2eea5fd5");
}

TEST_F(ParquetTableTest, OnlyRepeatingStringsGetADictionary) {
  auto writer = writer_for(path("a"), {{"s", ColumnType::kString}});
  auto distinct = writer_for(path("b"), {{"s", ColumnType::kString}});
  for (int row = 0; row < 100000; ++row) {
    writer->append_string(0, row % 2 ? "a rather long domain name" : "another domain name");
    distinct->append_string(0, fmt::format("{:025d}", row));
    ASSERT_TRUE(writer->end_row().has_value());
    ASSERT_TRUE(distinct->end_row().has_value());
  }
  ASSERT_TRUE(writer->close().has_value());
  ASSERT_TRUE(distinct->close().has_value());
  // A dictionary names both values once: one bit per row is left, and zstd finds its period.
  EXPECT_LT(std::filesystem::file_size(path("a")), 2000u);
  std::vector<std::string> values;
  ASSERT_TRUE(reader_for(path("a"))->read_strings("s", 0, &values).has_value());
  EXPECT_EQ(values[99999], "a rather long domain name");
  values.clear();
  ASSERT_TRUE(reader_for(path("b"))->read_strings("s", 0, &values).has_value());
  EXPECT_EQ(values[99999], fmt::format("{:025d}", 99999));
}

TEST_F(ParquetTableTest, ErrorsNameFileAndColumn) {
  write_run(path(), 5);
  auto reader = reader_for(path());
  std::vector<double> doubles = {1.5};
  const auto missing = reader->read_double("shaer", &doubles);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code(), Code::kNotFound);
  EXPECT_THAT(missing.error().message(), HasSubstr(path()));
  EXPECT_THAT(missing.error().message(), HasSubstr("did you mean 'share'?"));
  const auto type = reader->read_double("id", &doubles);
  ASSERT_FALSE(type.has_value());
  EXPECT_EQ(type.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(type.error().message(), HasSubstr(path()));
  EXPECT_THAT(type.error().message(), HasSubstr("'id'"));
  EXPECT_THAT(type.error().message(), HasSubstr("uint64, asked for double"));
  EXPECT_THAT(doubles, ElementsAre(1.5));

  EXPECT_EQ(ParquetReader::open(path("none")).error().code(), Code::kNotFound);
  EXPECT_EQ(ParquetWriter::create(path("no/folder"), kRunColumns).error().code(), Code::kNotFound);
}

TEST_F(ParquetTableTest, MistakesOfTheCallerAreErrors) {
  auto writer = writer_for(path(), kRunColumns);
  writer->append_uint64(0, 1);
  EXPECT_EQ(writer->end_row().error().code(), Code::kInternal);
  EXPECT_EQ(writer->close().error().code(), Code::kInternal);
  const std::vector<ColumnInfo> twice = {{"a", ColumnType::kDouble}, {"a", ColumnType::kDouble}};
  EXPECT_EQ(ParquetWriter::create(path(), twice).error().code(), Code::kInternal);
}

TEST_F(ParquetTableTest, FullDiskIsResourceExhausted) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "skipped: no /dev/full";
  auto writer = writer_for("/dev/full", {{"n", ColumnType::kUint64}});
  writer->append_uint64(0, 1);
  ASSERT_TRUE(writer->end_row().has_value());
  const auto closed = writer->close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().code(), Code::kResourceExhausted);
  EXPECT_THAT(closed.error().message(), HasSubstr("/dev/full"));
}

TEST_F(ParquetTableTest, WriterWithoutCloseLeavesNoReadableFile) {
  {
    auto writer = writer_for(path(), {{"text", ColumnType::kString}});
    for (int row = 0; row < 70; ++row) {
      writer->append_string(0, std::string(1 << 20, 'x'));
      ASSERT_TRUE(writer->end_row().has_value());
    }
  }
  EXPECT_FALSE(ParquetReader::open(path()).has_value());
}

TEST_F(ParquetTableTest, TruncatedFileIsCorrupt) {
  write_run(path(), 40);
  const std::string whole = slurp(path());
  for (std::size_t size = 0; size < whole.size(); size += size < whole.size() - 600 ? 97 : 1) {
    spit(path("cut"), std::string_view(whole).substr(0, size));
    const auto reader = ParquetReader::open(path("cut"));
    ASSERT_FALSE(reader.has_value()) << size;
    ASSERT_EQ(reader.error().code(), Code::kCorrupt) << size;
    ASSERT_THAT(reader.error().message(), HasSubstr(path("cut")));
  }
}

// Every byte before the footer is under a page checksum or in a header that the decoder checks; a
// damaged byte may be found or lie where nobody looks, but never gives other values.
TEST_F(ParquetTableTest, DamagedPagesAreCorrupt) {
  constexpr std::uint64_t kRows = 40;
  write_run(path(), kRows);
  const std::string whole = slurp(path());
  std::uint32_t footer_bytes = 0;
  std::memcpy(&footer_bytes, whole.data() + whole.size() - 8, 4);
  const std::size_t pages_end = whole.size() - 8 - footer_bytes;
  int found = 0;
  for (std::size_t at = 4; at < pages_end; at += 11) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    spit(path("bad"), damaged);
    auto reader = reader_for(path("bad"));  // the footer is whole
    std::vector<std::string> texts;
    const auto read = reader->read_strings("text", 0, &texts);
    if (!read.has_value()) {
      ++found;
      ASSERT_EQ(read.error().code(), Code::kCorrupt);
      ASSERT_THAT(read.error().message(), HasSubstr("column 'text' of " + path("bad")));
      ASSERT_TRUE(texts.empty());
      continue;
    }
    ASSERT_EQ(texts.size(), kRows);
    for (std::uint64_t row = 0; row < kRows; ++row) ASSERT_EQ(texts[row], text_of(row)) << at;
  }
  EXPECT_GT(found, 300);
}

TEST_F(ParquetTableTest, DamagedFooterNeverCrashes) {
  write_run(path(), 40);
  const std::string whole = slurp(path());
  std::uint32_t footer_bytes = 0;
  std::memcpy(&footer_bytes, whole.data() + whole.size() - 8, 4);
  int refused = 0;
  for (std::size_t at = whole.size() - 8 - footer_bytes; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x2A);
    spit(path("bad"), damaged);
    auto reader = ParquetReader::open(path("bad"));
    std::vector<double> shares;
    if (!reader.has_value() || !(*reader)->read_double("share", &shares).has_value()) ++refused;
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace headrace
