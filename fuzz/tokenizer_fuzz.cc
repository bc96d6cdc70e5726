// SPDX-License-Identifier: Apache-2.0
// Any bytes as a tokenizer.json; a file that is taken must encode any text, and decode what it
// encoded. What stands behind the first NUL byte (which no JSON holds) is the text, besides some
// that have split tokenizers before.
#include <filesystem>
#include <fstream>
#include <simdjson.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "headrace/tokenizer.h"

#include "check.h"
#include "tokenize/tokenizer_impl.h"

namespace {

using headrace::fuzz::check;

struct File {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("headrace_tokenizer_fuzz_" + std::to_string(::getpid()) + ".json"))
                         .string();
  ~File() { std::filesystem::remove(path); }
};

// Steps before the model that may change a text, so that decoding gives another.
bool changes_text(const headrace::Tokenizer& tokenizer, std::string_view json) {
  return tokenizer.impl().pipeline != nullptr || tokenizer.impl().nfc ||
         tokenizer.impl().prefix_space || json.find("strip") != std::string_view::npos ||
         json.find('\\') != std::string_view::npos;
}

void check_text(const headrace::Tokenizer& tokenizer, std::string_view text, bool same_text) {
  const bool valid = simdjson::validate_utf8(text.data(), text.size());
  for (const bool special : {false, true}) {
    headrace::Encoder encoder(tokenizer, {.special_tokens_in_text = special});
    std::vector<std::uint32_t> ids;
    const auto encoded = encoder.encode(text, &ids);
    check(encoded.has_value() == valid, "valid UTF-8 is what can be encoded");
    if (!encoded) continue;
    const auto decoded = tokenizer.decode(ids);
    check(decoded.has_value(), "ids that can not be decoded");
    if (same_text) check(*decoded == text, "another text comes back");
    std::vector<std::uint32_t> again;
    check(encoder.encode(text, &again).has_value() && again == ids, "other ids with a warm cache");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const File file;
  const std::string_view input = headrace::fuzz::as_text(data, size);
  const std::size_t cut = input.find('\0');
  const std::string_view json = input.substr(0, cut);
  std::ofstream(file.path, std::ios::binary | std::ios::trunc) << json;
  const auto tokenizer = headrace::Tokenizer::open(file.path);
  if (!tokenizer) {
    check(tokenizer.error().message().find(file.path) != std::string::npos, "no path in the error");
    return 0;
  }
  const bool same_text = !changes_text(*tokenizer, json);
  for (const std::string_view text :
       {std::string_view("Hello, world's 2026 <|endoftext|>\n\n  中文。 e\u0301\t'LL"),
        std::string_view("\xF0\x9F\x99\x82 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\x01"),
        cut == input.npos ? std::string_view() : input.substr(cut + 1)}) {
    check_text(*tokenizer, text, same_text);
  }
  return 0;
}
