// SPDX-License-Identifier: Apache-2.0
// HTML: one file is one page, handed on with its markup; the step html_to_text makes text of it.
//
// The page's own declaration counts as evidence for its encoding.
#include <utility>

#include "base/error.h"
#include "read/internal/line_reader.h"
#include "read/internal/page_decoder.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

class HtmlReader final : public Reader {
 public:
  HtmlReader(ReadOptions options, const DecoderFactory& decoders)
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
    PageDecoder pages(options_, decoders_);
    HEADRACE_ASSIGN_OR_RETURN(const RecordDecoder::Outcome decoded,
                              pages.decode(file.bytes(), 0, {.markup = true}));
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
    document.markup = Markup::kHtml;
    HEADRACE_RETURN_IF_ERROR(sink.document(document));
    return counts;
  }

 private:
  const ReadOptions options_;
  const DecoderFactory& decoders_;
};

Result<std::unique_ptr<Reader>> make_html_reader(const ReadOptions& options,
                                                 const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<HtmlReader>(options, decoders);
}

}  // namespace

void register_html(Registry& registry) {
  registry.add({"html",
                {".html", ".htm", ".xhtml"},
                "HTML: each file is one page; plain or compressed",
                make_html_reader});
}

}  // namespace headrace::read
