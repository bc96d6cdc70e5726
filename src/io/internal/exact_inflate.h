// SPDX-License-Identifier: Apache-2.0
// Deflate data by zlib, exactly up to damage: for data in which isa-l met an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headrace::io {

// isa-l is faster and tells of the same damage, but not how much of what it wrote is good: a copy
// from in front of the data's start is counted and not made, and what comes before the damage
// depends on the room that a call has. So its last call is forgotten and the data are inflated
// again from their start. Single-threaded.
class ExactInflate {
 public:
  enum class Wrapper { kGzip, kZlib, kNone };
  enum class State { kGoesOn, kEnded, kDamaged };
  struct Step {
    State state = State::kGoesOn;
    std::size_t taken = 0;  // of the input
    std::size_t made = 0;   // in the output
  };

  // The first `passed` bytes that come out were handed out before.
  ExactInflate(Wrapper wrapper, std::uint64_t passed);

  Step step(std::string_view input, std::span<char> output);
  // Of kDamaged: "a damaged block".
  std::string_view fault() const;

 private:
  struct Stream;
  struct Free {
    void operator()(Stream* stream) const;
  };

  std::unique_ptr<Stream, Free> stream_;
  std::uint64_t passed_;
  std::string scratch_;  // for what is passed over
};

}  // namespace headrace::io
