// SPDX-License-Identifier: Apache-2.0
// HTML: one file is one page, handed on with its markup; the step html_to_text makes text of it.
//
// The page's own declaration counts as evidence for its encoding.
#include "base/error.h"
#include "read/internal/line_reader.h"
#include "read/internal/page_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

Result<std::unique_ptr<Reader>> make_html_reader(const ReadOptions& options,
                                                 const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<PageFileReader>(options, decoders, Markup::kHtml);
}

}  // namespace

void register_html(Registry& registry) {
  registry.add({"html",
                {".html", ".htm", ".xhtml"},
                "HTML: each file is one page; plain or compressed",
                make_html_reader});
}

}  // namespace headrace::read
