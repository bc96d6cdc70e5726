// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <string>

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(HashTest, Crc32cKnownValues) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);              // the check value of CRC-32C
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);    // RFC 3720 B.4
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);  // RFC 3720 B.4
}

TEST(HashTest, CrcContinues) {
  const std::string text = "长江之水 headrace 0123456789";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text)) << cut;
  }
}

TEST(HashTest, HasherEqualsWhole) {
  const std::string text(100'000, 'x');
  Hasher hasher;
  hasher.update(std::string_view(text).substr(0, 77));
  hasher.update(std::string_view(text).substr(77));
  EXPECT_EQ(hasher.digest(), hash128(text));
}

TEST(HashTest, KnownXxh3) {
  EXPECT_EQ(to_hex(hash128("")),
            "99aa06d3014798d86001c324468d497f");  // xxHash's published value for no bytes
  EXPECT_EQ(to_hex(hash64("")), "2d06800538d394c2");
}

}  // namespace
}  // namespace headrace
