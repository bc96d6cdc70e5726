// SPDX-License-Identifier: Apache-2.0
// Any text as a page: what comes out is valid UTF-8 without markup's bytes made up, is the same
// each time, is not much longer than what went in, and is not touched again. Bytes that are no
// UTF-8 are made so first, as no reader hands out others.
#include <simdjson.h>
#include <string>

#include "check.h"
#include "normalize/internal/html_text.h"
#include "normalize/internal/utf8.h"
#include "normalize/normalize.h"

namespace {

using headrace::fuzz::check;

std::string repaired(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const auto fault = headrace::normalize::internal::find_utf8_fault(bytes);
    text.append(bytes.substr(0, fault.offset));
    if (fault.length == 0) break;
    text.push_back('?');
    bytes.remove_prefix(fault.offset + fault.length);
  }
  return text;
}

const headrace::normalize::Step& step(const char* mode) {
  using headrace::normalize::make_step;
  static const auto main =
      make_step("html_to_text", {{"when", "always"}, {"mode", "main"}}).value();
  static const auto plain =
      make_step("html_to_text", {{"when", "always"}, {"mode", "plain"}}).value();
  return mode[0] == 'm' ? *main : *plain;
}

void check_mode(const std::string& html, const char* mode) {
  std::string scratch;
  std::string text = html;
  headrace::Markup markup = headrace::Markup::kHtml;
  const std::size_t changes = step(mode).apply(text, markup, scratch);
  check(simdjson::validate_utf8(text.data(), text.size()), "text is no UTF-8");
  check((changes == 0) == (text == html), "changes that are not counted, or counted for none");
  check(text.size() <= 8 * html.size() + 64, "text is much longer than the page");
  check(markup == headrace::Markup::kPlain, "text is not called plain");
  std::string again = text;
  check(step(mode).apply(again, markup, scratch) == 0 && again == text, "plain text is touched");
  std::string twice = html;
  markup = headrace::Markup::kHtml;
  step(mode).apply(twice, markup, scratch);
  check(twice == text, "another text the second time");
}

void check_pieces(std::string_view html) {
  std::size_t size = 0;
  for (const std::string_view piece : headrace::normalize::internal::html_pieces(html, 64, 8)) {
    check(!piece.empty() && piece.size() <= 64, "a piece out of bounds");
    check(piece.data() == html.data() + size, "a gap between pieces");
    size += piece.size();
  }
  check(size == html.size(), "pieces are not the whole");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string html = repaired(headrace::fuzz::as_text(data, size));
  check_mode(html, "main");
  check_mode(html, "plain");
  check_pieces(html);
  return 0;
}
