// SPDX-License-Identifier: Apache-2.0
// Records of web archives → documents and rejections.
#pragma once

#include <string>
#include <string_view>

#include "headrace/result.h"

#include "read/internal/http_message.h"
#include "read/internal/meta_writer.h"
#include "read/internal/page_decoder.h"
#include "read/internal/warc_records.h"
#include "read/reader.h"

namespace headrace::read {

// What is known of a record that may become a document.
struct WarcPage {
  std::string_view url;
  std::string_view date;
  std::string_view ip;
  std::string_view record_type;
  std::string_view content_type;     // of the block: application/http, or the page's own
  std::string_view identified_type;  // by the crawler, from the bytes
  std::string_view truncated;        // why the crawler cut it off; "" if it did not
};

// Single-threaded. What it is made from outlives it.
class WarcDocuments {
 public:
  WarcDocuments(const Split& split, const ReadOptions& options, const DecoderFactory& decoders,
                RecordSink& sink)
      : split_(split), options_(options), pages_(options, decoders), meta_(options), sink_(sink) {}

  // `headers` are those of a record of kind kWarc.
  Result<void> put(const WarcRecord& record, const HeaderLines& headers);

 private:
  Result<void> put_arc(const WarcRecord& record);
  Result<void> put_page(const WarcRecord& record, const WarcPage& page, bool is_http,
                        const HeaderLines* headers);
  void write_meta(const WarcPage& page, std::string_view content_type, std::string_view charset,
                  bool is_http, const HeaderLines* headers);
  Result<void> drop(const WarcRecord& record, std::string_view reason, std::string detail);
  Result<void> reject(const WarcRecord& record, Rejection kind, std::string_view reason,
                      std::string detail);

  const Split& split_;
  const ReadOptions& options_;
  HttpMessage http_;
  PageDecoder pages_;
  MetaWriter meta_;
  RecordSink& sink_;
  Document document_;
};

}  // namespace headrace::read
