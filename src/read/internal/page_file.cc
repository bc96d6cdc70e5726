// SPDX-License-Identifier: Apache-2.0
#include "read/internal/page_file.h"

#include <utility>

#include "base/error.h"
#include "read/internal/page_decoder.h"

namespace headrace::read {

PageFileReader::PageFileReader(ReadOptions options, const DecoderFactory& decoders, Markup markup)
    : options_(std::move(options)), decoders_(decoders), markup_(markup) {}

RejectedRecord PageFileReader::refused(const WholeFile&) const { return {}; }

void PageFileReader::add_meta(const Split&, Document*) const {}

Result<ReadCounts> PageFileReader::read(const Split& split, RecordSink& sink,
                                        std::stop_token stop) const {
  WholeFile file;
  HEADRACE_RETURN_IF_ERROR(file.read(split, options_.max_record_bytes, stop));
  ReadCounts counts = file.counts();
  if (counts.bytes == 0) return counts;
  const RejectedRecord fault = file.fault().reason.empty() ? refused(file) : file.fault();
  if (!fault.reason.empty()) {
    HEADRACE_RETURN_IF_ERROR(sink.rejected(fault));
    return counts;
  }
  PageDecoder pages(options_, decoders_);
  HEADRACE_ASSIGN_OR_RETURN(const RecordDecoder::Outcome decoded,
                            pages.decode(file.bytes(), 0, {.markup = markup_ == Markup::kHtml}));
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
  document.markup = markup_;
  add_meta(split, &document);
  HEADRACE_RETURN_IF_ERROR(sink.document(document));
  return counts;
}

}  // namespace headrace::read
