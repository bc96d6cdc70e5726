// SPDX-License-Identifier: Apache-2.0
// WARC (0.17 to 1.1), ARC and WET: each archived page is a document.
//
//   response     its HTTP payload, without chunks and content coding
//   resource     its block, if it has a web address
//   conversion   its block: the plain text of a page, as in WET files
//
// All other records are counted and dropped by name, so that the books show every record of the
// file. A page is HTML, XHTML or plain text, by what the crawler identified, else by what the
// server said, else by its first bytes. Redirects, errors and the like are no pages: only status
// 200 is read, as in the archives that Common Crawl publishes (it keeps the others apart).
//
// A page's encoding is its own: byte order mark, valid UTF-8, the Content-Type of the server and
// of the page, a detector, in this order.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "read/internal/http_message.h"
#include "read/internal/line_reader.h"
#include "read/internal/meta_writer.h"
#include "read/internal/page_decoder.h"
#include "read/internal/warc_records.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr int kOk = 200;

// What is known of a record that may become a document.
struct Page {
  std::string_view url;
  std::string_view date;
  std::string_view ip;
  std::string_view record_type;
  std::string_view content_type;     // of the block: application/http, or the page's own
  std::string_view identified_type;  // by the crawler, from the bytes
  std::string_view truncated;        // why the crawler cut it off; "" if it did not
};

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

class WarcDocuments {
 public:
  WarcDocuments(const Split& split, const ReadOptions& options, const DecoderFactory& decoders,
                RecordSink& sink)
      : split_(split), options_(options), pages_(options, decoders), meta_(options), sink_(sink) {}

  Result<void> put(const WarcRecord& record, const HeaderLines& headers) {
    if (record.kind == WarcRecord::Kind::kDamage) {
      return reject(record, Rejection::kQuarantine, record.reason, record.detail);
    }
    if (record.too_long) return drop(record, "record_too_long", record.detail);
    if (record.kind == WarcRecord::Kind::kArc) return put_arc(record);
    Page page;
    page.record_type = headers.get("WARC-Type");
    const auto is = [&](std::string_view type) {
      return equal_ignoring_case(page.record_type, type);
    };
    if (is("revisit")) return drop(record, "revisit", "a page that another record holds");
    if (!is("response") && !is("resource") && !is("conversion")) {
      return drop(record, "warc_metadata",
                  fmt::format("a record of type '{}'", printable(page.record_type)));
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

 private:
  Result<void> put_arc(const WarcRecord& record) {
    Page page;
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

  Result<void> put_page(const WarcRecord& record, const Page& page, bool is_http,
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
                      fmt::format("the payload of {} cannot be decoded as {}", printable(page.url),
                                  printable(http_.headers().get("Content-Encoding"))));
      }
    }
    if (payload.empty()) return drop(record, "no_payload", "the record has no payload");
    const std::string identified = media_type(page.identified_type);
    const std::string type = identified.empty() ? media_type(content_type) : identified;
    document_.markup = markup_of(type, payload);
    if (document_.markup == Markup::kUnknown) {
      return drop(record, "not_text", fmt::format("content of type '{}'", printable(type)));
    }
    const std::string_view charset = charset_of(content_type);
    HEADRACE_ASSIGN_OR_RETURN(
        const RecordDecoder::Outcome decoded,
        pages_.decode(
            payload, 0,
            {.charset = charset, .markup = document_.markup == Markup::kHtml, .cut = cut}));
    if (!decoded.reason.empty()) {
      return reject(record, Rejection::kQuarantine, decoded.reason,
                    fmt::format("in the payload of {}: {}", printable(page.url), decoded.detail));
    }
    document_.id = DocumentId::make(split_.file, record.place);
    document_.text = decoded.text;
    write_meta(page, content_type, charset, is_http, headers);
    return sink_.document(document_);
  }

  void write_meta(const Page& page, std::string_view content_type, std::string_view charset,
                  bool is_http, const HeaderLines* headers) {
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

  // For messages: header values may be of any bytes.
  static std::string printable(std::string_view value) {
    std::string text(value.substr(0, 200));
    for (char& c : text) {
      if (c < ' ' || c > '~') c = '?';
    }
    return text;
  }

  Result<void> drop(const WarcRecord& record, std::string_view reason, std::string detail) {
    return reject(record, Rejection::kDrop, reason, std::move(detail));
  }

  Result<void> reject(const WarcRecord& record, Rejection kind, std::string_view reason,
                      std::string detail) {
    RejectedRecord rejected;
    rejected.kind = kind;
    rejected.reason = reason;
    rejected.detail = std::move(detail);
    rejected.offset = record.place;
    rejected.bytes = record.bytes;
    return sink_.rejected(rejected);
  }

  const Split& split_;
  const ReadOptions& options_;
  HttpMessage http_;
  PageDecoder pages_;
  MetaWriter meta_;
  RecordSink& sink_;
  Document document_;
};

class WarcReader final : public Reader {
 public:
  WarcReader(ReadOptions options, const DecoderFactory& decoders)
      : options_(std::move(options)), decoders_(decoders) {}

  // Plain files are cut at the records that a walk from head to head meets, gzip files at members
  // that begin with a record. Others are one split.
  Result<std::vector<Split>> split(const std::string& path, std::uint64_t file,
                                   std::uint64_t target_bytes) const override {
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(path));
    if (info.is_directory) return invalid_argument("{} is a folder, not a file", path);
    const Split whole{path, file, 0, info.bytes, info.bytes};
    if (info.bytes <= target_bytes || target_bytes == 0) return std::vector{whole};
    HEADRACE_ASSIGN_OR_RETURN(WarcRecords records, WarcRecords::open(whole, max_bytes()));
    std::vector<std::uint64_t> cuts = {0};
    if (records.window().has_members()) {
      HEADRACE_ASSIGN_OR_RETURN(const io::RandomFile random, io::RandomFile::open(path));
      while (info.bytes - cuts.back() > target_bytes) {
        HEADRACE_ASSIGN_OR_RETURN(
            const std::optional<std::uint64_t> member,
            io::find_gzip_member(random, cuts.back() + target_bytes, info.bytes, starts_record));
        if (!member) break;
        cuts.push_back(*member);
      }
    } else if (records.window().is_plain()) {
      records.pass_over_blocks();
      for (WarcRecord record;;) {
        HEADRACE_ASSIGN_OR_RETURN(const bool more, records.next(&record));
        if (!more) break;
        if (record.kind != WarcRecord::Kind::kDamage &&
            record.place - cuts.back() >= target_bytes) {
          cuts.push_back(record.place);
        }
      }
    }
    cuts.push_back(info.bytes);
    std::vector<Split> splits;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      splits.push_back({path, file, cuts[i], cuts[i + 1], cuts[i + 1] - cuts[i]});
    }
    return splits;
  }

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    HEADRACE_ASSIGN_OR_RETURN(WarcRecords records, WarcRecords::open(split, max_bytes()));
    WarcDocuments documents(split, options_, decoders_, sink);
    WarcRecord record;
    for (;;) {
      if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
      HEADRACE_ASSIGN_OR_RETURN(const bool more, records.next(&record));
      if (!more) break;
      HEADRACE_RETURN_IF_ERROR(documents.put(record, records.headers()));
    }
    ReadCounts counts;
    counts.bytes = records.bytes_read();
    counts.notes = records.take_notes();
    if (counts.notes.empty()) {
      note_end(split, counts.bytes, io::StreamEnd::kWhole, "", &counts.notes);
    }
    return counts;
  }

 private:
  // Of a block, with room for the head of its HTTP message.
  std::uint64_t max_bytes() const { return options_.max_record_bytes + (std::uint64_t{1} << 16); }

  const ReadOptions options_;
  const DecoderFactory& decoders_;
};

Result<std::unique_ptr<Reader>> make_warc_reader(const ReadOptions& options,
                                                 const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<WarcReader>(options, decoders);
}

}  // namespace

void register_warc(Registry& registry) {
  registry.add({"warc",
                {".warc", ".arc"},
                "web archives (WARC, ARC): each page is a document; plain, gzip or zstd",
                make_warc_reader});
  registry.add({"wet",
                {".wet"},
                "web archives of plain text (WET): each page is a document",
                make_warc_reader});
}

}  // namespace headrace::read
