// SPDX-License-Identifier: Apache-2.0
// For tests/interop/transformer: documents on standard input, the ids of their sequences on
// standard output.
//
//   headrace_sequence_records TOKENIZER MAX_LENGTH lower|cased < documents > ids
//
// A document is its length in bytes (u32, little-endian) and the bytes; its ids are their number
// (u32) and the ids (i64).
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "records.h"
#include "tokenize/sequence_tokenizer.h"

int main(int argc, char** argv) {
  using headrace::interop::fail;
  if (argc != 4) return fail("arguments: TOKENIZER MAX_LENGTH lower|cased");
  const auto tokenizer = headrace::tokenize::sequence_tokenizers().open(
      argv[1], {.lowercase = std::string_view(argv[3]) == "lower"});
  if (!tokenizer.has_value()) return fail(tokenizer.error().message());
  const auto encoder = (*tokenizer)->start();
  const std::size_t max_length = std::stoul(argv[2]);
  std::string text;
  std::vector<std::int64_t> ids;
  while (headrace::interop::read(&text)) {
    const auto encoded = encoder->encode(text, max_length, &ids);
    if (!encoded.has_value()) return fail(encoded.error().message());
    const auto count = static_cast<std::uint32_t>(ids.size());
    std::fwrite(&count, sizeof(count), 1, stdout);
    std::fwrite(ids.data(), sizeof(ids[0]), ids.size(), stdout);
  }
  return 0;
}
