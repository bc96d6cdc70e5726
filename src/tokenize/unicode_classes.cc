// SPDX-License-Identifier: Apache-2.0
// The class table.
//
// A flat array of 1.1 MB: of it only the parts that a text uses come into the cache, and one load
// answers. The runs it is made from were asked from the engine we must agree with
// (tools/make_unicode_classes.py); ICU of Debian 12 knows Unicode 15 and would differ.
#include "tokenize/unicode_classes.h"

#include <algorithm>
#include <memory>

#include "tokenize/nfc.h"

namespace headrace::tokenize {
namespace {

constexpr std::uint32_t kCodePoints = 0x110000;

constexpr std::uint32_t kRuns[] = {
#include "tokenize/unicode_classes.inc"
};

std::unique_ptr<std::uint8_t[]> build() {
  auto table = std::make_unique<std::uint8_t[]>(kCodePoints);
  for (std::size_t i = 0; i < std::size(kRuns); ++i) {
    const std::uint32_t end = i + 1 < std::size(kRuns) ? kRuns[i + 1] >> 4 : kCodePoints;
    std::fill(&table[kRuns[i] >> 4], table.get() + end,
              static_cast<std::uint8_t>(kRuns[i] & kClassMask));
  }
  table['\r'] = table['\n'] = kNewline;
  for (const auto& [first, last] : nfc_sensitive_ranges()) {
    for (std::uint32_t c = first; c <= last; ++c) table[c] |= kMayChangeUnderNfc;
  }
  return table;
}

}  // namespace

const std::uint8_t* char_classes() {
  static const std::unique_ptr<std::uint8_t[]> kTable = build();
  return kTable.get();
}

}  // namespace headrace::tokenize
