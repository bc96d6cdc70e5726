// SPDX-License-Identifier: Apache-2.0
// Files and characters for the tests of this room.
#pragma once

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace headrace::tokenize {

inline const std::string kTinyTokenizer = HEADRACE_TEST_DATA "/tiny_tokenizer.json";

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void append_utf8(char32_t c, std::string* text) {
  const auto byte = [text](char32_t bits) { *text += static_cast<char>(bits); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(0xC0 | c >> 6), byte(0x80 | (c & 63));
  if (c < 0x10000) return byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63));
  byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)),
      byte(0x80 | (c & 63));
}

// A file with the given bytes, as long as the object lives.
class TestFile {
 public:
  explicit TestFile(const std::string& bytes) {
    static std::atomic<int> count = 0;
    path_ = ::testing::TempDir() + "tokenize_test_" + std::to_string(::getpid()) + "_" +
            std::to_string(count++) + ".json";
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TestFile() { std::remove(path_.c_str()); }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace headrace::tokenize
