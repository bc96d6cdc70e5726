// SPDX-License-Identifier: Apache-2.0
// For tokenizer_differential.py: documents on standard input, their ids on standard output.
//
//   headrace_tokenize_records TOKENIZER text|special [pattern=P] [lowercase=true|false]
//       < documents > ids
//
// A document is its length in bytes (u32, little-endian) and the bytes; its ids are their number
// (u32) and the ids. "special": special tokens in the text become their ids. Each document goes
// through the one encoder twice, and the second time, with a warm cache, must give the same.
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/tokenizer.h"

#include "records.h"

int main(int argc, char** argv) {
  using headrace::interop::fail;
  if (argc < 3) return fail("arguments: TOKENIZER text|special [pattern=P] [lowercase=BOOL]");
  headrace::TokenizerOptions options;
  for (const std::string_view option : std::span(argv, static_cast<std::size_t>(argc)).subspan(3)) {
    if (option.starts_with("pattern=")) options.pattern = option.substr(8);
    if (option.starts_with("lowercase=")) options.lowercase = option.substr(10) == "true";
  }
  auto tokenizer = headrace::Tokenizer::open(argv[1], options);
  if (!tokenizer.has_value()) return fail(tokenizer.error().message());
  const bool special = std::string_view(argv[2]) == "special";
  headrace::Encoder encoder(*tokenizer, {.special_tokens_in_text = special});

  std::string text;
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> again;
  while (headrace::interop::read(&text)) {
    ids.clear();
    again.clear();
    for (auto* target : {&ids, &again}) {
      const auto encoded = encoder.encode(text, target);
      if (!encoded.has_value()) return fail(encoded.error().message());
    }
    if (ids != again) return fail("a second pass gave other ids");
    const auto count = static_cast<std::uint32_t>(ids.size());
    std::fwrite(&count, sizeof(count), 1, stdout);
    std::fwrite(ids.data(), sizeof(ids[0]), ids.size(), stdout);
  }
  return 0;
}
