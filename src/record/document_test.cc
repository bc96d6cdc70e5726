// SPDX-License-Identifier: Apache-2.0
#include "record/document.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(DocumentIdTest, RoundTrip) {
  const DocumentId id = DocumentId::make(12, 48213);
  EXPECT_EQ(to_string(id), "12:48213");
  DocumentId parsed;
  ASSERT_TRUE(parse_document_id("12:48213", &parsed));
  EXPECT_EQ(parsed, id);
  ASSERT_TRUE(parse_document_id(std::to_string(id.value), &parsed));
  EXPECT_EQ(parsed, id);
}

TEST(DocumentIdTest, RefusesWhatIsNoId) {
  DocumentId id;
  for (const char* text :
       {"", ":", "1:", ":1", "a", "1:b", "1:2:3", "-1", "16777216:0", "0:1099511627776", "1 "}) {
    EXPECT_FALSE(parse_document_id(text, &id)) << text;
  }
}

}  // namespace
}  // namespace headrace
