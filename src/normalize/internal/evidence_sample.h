// SPDX-License-Identifier: Apache-2.0
// The parts of a text that say something about its encoding.
//
// A run is a stretch that holds a byte above 0x7F, with the ASCII letters that touch it. The byte
// behind a high one always belongs to it, as it may be the second byte of a character. Markup,
// scripts and plain English disappear by this alone. Inside a run a pair that already stands there
// twice in succession is left out: rules drawn with one character would drown the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headrace::normalize::internal {

class EvidenceSample {
 public:
  explicit EvidenceSample(std::string_view head) : head_(head) {}

  // Collects runs, parted by one blank, until there are `size` bytes of them or the head ends.
  void grow(std::size_t size);

  const std::string& bytes() const { return bytes_; }
  bool complete() const { return at_ >= head_.size(); }
  // Whether the head may begin inside a character.
  bool starts_high() const;

 private:
  std::size_t run_begin(std::size_t high) const;
  void append(std::size_t begin, std::size_t end);

  std::string_view head_;
  std::string bytes_;
  std::size_t at_ = 0;   // nothing before it is looked at again
  std::size_t end_ = 0;  // of the last run
};

// First i >= from with a byte above 0x7F; head.size() if there is none.
std::size_t find_high(std::string_view head, std::size_t from);

}  // namespace headrace::normalize::internal
