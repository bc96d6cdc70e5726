// SPDX-License-Identifier: Apache-2.0
// What speaks against a detected encoding however probable it is.
#pragma once

#include <string>
#include <string_view>

namespace headrace::normalize::internal {

struct SingleByteModel;

struct Detected {
  std::string_view head;
  std::string_view sample;
  std::string_view encoding;
  const SingleByteModel* model = nullptr;  // nullptr for the multi-byte ones
  double bits = 0;                         // cost of the sample
  bool western = false;                    // as UTF-8; see Utf8Facts
};

// English as it was written in Taiwan: ASCII, with quotation marks and dashes of Big5 in their
// places. Its letters are dear in the models of Chinese.
bool is_english_in_big5(std::string_view head);

// ", but ..." for messages; "" if nothing speaks against it.
std::string encoding_doubts(const Detected& detected);

}  // namespace headrace::normalize::internal
