// SPDX-License-Identifier: Apache-2.0
#include "curate/sealed_json.h"

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

const Json kJson = {{"name", "x"}, {"share", 0.25}, {"list", {1, 2}}, {"none", nullptr}};

TEST(SealedJsonTest, GivesBackWhatWasSealed) {
  const auto opened = unseal(seal(kJson));
  ASSERT_TRUE(opened);
  EXPECT_EQ(*opened, kJson);
  EXPECT_TRUE(unseal(seal({{"name", "no UTF-8: \xFF"}})));
}

TEST(SealedJsonTest, NoFlippedBitPasses) {
  const std::string text = seal(kJson);
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(unseal(flipped)) << "bit " << bit << ": " << flipped;
  }
}

TEST(SealedJsonTest, OtherTextsAreRefused) {
  const std::string text = seal(kJson);
  for (const std::string& other : {std::string(), std::string("[]"), std::string("{}"), text + "\n",
                                   " " + text, text.substr(0, text.size() - 1), kJson.dump(1)}) {
    EXPECT_FALSE(unseal(other)) << other;
  }
}

}  // namespace
}  // namespace headrace::curate
