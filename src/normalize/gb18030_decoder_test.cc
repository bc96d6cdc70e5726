// SPDX-License-Identifier: Apache-2.0
// Our decoder of GB18030 against ICU's: every code and random bytes, with the same text, the same
// refusals and the same places.
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

class Gb18030DecoderTest : public testing::Test {
 protected:
  void expect_same(std::string_view bytes) {
    std::string text = "left over";
    std::string icu_text = "left over";
    const auto decoded = ours_->decode(bytes, &text);
    const auto icu_decoded = icu_->decode(bytes, &icu_text);
    ASSERT_EQ(decoded.has_value(), icu_decoded.has_value()) << testing::PrintToString(bytes);
    ASSERT_EQ(text, icu_text) << testing::PrintToString(bytes);
    if (!decoded.has_value()) {
      ASSERT_EQ(decoded.error().message(), icu_decoded.error().message());
      ASSERT_EQ(decoded.error().code(), Code::kCorrupt);
      ASSERT_EQ(decoded.error().reach(), Reach::kRecord);
    }
    ASSERT_EQ(ours_->first_bad_byte(bytes), icu_->first_bad_byte(bytes));
  }

  const Encoding encoding_ = *resolve_encoding("gb18030");
  const std::shared_ptr<const TextDecoder> ours_ = make_gb18030_decoder(encoding_).value();
  const std::shared_ptr<const TextDecoder> icu_ = make_icu_decoder(encoding_).value();
};

TEST_F(Gb18030DecoderTest, AllCodesOfTwoBytes) {
  std::string code(2, '\0');
  for (int lead = 0; lead < 256; ++lead) {
    for (int trail = 0; trail < 256; ++trail) {
      code[0] = static_cast<char>(lead);
      code[1] = static_cast<char>(trail);
      expect_same(code);
    }
  }
}

// All of the basic plane, and every 97th of the others and of what lies between.
TEST_F(Gb18030DecoderTest, CodesOfFourBytes) {
  std::string code(4, '\0');
  for (unsigned linear = 0; linear < 126U * 12600; linear += linear < 39500 ? 1 : 97) {
    code[0] = static_cast<char>(0x81 + linear / 12600);
    code[1] = static_cast<char>('0' + linear / 1260 % 10);
    code[2] = static_cast<char>(0x81 + linear / 10 % 126);
    code[3] = static_cast<char>('0' + linear % 10);
    expect_same(code);
  }
}

TEST_F(Gb18030DecoderTest, RandomBytes) {
  const CounterRng rng(1, purpose("gb18030_decoder_test"));
  std::uint64_t draw = 0;
  constexpr std::string_view kUseful = "\x30\x39\x81\x84\x90\xE3\xFE\xFF\x80\x40\x7F a";
  for (int i = 0; i < 100'000; ++i) {
    std::string bytes(rng.below(draw++, 24), '\0');
    for (char& c : bytes) {
      const std::uint64_t bits = rng.at(draw++);
      c = bits >> 60 < 4 ? kUseful[bits % kUseful.size()] : static_cast<char>(bits);
      if (bits >> 60 == 15) c = 'x';
    }
    expect_same(bytes);
  }
}

// ASCII is copied in words of eight: every length and every place of the first other byte.
TEST_F(Gb18030DecoderTest, AsciiOfAnyLength) {
  for (std::size_t before = 0; before < 20; ++before) {
    for (std::size_t behind = 0; behind < 20; ++behind) {
      expect_same(std::string(before, 'a') + "\xD6\xD0" + std::string(behind, 'b'));
      expect_same(std::string(before, 'a') + "\xFF" + std::string(behind, 'b'));
    }
  }
}

}  // namespace
}  // namespace headrace::normalize::internal
