// SPDX-License-Identifier: Apache-2.0
// Any bytes as text in some encoding: the first byte chooses it, the others are decoded, looked at
// by the detector, and what comes out goes through every normalizing step. Decoders make valid
// UTF-8 or say where the bad byte stands; steps keep it valid.
#include <simdjson.h>
#include <string>
#include <vector>

#include "check.h"
#include "normalize/normalize.h"

namespace {

using headrace::fuzz::check;

constexpr const char* kEncodings[] = {
    "utf-8",        "utf-16le",     "utf-16be",    "utf-32le",   "utf-32be",   "us-ascii",
    "gb18030",      "big5",         "big5-hkscs",  "euc-tw",     "shift_jis",  "euc-jp",
    "iso-2022-jp",  "euc-kr",       "iso-2022-kr", "hz-gb-2312", "iso-8859-1", "windows-1251",
    "windows-1255", "windows-1258", "koi8-r",      "windows-874"};

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string decode(const headrace::TextDecoder& decoder, std::string_view bytes) {
  std::string text = "what was there before";
  const auto decoded = decoder.decode(bytes, &text);
  const std::size_t bad = decoder.first_bad_byte(bytes);
  if (decoded) {
    check(is_utf8(text), "decoded, but not to UTF-8");
    check(bad == bytes.size(), "decoded, but a byte is called bad");
  } else {
    check(decoded.error().code() == headrace::Code::kCorrupt, "bad bytes are corrupt");
    check(text.empty(), "text is left over from a failure");
    check(bad < bytes.size(), "refused, but no byte is called bad");
  }
  return text;
}

void check_detector(std::string_view bytes, bool whole) {
  const auto evidence = headrace::normalize::decoders().detect(bytes, {.whole = whole});
  check(evidence.confidence >= 0 && evidence.confidence <= 1, "a confidence that is no share");
  if (evidence.encoding.empty()) return;
  const auto decoder = headrace::normalize::decoders().declared(evidence.encoding);
  check(decoder.has_value(), "an encoding is detected that can not be decoded");
  decode(**decoder, bytes.substr(headrace::byte_order_mark_length(bytes)));
}

void check_steps(const std::string& text) {
  static const auto* const steps = [] {
    auto* made = new std::vector<std::unique_ptr<headrace::normalize::Step>>;
    for (const auto& info : headrace::normalize::registry().all()) {
      std::vector<headrace::OptionValues> choices = {{}};
      for (const auto& option : info.options) {
        for (const std::string& value : option.allowed) choices.push_back({{option.name, value}});
      }
      for (const auto& options : choices) {
        made->push_back(headrace::normalize::make_step(info.name, options).value());
      }
    }
    return made;
  }();
  std::string scratch;
  for (const auto& step : *steps) {
    std::string changed = text;
    headrace::Markup markup = headrace::Markup::kUnknown;
    const std::size_t changes = step->apply(changed, markup, scratch);
    check(is_utf8(changed), "a step made bad UTF-8");
    check((changes == 0) == (changed == text), "changes that are not counted, or counted for none");
    std::string twice = changed;
    step->apply(twice, markup, scratch);
    check(twice == changed, "a step finds work in what it made");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = headrace::fuzz::as_text(data, size).substr(1);
  const char* name = kEncodings[data[0] % std::size(kEncodings)];
  const auto decoder = headrace::normalize::decoders().declared(name);
  check(decoder.has_value(), "an encoding of the list is unknown");
  check_steps(decode(**decoder, bytes));
  check_detector(bytes, true);
  check_detector(bytes, false);
  return 0;
}
