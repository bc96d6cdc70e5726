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
#include "read/internal/page_decoder.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

class CodeReader final : public Reader {
 public:
  CodeReader(ReadOptions options, const DecoderFactory& decoders)
      : options_(std::move(options)), decoders_(decoders) {}

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    WholeFile file;
    HEADRACE_RETURN_IF_ERROR(file.read(split, options_.max_record_bytes, stop));
    ReadCounts counts = file.counts();
    if (counts.bytes == 0) return counts;
    if (!file.fault().reason.empty()) {
      HEADRACE_RETURN_IF_ERROR(sink.rejected(file.fault()));
      return counts;
    }
    if (options_.encoding == "auto" && is_binary(file.bytes())) {
      HEADRACE_RETURN_IF_ERROR(sink.rejected(
          file.rejected(Rejection::kDrop, "binary_file", "the file has zero bytes in it")));
      return counts;
    }
    PageDecoder pages(options_, decoders_);
    HEADRACE_ASSIGN_OR_RETURN(const RecordDecoder::Outcome decoded,
                              pages.decode(file.bytes(), 0, {}));
    counts.encoding = pages.encoding();
    if (!decoded.reason.empty()) {
      HEADRACE_RETURN_IF_ERROR(
          sink.rejected(file.rejected(Rejection::kQuarantine, decoded.reason, decoded.detail)));
      return counts;
    }
    Document document;
    document.id = DocumentId::make(split.file, 0);
    document.text = decoded.text;
    document.line = 1;
    document.markup = Markup::kPlain;
    MetaWriter meta(options_);
    meta.start(&document.meta);
    meta.add("path", split.path);
    std::string_view name = io::without_query(split.path);
    name.remove_suffix(io::compression_extension(name).size());
    if (const std::string_view language = language_of(name); !language.empty()) {
      meta.add("language", language);
    }
    meta.finish();
    HEADRACE_RETURN_IF_ERROR(sink.document(document));
    return counts;
  }

 private:
  const ReadOptions options_;
  const DecoderFactory& decoders_;
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
