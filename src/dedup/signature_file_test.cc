// SPDX-License-Identifier: Apache-2.0
#include "dedup/signature_file.h"

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/test_folder.h"

namespace headrace::dedup {
namespace {

constexpr SignatureSettings kSettings{.permutations = 16};

std::string text_of(std::size_t document) {
  if (document % 5 == 4) return "...";  // no words
  return fmt::format("document {} of a few words and some more {}", document, document * 7);
}

// Several blocks.
constexpr std::size_t kDocuments = 3000;

std::string write_file(const io::TestFolder& folder,
                       const SignatureSettings& settings = kSettings) {
  const std::string path = folder / "part.sig";
  auto writer = SignatureWriter::create(path, settings);
  EXPECT_TRUE(writer);
  Signer signer(settings);
  TextViewBuilder builder;
  for (std::size_t i = 0; i < kDocuments; ++i)
    EXPECT_TRUE(writer->add(signer.sign(builder.build(text_of(i)))));
  EXPECT_TRUE(writer->commit());
  return path;
}

Result<std::uint64_t> read_all(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const SignatureReader reader, SignatureReader::open(path, kSettings));
  SignatureBlock block;
  std::uint64_t records = 0;
  for (std::uint64_t number = 0; number < reader.blocks(); ++number) {
    HEADRACE_RETURN_IF_ERROR(reader.read(number, &block));
    records += block.size();
  }
  return records;
}

TEST(SignatureFileTest, GivesBackWhatWasWritten) {
  const io::TestFolder folder;
  const std::string path = write_file(folder);
  const auto reader = SignatureReader::open(path, kSettings);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ(reader->documents(), kDocuments);
  EXPECT_EQ(reader->signatures(), kDocuments / 5 * 4);
  Signer signer(kSettings);
  TextViewBuilder builder;
  SignatureBlock block;
  std::uint64_t signature = 0;
  for (std::uint64_t number = 0; number < reader->blocks(); ++number) {
    EXPECT_EQ(SignatureReader::first_of(number), signature);
    ASSERT_TRUE(reader->read(number, &block));
    for (std::size_t i = 0; i < block.size(); ++i, ++signature) {
      const std::uint32_t row = block.record(i).row;
      ASSERT_EQ(row, signature / 4 * 5 + signature % 4);
      const auto expected = signer.sign(builder.build(text_of(row)));
      ASSERT_EQ(expected.size(), 1U);
      EXPECT_EQ(block.record(i).set(), expected[0].set);
      EXPECT_EQ(block.record(i).shingles, expected[0].shingles);
      EXPECT_EQ(block.record(i).ngram, expected[0].ngram);
      EXPECT_TRUE(std::equal(expected[0].values.begin(), expected[0].values.end(),
                             block.values(i).begin(), block.values(i).end()));
    }
  }
  EXPECT_EQ(signature, reader->signatures());
}

TEST(SignatureFileTest, RefusesOtherSettings) {
  const io::TestFolder folder;
  const std::string path = write_file(folder, {.permutations = 16, .ngram = 4});
  const auto reader = SignatureReader::open(path, kSettings);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code(), Code::kInvalidArgument);
  EXPECT_NE(reader.error().message().find("other settings"), std::string::npos);
}

TEST(SignatureFileTest, RefusesAFileCutAnywhere) {
  const io::TestFolder folder;
  const std::string path = write_file(folder);
  const std::uint64_t bytes = std::filesystem::file_size(path);
  for (const std::uint64_t left :
       {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{64}, std::uint64_t{95}, std::uint64_t{96},
        bytes / 2, bytes - 64, bytes - 32, bytes - 1}) {
    std::filesystem::resize_file(path, left);
    const auto records = read_all(path);
    EXPECT_FALSE(records) << left;
    write_file(folder);
  }
}

TEST(SignatureFileTest, FindsAChangedByteAnywhere) {
  const io::TestFolder folder;
  const std::string path = write_file(folder);
  const auto whole = io::read_file(path);
  ASSERT_TRUE(whole);
  for (std::size_t at = 0; at < whole->size(); at += 997) {
    std::string changed = *whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    folder.put("part.sig", changed);
    EXPECT_FALSE(read_all(path)) << "byte " << at;
  }
}

// docs/formats/signatures.md shows this file.
TEST(SignatureFileTest, BytesStandAsDocumented) {
  const io::TestFolder folder;
  const std::string path = folder / "one.sig";
  auto writer = SignatureWriter::create(path, kSettings);
  ASSERT_TRUE(writer);
  Signer signer(kSettings);
  TextViewBuilder builder;
  ASSERT_TRUE(writer->add(signer.sign(builder.build("the quick brown fox jumps"))));
  ASSERT_TRUE(writer->add({}));
  ASSERT_TRUE(writer->commit());
  const auto bytes = io::read_file(path);
  ASSERT_TRUE(bytes);
  ASSERT_EQ(bytes->size(), 64U + 16 + 64 + 32);
  EXPECT_EQ(bytes->substr(0, 8), "HRSIGNAT");
  EXPECT_EQ(bytes->substr(168), "HRSIGEND");
  EXPECT_EQ(hash64(*bytes), 10188529671981451363U);
}

}  // namespace
}  // namespace headrace::dedup
