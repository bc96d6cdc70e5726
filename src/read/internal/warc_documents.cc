// SPDX-License-Identifier: Apache-2.0
#include "read/internal/warc_documents.h"

#include <utility>

#include "base/error.h"
#include "base/quote.h"

namespace headrace::read {
namespace {

constexpr int kOk = 200;

std::string_view without_brackets(std::string_view uri) {
  if (uri.starts_with('<') && uri.ends_with('>')) {
    uri.remove_prefix(1);
    uri.remove_suffix(1);
  }
  return uri;
}

// Crawlers file their logs and settings as resources, too: metadata://..., urn:X-wpull:log.
bool is_web_address(std::string_view url) {
  for (const std::string_view scheme : {"http://", "https://", "ftp://", "ftps://", "file://"}) {
    if (equal_ignoring_case(url.substr(0, scheme.size()), scheme)) return true;
  }
  return false;
}

// 14 digits of an ARC line as WARC has dates.
std::string iso_date(std::string_view digits) {
  if (digits.size() < 14) return std::string(digits);
  return fmt::format("{}-{}-{}T{}:{}:{}Z", digits.substr(0, 4), digits.substr(4, 2),
                     digits.substr(6, 2), digits.substr(8, 2), digits.substr(10, 2),
                     digits.substr(12, 2));
}

bool starts_like_html(std::string_view payload) {
  if (payload.starts_with("\xEF\xBB\xBF")) payload.remove_prefix(3);
  payload = trim_blanks(payload.substr(0, 1024));
  return equal_ignoring_case(payload.substr(0, 9), "<!doctype") ||
         equal_ignoring_case(payload.substr(0, 5), "<html");
}

Markup markup_of(std::string_view type, std::string_view payload) {
  if (type == "text/html" || type.ends_with("xhtml+xml")) return Markup::kHtml;
  if (type == "text/plain") return Markup::kPlain;
  if (type.empty() && starts_like_html(payload)) return Markup::kHtml;
  return Markup::kUnknown;
}

}  // namespace

Result<void> WarcDocuments::put(const WarcRecord& record, const HeaderLines& headers) {
  if (record.kind == WarcRecord::Kind::kDamage) {
    return reject(record, Rejection::kQuarantine, record.reason, record.detail);
  }
  if (record.too_long) return drop(record, "record_too_long", record.detail);
  if (record.kind == WarcRecord::Kind::kArc) return put_arc(record);
  WarcPage page;
  page.record_type = headers.get("WARC-Type");
  const auto is = [&](std::string_view type) {
    return equal_ignoring_case(page.record_type, type);
  };
  if (is("revisit")) return drop(record, "revisit", "a page that another record holds");
  if (!is("response") && !is("resource") && !is("conversion")) {
    return drop(record, "warc_metadata",
                fmt::format("a record of type '{}'", excerpt(page.record_type)));
  }
  page.url = without_brackets(headers.get("WARC-Target-URI"));
  page.date = headers.get("WARC-Date");
  page.ip = headers.get("WARC-IP-Address");
  page.content_type = headers.get("Content-Type");
  page.identified_type = headers.get("WARC-Identified-Payload-Type");
  page.truncated = headers.get("WARC-Truncated");
  const std::string block_type = media_type(page.content_type);
  if (is("resource") && !is_web_address(page.url)) {
    return drop(record, "warc_metadata", "a resource of the crawler's own");
  }
  // DNS answers and the like have no HTTP in them.
  const bool is_http = is("response") && (block_type == "application/http" || block_type.empty());
  if (is("response") && !is_http) {
    return drop(record, "warc_metadata", "a response that is not HTTP");
  }
  return put_page(record, page, is_http, &headers);
}

Result<void> WarcDocuments::put_arc(const WarcRecord& record) {
  WarcPage page;
  page.record_type = "response";
  page.url = record.arc.url;
  const std::string date = iso_date(record.arc.date);
  page.date = date;
  page.ip = record.arc.ip;
  page.content_type = record.arc.type;
  if (!equal_ignoring_case(page.url.substr(0, 4), "http")) {
    return drop(record, "warc_metadata", "an ARC record that is not HTTP");
  }
  return put_page(record, page, true, nullptr);
}

Result<void> WarcDocuments::put_page(const WarcRecord& record, const WarcPage& page, bool is_http,
                                     const HeaderLines* headers) {
  std::string_view payload = record.block;
  std::string_view content_type = page.content_type;
  const bool cut = !page.truncated.empty();
  if (is_http) {
    http_.parse(record.block);
    if (http_.status() != 0 && http_.status() != kOk) {
      return drop(record, "http_status", fmt::format("status {}", http_.status()));
    }
    content_type = http_.headers()
                       .find("Content-Type")
                       .value_or(headers == nullptr ? page.content_type : std::string_view());
    const PayloadState state = http_.payload(options_.max_record_bytes, &payload);
    if (state == PayloadState::kTooLong) {
      return drop(record, "record_too_long",
                  fmt::format("the payload is longer than {} bytes", options_.max_record_bytes));
    }
    if (state == PayloadState::kUnknownCoding || state == PayloadState::kDamaged ||
        (state == PayloadState::kCutOff && !cut)) {
      return reject(record, Rejection::kQuarantine, "bad_content_encoding",
                    fmt::format("the payload of {} cannot be decoded as {}", excerpt(page.url),
                                excerpt(http_.headers().get("Content-Encoding"))));
    }
  }
  if (payload.empty()) return drop(record, "no_payload", "the record has no payload");
  const std::string identified = media_type(page.identified_type);
  const std::string type = identified.empty() ? media_type(content_type) : identified;
  document_.markup = markup_of(type, payload);
  if (document_.markup == Markup::kUnknown) {
    return drop(record, "not_text", fmt::format("content of type '{}'", excerpt(type)));
  }
  const std::string_view charset = charset_of(content_type);
  HEADRACE_ASSIGN_OR_RETURN(
      const RecordDecoder::Outcome decoded,
      pages_.decode(payload, 0,
                    {.charset = charset, .markup = document_.markup == Markup::kHtml, .cut = cut}));
  if (!decoded.reason.empty()) {
    return reject(record, Rejection::kQuarantine, decoded.reason,
                  fmt::format("in the payload of {}: {}", excerpt(page.url), decoded.detail));
  }
  document_.id = DocumentId::make(split_.file, record.place);
  document_.text = decoded.text;
  write_meta(page, content_type, charset, is_http, headers);
  return sink_.document(document_);
}

void WarcDocuments::write_meta(const WarcPage& page, std::string_view content_type,
                               std::string_view charset, bool is_http, const HeaderLines* headers) {
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) meta_.add(name, value);
  };
  const auto header = [&](std::string_view name) {
    return headers == nullptr ? std::string_view() : headers->get(name);
  };
  meta_.start(&document_.meta);
  add("url", page.url);
  add("date", page.date);
  add("warc_record_id", header("WARC-Record-ID"));
  add("warc_type", page.record_type);
  add("content_type", content_type);
  add("identified_type", page.identified_type);
  add("charset", charset);
  add("encoding", pages_.encoding());
  if (is_http && http_.status() != 0) {
    meta_.add("status", static_cast<std::uint64_t>(http_.status()));
  }
  add("ip", page.ip);
  add("language", header("WARC-Identified-Content-Language"));
  add("refers_to", header("WARC-Refers-To"));
  add("payload_digest", header("WARC-Payload-Digest"));
  add("truncated", page.truncated);
  meta_.finish();
}

Result<void> WarcDocuments::drop(const WarcRecord& record, std::string_view reason,
                                 std::string detail) {
  return reject(record, Rejection::kDrop, reason, std::move(detail));
}

Result<void> WarcDocuments::reject(const WarcRecord& record, Rejection kind,
                                   std::string_view reason, std::string detail) {
  RejectedRecord rejected;
  rejected.kind = kind;
  rejected.reason = reason;
  rejected.detail = std::move(detail);
  rejected.offset = record.place;
  rejected.bytes = record.bytes;
  return sink_.rejected(rejected);
}

}  // namespace headrace::read
