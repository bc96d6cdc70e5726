// SPDX-License-Identifier: Apache-2.0
// Collects the runs of a text that its encoding can be told from; the header says what a run is.
//
// Runs are collected as they are asked for: most texts are decided by their first hundred bytes of
// evidence. Cost: ASCII is skipped eight bytes at a time, the rest copied byte by byte.
#include "normalize/internal/evidence_sample.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kLettersBefore = 20;
constexpr std::size_t kLongestOver = 64;  // a run is cut when it goes that far beyond what is asked

bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

}  // namespace

std::size_t find_high(std::string_view head, std::size_t from) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t i = from;
  for (; i + sizeof(std::uint64_t) <= head.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, head.data() + i, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (i < head.size() && !is_high(head[i])) ++i;
  return i;
}

bool EvidenceSample::starts_high() const { return !head_.empty() && is_high(head_[0]); }

std::size_t EvidenceSample::run_begin(std::size_t high) const {
  std::size_t begin = high;
  while (begin > end_ && high - begin < kLettersBefore && is_letter(head_[begin - 1])) --begin;
  return begin;
}

void EvidenceSample::append(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t n = bytes_.size();
    if (i + 1 < end && i >= begin + 4 && n >= 4 && head_[i] == bytes_[n - 2] &&
        head_[i + 1] == bytes_[n - 1] && head_[i] == bytes_[n - 4] &&
        head_[i + 1] == bytes_[n - 3] && (is_high(head_[i]) || is_high(head_[i + 1]))) {
      ++i;
      continue;
    }
    bytes_.push_back(head_[i]);
  }
}

void EvidenceSample::grow(std::size_t size) {
  while (bytes_.size() < size && !complete()) {
    const std::size_t high = find_high(head_, at_);
    if (high == head_.size()) {
      at_ = high;
      return;
    }
    const bool goes_on = high == at_ && !bytes_.empty() && bytes_.back() != ' ';
    const std::size_t begin = goes_on ? high : run_begin(high);
    if (begin > end_ && !bytes_.empty() && bytes_.back() != ' ') bytes_.push_back(' ');
    const std::size_t last = std::min(head_.size(), high + (size - bytes_.size()) + kLongestOver);
    std::size_t end = high;
    for (bool after_high = false; end < last; ++end) {
      const char c = head_[end];
      const bool belongs = is_high(c) || is_letter(c) || (after_high && c > ' ');
      if (!belongs) break;
      after_high = is_high(c);
    }
    append(begin, end);
    if (end < last) bytes_.push_back(' ');
    at_ = end_ = end;
  }
}

}  // namespace headrace::normalize::internal
