// SPDX-License-Identifier: Apache-2.0
#include "io/content_coding.h"

#include <gtest/gtest.h>

namespace headrace::io {
namespace {

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// "hello hello hello", by Python's gzip, zlib, zlib without header, brotli and zstd.
const std::string kText = "hello hello hello";
const std::string kGzip = bytes_of_hex("1f8b0800000000000203cb48cdc9c957c84090008088f9e511000000");
const std::string kZlib = bytes_of_hex("789ccb48cdc9c957c84090003a2e067d");
const std::string kDeflate = bytes_of_hex("cb48cdc9c957c8409000");
const std::string kBrotli = bytes_of_hex("1b10000024406a1064eaf09c1e");
const std::string kZstd = bytes_of_hex("28b52ffd24116500003068656c6c6f200100314a11a2ed1e0c");

TEST(ContentCodingTest, EveryCoding) {
  std::string body;
  EXPECT_EQ(decode_content("gzip", kGzip, 100, &body), Decoded::kWhole);
  EXPECT_EQ(body, kText);
  EXPECT_EQ(decode_content("X-GZIP", kGzip + kGzip, 100, &body), Decoded::kWhole);
  EXPECT_EQ(body, kText + kText);
  EXPECT_EQ(decode_content("deflate", kZlib, 100, &body), Decoded::kWhole);
  EXPECT_EQ(body, kText);
  EXPECT_EQ(decode_content("deflate", kDeflate, 100, &body), Decoded::kWhole);
  EXPECT_EQ(body, kText);
  EXPECT_EQ(decode_content("br", kBrotli, 100, &body), Decoded::kWhole);
  EXPECT_EQ(body, kText);
  EXPECT_EQ(decode_content("zstd", kZstd, 100, &body), Decoded::kWhole);
  EXPECT_EQ(body, kText);
  EXPECT_EQ(decode_content("utf-8", kText, 100, &body), Decoded::kUnknown);
}

// What is good of a damaged body, whatever was in the buffer before.
TEST(ContentCodingTest, DamagedBodies) {
  struct Case {
    const char* coding;
    std::string bytes;
    const char* good;
  };
  const Case kCases[] = {
      // "a", and a copy from in front of it.
      {"gzip", bytes_of_hex("1f8b08000000000000034b044200000000000000"), "a"},
      {"gzip", bytes_of_hex("1f8b08200000000000034b04000000"), ""},  // a reserved flag
      {"deflate", bytes_of_hex("78bb010203044b0400"), ""},           // a dictionary
      {"zstd", bytes_of_hex("2827b52ffd000000000000010000"), ""},
      {"zstd", kZstd.substr(0, kZstd.size() - 1) + "!", "hello hello hello"}};
  for (const Case& test : kCases) {
    for (const std::size_t room : {std::size_t{0}, std::size_t{1} << 20}) {
      std::string body(room, 'x');
      const Decoded outcome = decode_content(test.coding, test.bytes, 1 << 20, &body);
      EXPECT_TRUE(outcome == Decoded::kDamaged || outcome == Decoded::kNotCoded);
      EXPECT_EQ(body, test.good) << test.coding;
    }
  }
}

TEST(ContentCodingTest, BodiesThatAreNot) {
  std::string body;
  for (const char* coding : {"gzip", "br", "zstd"}) {
    EXPECT_EQ(decode_content(coding, "<html>a page</html>", 100, &body), Decoded::kNotCoded)
        << coding;
  }
  EXPECT_EQ(decode_content("gzip", kGzip.substr(0, kGzip.size() - 9), 100, &body),
            Decoded::kCutOff);
  EXPECT_TRUE(kText.starts_with(body));
  EXPECT_EQ(decode_content("gzip", kGzip, kText.size() - 1, &body), Decoded::kTooLong);
  std::string damaged = kGzip;
  damaged[damaged.size() - 7] ^= 1;
  EXPECT_EQ(decode_content("gzip", damaged, 100, &body), Decoded::kDamaged);
  EXPECT_EQ(body, kText);
}

}  // namespace
}  // namespace headrace::io
