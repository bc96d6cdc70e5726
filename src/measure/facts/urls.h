// SPDX-License-Identifier: Apache-2.0
// Where the URLs of a text lie. The definition is in text/url_share.cc.
#pragma once

#include <cstdint>

#include "record/text_view.h"

namespace headrace::measure {

// Is shown every ':' and '.' of a text in order, and finds the URLs that go through them.
class UrlFinder {
 public:
  explicit UrlFinder(const TextView& view) : view_(view) {}

  void mark_at(std::uint32_t position);

  std::uint32_t urls() const { return urls_; }
  std::uint32_t bytes() const { return bytes_; }  // all ASCII, so code points

 private:
  void take(std::uint32_t begin, std::uint32_t from);

  const TextView& view_;
  std::uint32_t end_ = 0;  // of the last URL
  std::uint32_t urls_ = 0;
  std::uint32_t bytes_ = 0;
};

}  // namespace headrace::measure
