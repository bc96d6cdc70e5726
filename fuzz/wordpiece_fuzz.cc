// SPDX-License-Identifier: Apache-2.0
// Any bytes as the tokenizer.json or vocab.txt of a WordPiece; a file that is taken must encode any
// text to ids of its vocabulary, and a cut one to the same ids as far as it goes. What stands
// behind the first NUL byte is the text.
#include <filesystem>
#include <fstream>
#include <simdjson.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "check.h"
#include "tokenize/sequence_tokenizer.h"

namespace {

using headrace::SequenceTokenizer;
using headrace::fuzz::check;

struct File {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("headrace_wordpiece_fuzz_" + std::to_string(::getpid())))
                         .string();
  ~File() {
    std::filesystem::remove(path + ".json");
    std::filesystem::remove(path + ".txt");
  }
};

void check_text(const SequenceTokenizer& tokenizer, std::string_view text) {
  const bool valid = simdjson::validate_utf8(text.data(), text.size());
  const auto encoder = tokenizer.start();
  std::vector<std::int64_t> ids;
  check(encoder->encode(text, 1 << 30, &ids).has_value() == valid, "valid UTF-8 is what encodes");
  if (!valid) return;
  for (const std::int64_t id : ids) {
    check(id >= 0 && static_cast<std::size_t>(id) < tokenizer.vocabulary_size(), "an id too high");
  }
  const std::size_t most = tokenizer.added() + 3;
  std::vector<std::int64_t> cut;
  check(encoder->encode(text, most, &cut).has_value(), "a cut text does not encode");
  check(cut.size() == std::min(ids.size(), most), "a cut text is of another length");
  if (ids.size() <= most) check(cut == ids, "a text that fits was changed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const File file;
  const std::string_view input = headrace::fuzz::as_text(data, size);
  const std::size_t cut = input.find('\0');
  const std::string_view text = cut == std::string_view::npos ? "" : input.substr(cut + 1);
  for (const char* const ending : {".json", ".txt"}) {
    const std::string path = file.path + ending;
    std::ofstream(path, std::ios::binary | std::ios::trunc) << input.substr(0, cut);
    const auto tokenizer = headrace::tokenize::sequence_tokenizers().open(path, {});
    if (!tokenizer) {
      check(tokenizer.error().message().find(path) != std::string::npos, "no path in the error");
      continue;
    }
    for (const std::string_view each : {text, std::string_view("Añ[CLS]中 e\u0301ab.")}) {
      check_text(**tokenizer, each);
    }
  }
  return 0;
}
