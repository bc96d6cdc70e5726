// SPDX-License-Identifier: Apache-2.0
// What the walk does at each tag.
#pragma once

#include "normalize/internal/html_page.h"
#include "normalize/internal/html_parser.h"

namespace headrace::normalize::internal {

enum class HtmlKind : std::uint8_t {
  kUnknown,  // a custom element, or "a<b" that was taken for a tag
  kBlock,
  kInline,
  kBreak,
  kImage,
  kMath,
  kScript,
  kTitle,
  kHead,
  kControl,  // of a form or a dialogue: text, but not of an article
  kSkip,     // nothing inside is text
};

struct HtmlTagInfo {
  HtmlKind kind = HtmlKind::kUnknown;
  HtmlTag tag = HtmlTag::kOther;
  bool preformatted = false;
  bool one_letter = false;
};

HtmlTagInfo tag_info(const HtmlParser& parser, const HtmlNode* element);

}  // namespace headrace::normalize::internal
