// SPDX-License-Identifier: Apache-2.0
// Source code: each file is a document, with its path and the language of its extension.
//
// A zero byte makes a file binary, unless a byte order mark or the recipe says UTF-16. Hidden
// folders (.git) are no matter of the reader: patterns do not match them.
#include <utility>

#include "base/error.h"
#include "io/input_stream.h"
#include "io/uri.h"
#include "read/internal/languages.h"
#include "read/internal/line_reader.h"
#include "read/internal/meta_writer.h"
#include "read/internal/page_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

class CodeReader final : public PageFileReader {
 public:
  CodeReader(ReadOptions options, const DecoderFactory& decoders)
      : PageFileReader(std::move(options), decoders, Markup::kPlain) {}

 private:
  RejectedRecord refused(const WholeFile& file) const override {
    if (options().encoding != "auto" || !is_binary(file.bytes())) return {};
    return file.rejected(Rejection::kDrop, "binary_file", "the file has zero bytes in it");
  }

  void add_meta(const Split& split, Document* document) const override {
    MetaWriter meta(options());
    meta.start(&document->meta);
    meta.add("path", split.path);
    std::string_view name = io::without_query(split.path);
    name.remove_suffix(io::compression_extension(name).size());
    if (const std::string_view language = language_of(name); !language.empty()) {
      meta.add("language", language);
    }
    meta.finish();
  }
};

Result<std::unique_ptr<Reader>> make_code_reader(const ReadOptions& options,
                                                 const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<CodeReader>(options, decoders);
}

}  // namespace

void register_code(Registry& registry) {
  registry.add(
      {"code", code_extensions(), "source code: each file is a document", make_code_reader});
}

}  // namespace headrace::read
