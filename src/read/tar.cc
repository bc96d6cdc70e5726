// SPDX-License-Identifier: Apache-2.0
// tar: each regular member that is a page, a text or source code by its name is a document.
//
// Other members are dropped by name; folders, links and devices are nothing that could be lost, and
// are not counted. An archive is one split: its members are found one behind the other.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/quote.h"
#include "io/input_stream.h"
#include "read/internal/languages.h"
#include "read/internal/line_reader.h"
#include "read/internal/meta_writer.h"
#include "read/internal/page_decoder.h"
#include "read/internal/tar_entries.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

enum class Content { kNone, kHtml, kText, kCode };

Content content_of(std::string_view name) {
  std::string lower(name.substr(name.rfind('/') + 1));
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  // What macOS puts beside a file ("._a.txt") is none.
  if (lower.starts_with("._")) return Content::kNone;
  for (const std::string_view extension : {".html", ".htm", ".xhtml"}) {
    if (lower.ends_with(extension)) return Content::kHtml;
  }
  if (!language_of(lower).empty()) return Content::kCode;
  for (const std::string_view extension : {".txt", ".text", ".md"}) {
    if (lower.ends_with(extension)) return Content::kText;
  }
  return Content::kNone;
}

class TarDocuments {
 public:
  TarDocuments(const Split& split, const ReadOptions& options, const DecoderFactory& decoders,
               RecordSink& sink)
      : split_(split), options_(options), pages_(options, decoders), meta_(options), sink_(sink) {}

  Result<void> put(TarEntries& entries, const TarEntry& entry) {
    if (entry.offset > DocumentId::kMaxPlace) {
      return unsupported("{} is longer than the 1 TiB that ids can name; split the archive",
                         split_.path);
    }
    if (entry.kind == TarEntry::Kind::kDamage) {
      const bool named = !entry.name.empty();
      any_ = any_ || named;
      return reject(
          entry, Rejection::kQuarantine, any_ ? "corrupt" : "not_tar",
          named ? fmt::format("member '{}': {}", excerpt(entry.name), entry.fault) : entry.fault,
          {});
    }
    any_ = true;
    if (entry.kind == TarEntry::Kind::kOther) return {};
    const Content content = content_of(entry.name);
    if (entry.kind == TarEntry::Kind::kUnknown || content == Content::kNone) {
      return reject(entry, Rejection::kDrop, "not_text",
                    fmt::format("member '{}' is no page, text or source code", excerpt(entry.name)),
                    {});
    }
    const bool too_long = entry.size > options_.max_record_bytes;
    HEADRACE_ASSIGN_OR_RETURN(
        bool whole, entries.read(too_long ? kFrontBytes : options_.max_record_bytes, &data_));
    if (whole && too_long) {
      HEADRACE_ASSIGN_OR_RETURN(whole, entries.pass_data());
    }
    if (too_long && whole) {
      return reject(entry, Rejection::kDrop, "record_too_long",
                    fmt::format("member '{}' is longer than {} bytes", excerpt(entry.name),
                                options_.max_record_bytes),
                    data_);
    }
    if (!whole) {
      return reject(entry, Rejection::kQuarantine, "truncated",
                    fmt::format("the archive ends at offset {} inside member '{}', which says it "
                                "has {} bytes",
                                entries.offset(), excerpt(entry.name), entry.size),
                    data_);
    }
    return document(entry, content);
  }

 private:
  Result<void> document(const TarEntry& entry, Content content) {
    if (content == Content::kCode && options_.encoding == "auto" && is_binary(data_)) {
      return reject(entry, Rejection::kDrop, "binary_file",
                    fmt::format("member '{}' has zero bytes in it", excerpt(entry.name)), data_);
    }
    const bool is_page = content == Content::kHtml;
    HEADRACE_ASSIGN_OR_RETURN(const RecordDecoder::Outcome decoded,
                              pages_.decode(data_, 0, {.markup = is_page}));
    if (!decoded.reason.empty()) {
      return reject(entry, Rejection::kQuarantine, decoded.reason,
                    fmt::format("in member '{}': {}", excerpt(entry.name), decoded.detail), data_);
    }
    document_.id = DocumentId::make(split_.file, entry.offset);
    document_.text = decoded.text;
    document_.markup = is_page ? Markup::kHtml : Markup::kPlain;
    meta_.start(&document_.meta);
    meta_.add("name", entry.name);
    if (content == Content::kCode) meta_.add("language", language_of(entry.name));
    meta_.finish();
    return sink_.document(document_);
  }

  Result<void> reject(const TarEntry& entry, Rejection kind, std::string_view reason,
                      std::string detail, std::string_view bytes) {
    RejectedRecord record;
    record.kind = kind;
    record.reason = reason;
    record.detail = std::move(detail);
    record.offset = entry.offset;
    record.bytes = bytes;
    return sink_.rejected(record);
  }

  const Split& split_;
  const ReadOptions& options_;
  PageDecoder pages_;
  MetaWriter meta_;
  RecordSink& sink_;
  bool any_ = false;  // a member was met
  std::string data_;
  Document document_;
};

class TarReader final : public Reader {
 public:
  TarReader(ReadOptions options, const DecoderFactory& decoders)
      : options_(std::move(options)), decoders_(decoders) {}

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<io::InputStream> stream, io::open_input(split.path));
    TarEntries entries(std::move(stream));
    TarDocuments documents(split, options_, decoders_, sink);
    TarEntry entry;
    for (;;) {
      if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
      HEADRACE_ASSIGN_OR_RETURN(const bool more, entries.next(&entry));
      if (!more) break;
      HEADRACE_RETURN_IF_ERROR(documents.put(entries, entry));
    }
    ReadCounts counts;
    counts.bytes = entries.offset();
    const io::InputStream& archive = entries.archive();
    note_end(split, counts.bytes, archive.end(), archive.end_detail(), &counts.notes);
    if (entries.is_cut_off() && counts.notes.empty()) {
      counts.notes.push_back(
          {"truncated", fmt::format("the archive ends at offset {} without the zero blocks that "
                                    "end one",
                                    entries.offset())});
    }
    return counts;
  }

 private:
  const ReadOptions options_;
  const DecoderFactory& decoders_;
};

Result<std::unique_ptr<Reader>> make_tar_reader(const ReadOptions& options,
                                                const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<TarReader>(options, decoders);
}

}  // namespace

void register_tar(Registry& registry) {
  registry.add({"tar",
                {".tar", ".tgz", ".tzst"},
                "tar archives: each member that is a page, a text or source code is a document",
                make_tar_reader});
}

}  // namespace headrace::read
