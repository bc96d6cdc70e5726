// SPDX-License-Identifier: Apache-2.0
#include "record/text_decoder.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(ByteOrderMarkTest, Lengths) {
  struct Case {
    std::string_view bytes;
    std::size_t length;
  };
  const Case cases[] = {
      {"", 0},
      {"abc", 0},
      {"\xEF\xBB\xBF", 3},
      {"\xEF\xBB\xBFx", 3},
      {"\xEF\xBB", 0},
      {"\xFF\xFE", 2},
      {"\xFE\xFFx", 2},
      {{"\xFF\xFEx\0", 4}, 2},
      {{"\xFF\xFE\0\0", 4}, 4},
      {{"\0\0\xFE\xFF", 4}, 4},
      {"\x84\x31\x95\x33", 4},
      {"\x84\x31\x95", 0},
      {"x\xEF\xBB\xBF", 0},
      {"\xFF", 0},
  };
  for (const Case& c : cases) EXPECT_EQ(byte_order_mark_length(c.bytes), c.length) << c.bytes;
}

}  // namespace
}  // namespace headrace
