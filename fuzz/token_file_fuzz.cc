// SPDX-License-Identifier: Apache-2.0
// Any bytes as a SentencePiece model, a rank file or a vocab.txt; a file that is taken must encode
// any text to ids that can be decoded. What stands behind the last line is the text as well.
#include <filesystem>
#include <fstream>
#include <simdjson.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "headrace/tokenizer.h"

#include "check.h"

namespace {

using headrace::fuzz::check;

void check_text(const headrace::Tokenizer& tokenizer, std::string_view text) {
  const bool valid = simdjson::validate_utf8(text.data(), text.size());
  headrace::Encoder encoder(tokenizer, {.special_tokens_in_text = true});
  std::vector<std::uint32_t> ids;
  const auto encoded = encoder.encode(text, &ids);
  check(encoded.has_value() == valid, "valid UTF-8 is what can be encoded");
  if (!encoded) return;
  check(tokenizer.decode(ids).has_value(), "ids that can not be decoded");
  std::vector<std::uint32_t> again;
  check(encoder.encode(text, &again).has_value() && again == ids, "other ids with a warm cache");
}

void check_file(const std::string& path, std::string_view bytes,
                const headrace::TokenizerOptions& options) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  const auto tokenizer = headrace::Tokenizer::open(path, options);
  std::filesystem::remove(path);
  if (!tokenizer) {
    check(tokenizer.error().message().find(path) != std::string::npos, "no path in the error");
    return;
  }
  for (const std::string_view text :
       {std::string_view("Hello, world's 2026 <s>\n\n  中文。 e\u0301\t'LL \xF0\x9F\x99\x82"),
        bytes.substr(bytes.rfind('\n') + 1), std::string_view("\0a", 2)}) {
    check_text(*tokenizer, text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string base = (std::filesystem::temp_directory_path() /
                                   ("headrace_token_file_fuzz_" + std::to_string(::getpid())))
                                      .string();
  const std::string_view input = headrace::fuzz::as_text(data, size);
  check_file(base + ".model", input, {});
  check_file(base + ".tiktoken", input, {.pattern = "gpt2"});
  check_file(base + ".txt", input, {.lowercase = true});
  return 0;
}
