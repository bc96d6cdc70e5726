// SPDX-License-Identifier: Apache-2.0
// The texts are compared from both ends: what is left between is where changes lie, and one look at
// its beginning shows the first. No diff of the middle: a document may be megabytes, and an excerpt
// is read by a person.
#include "curate/change_excerpts.h"

#include <algorithm>

namespace headrace::curate {
namespace {

bool is_inside(std::string_view text, std::size_t i) {
  return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
}

std::size_t back(std::string_view text, std::size_t i, int points) {
  for (; points > 0 && i > 0; --points) {
    do --i;
    while (i > 0 && is_inside(text, i));
  }
  return i;
}

std::size_t forward(std::string_view text, std::size_t i, int points) {
  for (; points > 0 && i < text.size(); --points) {
    do ++i;
    while (is_inside(text, i));
  }
  return i;
}

}  // namespace

ChangeExcerpts change_excerpts(std::string_view before, std::string_view after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t begin = 0;
  while (begin < shorter && before[begin] == after[begin]) ++begin;
  if (begin == before.size() && begin == after.size()) return {};
  while (is_inside(before, begin) || is_inside(after, begin)) --begin;
  std::size_t same_end = 0;
  while (same_end < shorter - begin &&
         before[before.size() - 1 - same_end] == after[after.size() - 1 - same_end]) {
    ++same_end;
  }
  const std::size_t first = back(before, begin, kExcerptContext);
  const auto excerpt = [&](std::string_view text) {
    std::size_t end = text.size() - same_end;
    while (is_inside(text, end)) ++end;
    end = std::min(forward(text, end, kExcerptContext), forward(text, first, kExcerptLength));
    return std::string(text.substr(first, end - first));
  };
  return {excerpt(before), excerpt(after)};
}

std::string front_of(std::string_view text, int points) {
  return std::string(text.substr(0, forward(text, 0, points)));
}

}  // namespace headrace::curate
