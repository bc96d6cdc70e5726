// SPDX-License-Identifier: Apache-2.0
// The runs of the generated table, unrolled at compile time to one byte per code point: 128 KiB of
// which a text touches a few lines, and one load per look-up.
#include "record/char_class.h"

#include <array>

#include "record/internal/char_class_table.h"

namespace headrace {
namespace {

constexpr auto unroll() {
  std::array<std::uint8_t, kCharClassTableSize> table{};
  std::uint32_t c = 0;
  std::uint8_t classes = 0;
  for (const internal::CharClassRun& run : internal::kCharClassRuns) {
    for (; c < run.first; ++c) table[c] = classes;
    classes = run.classes;
  }
  for (; c < kCharClassTableSize; ++c) table[c] = classes;
  return table;
}

constexpr auto kTable = unroll();

}  // namespace

const std::uint8_t* const kCharClassTable = kTable.data();

}  // namespace headrace
