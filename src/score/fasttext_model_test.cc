// SPDX-License-Identifier: Apache-2.0
#include "score/fasttext_model.h"

#include <cstring>

#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

const ModelShape kTiny = {.dim = 3, .word_ngrams = 2, .buckets = 7, .max_gram = 0, .labels = 2};

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::string raw(sizeof(value), '\0');
  std::memcpy(raw.data(), &value, sizeof(value));
  return bytes.replace(at, sizeof(value), raw);
}

TEST(FastTextModelTest, WhatIsWrittenIsReadBack) {
  FastTextModel model = make_model(kTiny);
  const TestPath file;
  ASSERT_TRUE(write_fasttext_model(&model, file.path()).has_value());
  const auto read = read_fasttext_model(file.path());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->words, model.words);
  EXPECT_EQ(read->word_counts, model.word_counts);
  EXPECT_EQ(read->labels, model.labels);
  EXPECT_EQ(read->label_counts, model.label_counts);
  EXPECT_EQ(read->tokens, 1234);
  EXPECT_EQ(read->input.dense, model.input.dense);
  EXPECT_EQ(read->output.dense, model.output.dense);
  EXPECT_EQ(read->arguments.word_ngrams, 2);
  EXPECT_EQ(read->arguments.buckets, 7);
  EXPECT_EQ(read->arguments.sampling, 1e-4);
  EXPECT_FALSE(read->pruned);
  EXPECT_EQ(read->fingerprint, model.fingerprint);
  EXPECT_EQ(read->fingerprint, hash128(file.read()));
}

// The bytes of the head, as the authors' tool writes them.
TEST(FastTextModelTest, HeadIsLaidOutAsTheFormatSays) {
  const std::string bytes = model_bytes(make_model(kTiny));
  const unsigned char head[] = {0xBA, 0x16, 0x4F, 0x2F, 12, 0, 0, 0, 3, 0, 0, 0};
  ASSERT_GT(bytes.size(), 100U);
  EXPECT_EQ(std::memcmp(bytes.data(), head, sizeof(head)), 0);
  const auto number = [&](std::size_t at) {
    std::int32_t value;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  };
  EXPECT_EQ(number(32), 3);       // softmax
  EXPECT_EQ(number(36), 3);       // supervised
  EXPECT_EQ(number(40), 7);       // buckets
  EXPECT_EQ(number(64), 17 + 2);  // entries
  EXPECT_EQ(bytes.substr(92, 5), std::string("</s>\0", 5));
}

TEST(FastTextModelTest, EveryCutIsAnErrorWithItsOffset) {
  const std::string bytes = model_bytes(make_model(kTiny));
  ASSERT_TRUE(parse_fasttext_model(bytes, "whole").has_value());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = parse_fasttext_model(std::string_view(bytes).substr(0, size), "cut.bin");
    ASSERT_FALSE(cut.has_value()) << size;
    ASSERT_EQ(cut.error().code(), Code::kCorrupt) << size << ": " << cut.error().message();
    ASSERT_NE(cut.error().message().find("cut.bin: offset "), std::string::npos)
        << cut.error().message();
  }
}

TEST(FastTextModelTest, DamageIsNamed) {
  const std::string good = model_bytes(make_model(kTiny));
  const std::size_t dictionary = 64;
  const std::size_t first_entry = dictionary + 28;
  const std::size_t type = first_entry + 5 + 8;
  const std::size_t output = good.size() - 16 - 2 * 3 * 4;  // rows and columns of it
  const std::size_t input = output - 1 - 24 * 3 * 4 - 16;
  const std::string pruned = with(good, dictionary + 20, std::int64_t{0});
  const struct {
    std::string bytes;
    Code code;
    const char* says;
  } kCases[] = {
      {with(good, 0, 1), Code::kUnsupported, "magic number"},
      {with(good, 4, 13), Code::kUnsupported, "version 13"},
      {with(good, 8, 0), Code::kCorrupt, "offset 8: dimension 0"},
      {with(good, 8, 4), Code::kCorrupt, "the input matrix is 24 x 3, the model needs 24 x 4"},
      {with(good, 32, 9), Code::kCorrupt, "offset 32: loss 9"},
      {with(good, 36, 4), Code::kCorrupt, "offset 36: model kind 4"},
      {with(good, 40, -1), Code::kCorrupt, "offset 40: -1 buckets"},
      {with(good, 40, 0), Code::kCorrupt, "offset 40: n-grams, but no buckets"},
      {with(good, 40, 8), Code::kCorrupt, "the input matrix is 24 x 3, the model needs 25 x 3"},
      {with(good, dictionary, 1 << 30), Code::kCorrupt, "offset 64: 1073741824 entries for 17"},
      {with(good, dictionary + 20, std::int64_t{1} << 60), Code::kCorrupt, "kept buckets"},
      {pruned, Code::kCorrupt, "a pruned model that is not quantised"},
      {with(pruned, 40, 1 << 28), Code::kUnsupported, "268435456 buckets"},
      {with(good, type, char{1}), Code::kCorrupt,
       "offset 92: entry 0 of the dictionary has type 1"},
      {with(good, first_entry + 5, std::int64_t{-3}), Code::kCorrupt, "count -3"},
      {with(good, input, std::int64_t{1} << 60), Code::kCorrupt, "bytes are left"},
      {with(good, output, std::int64_t{1}), Code::kCorrupt,
       "the output matrix is 1 x 3, the model needs 2 x 3"},
  };
  for (const auto& c : kCases) {
    const auto read = parse_fasttext_model(c.bytes, "bad.bin");
    ASSERT_FALSE(read.has_value()) << c.says;
    EXPECT_EQ(read.error().code(), c.code) << read.error().message();
    EXPECT_NE(read.error().message().find("bad.bin"), std::string::npos);
    EXPECT_NE(read.error().message().find(c.says), std::string::npos)
        << "wanted: " << c.says << "\nsaid: " << read.error().message();
  }
}

TEST(FastTextModelTest, Version11SupervisedHasNoGramsOfCharacters) {
  const std::string bytes =
      with(with(model_bytes(make_model(kTiny)), 4, 11), 48, 6);  // version, max_gram
  const auto read = parse_fasttext_model(bytes, "old.bin");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->arguments.max_gram, 0);
}

TEST(FastTextModelTest, MissingFileIsNotFound) {
  const auto read = read_fasttext_model("/no/such/model.bin");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), Code::kNotFound);
  EXPECT_NE(read.error().message().find("/no/such/model.bin"), std::string::npos);
}

TEST(FastTextModelTest, LastPartOfAQuantisedRowMayBeShorter) {
  FastTextMatrix matrix;
  matrix.rows = 2;
  matrix.columns = 5;
  matrix.parts = 3;
  matrix.part = 2;
  matrix.last_part = 1;
  matrix.codes = {0, 1, 2, 255, 0, 1};
  matrix.centroids.resize(5 * 256);
  for (std::size_t i = 0; i < matrix.centroids.size(); ++i) {
    matrix.centroids[i] = static_cast<float>(i);
  }
  matrix.norm_codes = {1, 0};
  matrix.norms = {1, 2};
  float row[5];
  matrix.row(0, row);
  EXPECT_EQ(std::vector<float>(row, row + 5),
            (std::vector<float>{0, 2, 2 * (512 + 2), 2 * (512 + 3), 2 * (1024 + 2)}));
  matrix.row(1, row);
  EXPECT_EQ(std::vector<float>(row, row + 5), (std::vector<float>{510, 511, 512, 513, 1025}));
}

TEST(FastTextModelTest, HashSignExtendsBytes) {
  EXPECT_EQ(fasttext_hash(""), 2166136261u);
  EXPECT_EQ(fasttext_hash("a"), 0xE40C292Cu);  // FNV-1a, published
  EXPECT_EQ(fasttext_hash("\xC3"), (2166136261u ^ 0xFFFFFFC3u) * 16777619u);
}

}  // namespace
}  // namespace headrace::score
