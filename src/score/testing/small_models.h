// SPDX-License-Identifier: Apache-2.0
// Models and texts for the tests of this room, and fastText's definition of a score, written as
// plainly as it can be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "score/fasttext_model.h"

namespace headrace::score {

// Weights from a seed. Words: </s>, common ones, one longer than 16 bytes, Chinese ones.
struct ModelShape {
  std::int32_t dim = 16;
  std::int32_t word_ngrams = 1;
  std::int32_t buckets = 5000;
  std::int32_t min_gram = 2;
  std::int32_t max_gram = 4;
  FastTextLoss loss = FastTextLoss::kSoftmax;
  std::int32_t labels = 5;
  bool pruned = false;  // two of three buckets are gone
  bool end_of_line = true;
};
FastTextModel make_model(const ModelShape& shape, std::uint64_t seed = 1);

// The score of each label by the definition, in double precision; empty when no row takes part.
std::vector<double> slow_scores(const FastTextModel& model, std::string_view text);

// Texts that have every kind of token, bytes that are not UTF-8 among them.
std::vector<std::string> odd_texts(std::size_t count);

std::string model_bytes(FastTextModel model);

// A path that is free, and removed at the end.
class TestPath {
 public:
  TestPath() {
    static int count = 0;
    path_ = ::testing::TempDir() + "score_test_" + std::to_string(::getpid()) + "_" +
            std::to_string(count++);
  }
  ~TestPath() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TestPath(const TestPath&) = delete;
  TestPath& operator=(const TestPath&) = delete;

  const std::string& path() const { return path_; }
  std::string read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::string path_;
};

// The folder of real data, or nothing.
inline const char* data_folder() { return std::getenv("HEADRACE_DATA"); }

#define SKIP_WITHOUT_DATA() \
  if (data_folder() == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set"

}  // namespace headrace::score
