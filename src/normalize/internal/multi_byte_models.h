// SPDX-License-Identifier: Apache-2.0
// How many bits a sample costs as text in each of the encodings with several bytes per character.
#pragma once

#include <cstddef>
#include <string_view>

namespace headrace::normalize::internal {

enum class MultiByte {
  kUtf8,
  kGb18030Simplified,
  kGb18030Traditional,
  kBig5,
  kShiftJis,
  kEucJp,
  kEucKr,
  kJohab,
  kEucTw,
  kNone  // no text that is known: a flat cost per byte
};
inline constexpr int kMultiByteModels = 10;

struct MultiByteModel {
  MultiByte which;
  std::string_view encoding;  // "" for kNone
  double prior;               // bits that speak against it before any text is seen
};

// In the order of the enumeration.
const MultiByteModel& multi_byte_model(int index);

// A reading of the sample by one model, which goes on where it stopped.
struct MultiByteReading {
  double bits = 0;
  std::size_t at = 0;  // bytes read
  std::size_t illegal = 0;
  int before = 0;  // what the model keeps of the last character
};

// Reads up to `end`. `inside`: the sample may begin in the middle of a character.
void read_on(MultiByte which, std::string_view sample, std::size_t end, bool inside,
             MultiByteReading* reading);

}  // namespace headrace::normalize::internal
