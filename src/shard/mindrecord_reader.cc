// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "shard/mindrecord_header.h"
#include "shard/mindrecord_index.h"
#include "shard/mindrecord_rows.h"
#include "shard/mindrecord_shard.h"
#include "shard/shard_output.h"

namespace headrace::shard {
namespace {

constexpr std::uint64_t kMostHeaderBytes = 1 << 27;

// A record in the file, its length prefix included.
struct Place {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t crc32c = 0;
};
struct Row {
  Place raw;
  Place blob;
};

class MindRecordReader final : public FieldReader {
 public:
  MindRecordReader(io::RandomFile main, const MindRecordHeader& header, std::vector<Row> rows,
                   bool checked)
      : main_(std::move(main)),
        rows_(header.schema, header.version != "2.0"),
        places_(std::move(rows)),
        checked_(checked) {}

  const Schema& schema() const override { return rows_.schema(); }
  std::uint64_t samples() const override { return places_.size(); }
  bool has_checksums() const override { return checked_; }
  std::uint64_t memory_bytes() const override {
    return places_.capacity() * sizeof(Row) + sizeof(*this);
  }

  Result<void> read(std::uint64_t i, FieldBuffer* sample) const override {
    if (i >= samples()) {
      return invalid_argument("{}: sample {} of {} asked for", main_.path(), i, samples());
    }
    sample->reset(schema().size());
    sample->bytes.clear();
    thread_local std::string record;
    const Row& row = places_[i];
    // A dummy record holds nothing, but a bit of it may be flipped: it is read only to be checked.
    for (const bool raw : {true, false}) {
      const auto& fields = raw ? rows_.raw_fields() : rows_.blob_fields();
      if (fields.empty() && !checked_) continue;
      const Place& place = raw ? row.raw : row.blob;
      HEADRACE_RETURN_IF_ERROR(read_record(i, place, &record));
      const std::string_view body = std::string_view(record).substr(8);
      const Result<void> decoded =
          raw ? rows_.decode_raw(body, sample) : rows_.decode_blob(body, sample);
      if (!decoded) {
        return sample_damage(main_.path(), i, place.offset, decoded.error().message());
      }
    }
    return {};
  }

 private:
  Result<void> read_record(std::uint64_t i, const Place& place, std::string* record) const {
    record->resize(place.bytes);
    HEADRACE_RETURN_IF_ERROR(main_.read(place.offset, *record));
    if (checked_) {
      if (const std::uint32_t found = crc32c(*record); found != place.crc32c) {
        return sample_damage(main_.path(), i, place.offset,
                             fmt::format("{} bytes have CRC32C {:08x}, the index says {:08x}",
                                         place.bytes, found, place.crc32c));
      }
    }
    std::uint64_t length = 0;
    std::memcpy(&length, record->data(), 8);
    if (length != place.bytes - 8) {
      return sample_damage(
          main_.path(), i, place.offset,
          fmt::format("a record of {} bytes, the database says {}", length, place.bytes - 8));
    }
    return {};
  }

  const io::RandomFile main_;
  const MindRecordRows rows_;
  const std::vector<Row> places_;
  const bool checked_;
};

// `what`: "raw" or "blob".
Result<Place> find_place(const OpenShard& shard, const MindRecordHeader& header,
                         const MindRecordPlace& place, bool blob, std::uint64_t row) {
  const std::string& path = shard.main.path();
  const auto bad = [&](std::string_view what) {
    return corrupt("{}: the {} record of row {} is in page {} from {} to {} by the database: {}",
                   path, blob ? "blob" : "raw", row, place.page, place.begin, place.end, what);
  };
  if (place.page >= header.pages.size()) return bad("there is no such page");
  const MindRecordPage& page = header.pages[place.page];
  if (page.blob != blob) return bad("the page is of the other kind");
  if (place.end > page.bytes || place.end < place.begin || place.end - place.begin < 8) {
    return bad(fmt::format("the page has {} bytes", page.bytes));
  }
  Place found{header.page_offset(place.page) + place.begin,
              static_cast<std::uint32_t>(place.end - place.begin), 0};
  if (found.offset + found.bytes > shard.main.bytes()) {
    return bad(fmt::format("the file has {} bytes and is cut", shard.main.bytes()));
  }
  if (!shard.index) return found;
  std::uint64_t low = 0;
  std::uint64_t high = shard.index->samples();
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    shard.index->sample(middle).offset < found.offset ? low = middle + 1 : high = middle;
  }
  if (low == shard.index->samples() || shard.index->sample(low).offset != found.offset ||
      shard.index->sample(low).bytes != found.bytes) {
    return bad("its sidecar knows no such record");
  }
  found.crc32c = shard.index->sample(low).crc32c;
  return found;
}

Result<MindRecordHeader> read_header(const io::RandomFile& main) {
  const std::string& path = main.path();
  std::uint64_t length = 0;
  if (main.bytes() < 8) {
    return corrupt("{}: no MindRecord file: {} bytes", path, main.bytes());
  }
  HEADRACE_RETURN_IF_ERROR(main.read(0, {reinterpret_cast<char*>(&length), 8}));
  if (length == 0) {
    return corrupt(
        "{}: a MindRecord file whose writer did not come to its end (no header), or "
        "none",
        path);
  }
  if (length > kMostHeaderBytes || length > main.bytes() - 8) {
    return corrupt(
        "{}: no MindRecord file, or cut: a header of {} bytes by its first 8, and {} "
        "bytes in all",
        path, length, main.bytes());
  }
  std::string tail(7, '\0');
  HEADRACE_RETURN_IF_ERROR(main.read(main.bytes() - 7, tail));
  if (tail == "ENCRYPT") return unsupported("{}: an encrypted MindRecord file", path);
  std::string json(length, '\0');
  HEADRACE_RETURN_IF_ERROR(main.read(8, json));
  return parse_mindrecord_header(json, path);
}

}  // namespace

Result<std::unique_ptr<FieldReader>> open_mindrecord_reader(const std::string& path,
                                                            const FieldReadOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, options.require_sidecar));
  HEADRACE_ASSIGN_OR_RETURN(const MindRecordHeader header, read_header(shard.main));
  HEADRACE_RETURN_IF_ERROR(MindRecordRows::check(header.schema));
  const std::string database = path + ".db";
  if (!io::exists(database)) {
    return not_found("{}: not there; a MindRecord file cannot be read without its index database",
                     database);
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<MindRecordRow> found,
                            read_mindrecord_index(database, file_name(path)));
  if (found.size() != header.rows()) {
    return corrupt("{}: {} rows by its pages, {} by its database", path, header.rows(),
                   found.size());
  }
  if (shard.index && shard.index->samples() != 2 * found.size()) {
    return corrupt("{}: {} records by its sidecar, expected two for each of {} rows", path,
                   shard.index->samples(), found.size());
  }
  std::vector<Row> rows(found.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    HEADRACE_ASSIGN_OR_RETURN(rows[i].raw, find_place(shard, header, found[i].raw, false, i));
    HEADRACE_ASSIGN_OR_RETURN(rows[i].blob, find_place(shard, header, found[i].blob, true, i));
  }
  return std::unique_ptr<FieldReader>(new MindRecordReader(
      std::move(shard.main), header, std::move(rows), shard.index.has_value()));
}

}  // namespace headrace::shard
