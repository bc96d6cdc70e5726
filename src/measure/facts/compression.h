// SPDX-License-Identifier: Apache-2.0
// How far a text can be compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "record/text_view.h"

namespace headrace::measure {

// No more of a text is compressed.
inline constexpr std::size_t kCompressedBytes = std::size_t{64} << 10;

struct CompressionFacts {
  std::uint64_t bytes = 0;       // of the beginning of the text, that were compressed
  std::uint64_t compressed = 0;  // bytes
};

// Keeps 80 KiB. One per thread.
class CompressionCounter {
 public:
  CompressionCounter();
  ~CompressionCounter();

  CompressionFacts count(const TextView& view);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace headrace::measure
