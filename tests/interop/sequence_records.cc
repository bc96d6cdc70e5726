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

#include "tokenize/sequence_tokenizer.h"

namespace {

int fail(std::string_view message) {
  std::fprintf(stderr, "headrace_sequence_records: %.*s\n", static_cast<int>(message.size()),
               message.data());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return fail("arguments: TOKENIZER MAX_LENGTH lower|cased");
  const auto tokenizer = headrace::tokenize::sequence_tokenizers().open(
      argv[1], {.lowercase = std::string_view(argv[3]) == "lower"});
  if (!tokenizer.has_value()) return fail(tokenizer.error().message());
  const auto encoder = (*tokenizer)->start();
  const std::size_t max_length = std::stoul(argv[2]);
  std::string text;
  std::vector<std::int64_t> ids;
  std::uint32_t size = 0;
  while (std::fread(&size, sizeof(size), 1, stdin) == 1) {
    text.resize(size);
    if (std::fread(text.data(), 1, size, stdin) != size) return fail("the last document is cut");
    const auto encoded = encoder->encode(text, max_length, &ids);
    if (!encoded.has_value()) return fail(encoded.error().message());
    const auto count = static_cast<std::uint32_t>(ids.size());
    std::fwrite(&count, sizeof(count), 1, stdout);
    std::fwrite(ids.data(), sizeof(ids[0]), ids.size(), stdout);
  }
  return 0;
}
