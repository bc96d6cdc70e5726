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
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "read/internal/line_reader.h"
#include "read/internal/warc_documents.h"
#include "read/internal/warc_records.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

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
                "web archives (WARC, ARC): each page is a document; plain or compressed",
                make_warc_reader});
  registry.add({"wet",
                {".wet"},
                "web archives of plain text (WET): each page is a document",
                make_warc_reader});
}

}  // namespace headrace::read
