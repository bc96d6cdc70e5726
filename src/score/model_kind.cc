// SPDX-License-Identifier: Apache-2.0
// fastText and KenLM both call their binaries .bin, so the bytes come first. ONNX has none of its
// own: a protobuf begins with whatever field is written first.
#include "score/model_kind.h"

#include <cstring>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "score/fasttext_model.h"
#include "score/internal/ngram_readers.h"

namespace headrace::score {
namespace {

constexpr std::size_t kHeadBytes = 256;
constexpr std::string_view kArpaBegin = "\\data\\";

constexpr std::pair<std::string_view, std::string_view> kExtensions[] = {
    {".bin", "fasttext"}, {".ftz", "fasttext"}, {".onnx", "transformer"}, {".arpa", "perplexity"}};

// Uncompressed, for ARPA files; what is cut short is enough.
Result<std::string> read_head(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const auto stream, io::open_input(path));
  std::string head(kHeadBytes, 0);
  std::size_t size = 0;
  while (size < head.size()) {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                              stream->read(head.data() + size, head.size() - size));
    if (got == 0) break;
    size += got;
  }
  head.resize(size);
  return head;
}

bool is_fasttext(std::string_view head) {
  std::int32_t magic = 0;
  if (head.size() < sizeof(magic)) return false;
  std::memcpy(&magic, head.data(), sizeof(magic));
  return magic == kFastTextMagic;
}

bool is_ngram(std::string_view head) {
  if (internal::is_ngram_binary(head)) return true;
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  return begin != head.npos && head.substr(begin).starts_with(kArpaBegin);
}

}  // namespace

Result<std::string> kind_of_file(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string head, read_head(path));
  if (is_fasttext(head)) return std::string("fasttext");
  if (is_ngram(head)) return std::string("perplexity");
  for (const auto& [extension, kind] : kExtensions) {
    if (path.ends_with(extension)) return std::string(kind);
  }
  return std::string();
}

}  // namespace headrace::score
