// SPDX-License-Identifier: Apache-2.0
// Rows become row groups: the rows of one blob page. A group is written when it is full; its raw
// records go to the open raw page, which gets its number when it is full itself. So pages reach the
// file in the order of their numbers, a writer holds two pages, and the file of a set that needs
// one raw page has the bytes that MindSpore gives it.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <simdjson.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "shard/mindrecord_header.h"
#include "shard/mindrecord_index.h"
#include "shard/mindrecord_rows.h"
#include "shard/mindrecord_shard.h"
#include "shard/shard_output.h"

namespace headrace::shard {
namespace {

// A file written at places, under a temporary name. The holes between are its zeros.
class PageFile {
 public:
  explicit PageFile(const std::string& path) : path_(path) {}
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;
  ~PageFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  Result<void> open() {
    descriptor_ = ::open(path_.temporary().c_str(), O_RDWR | O_TRUNC | O_CLOEXEC);
    if (descriptor_ < 0) return errno_status(errno, "opening " + path_.temporary());
    return {};
  }
  Result<void> write(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written =
          ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno_status(errno, "writing " + path_.path());
      bytes.remove_prefix(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
    return {};
  }
  io::AtomicPath& path() { return path_; }

 private:
  io::AtomicPath path_;
  int descriptor_ = -1;
};

struct PendingRow {
  std::uint64_t group;
  MindRecordPlace raw;  // page is not known yet
  MindRecordPlace blob;
  std::size_t values_end;  // of its index values
};

class MindRecordWriter final : public FieldWriter {
 public:
  MindRecordWriter(const std::string& path, Schema schema, const FieldOptions& options)
      : path_(path), rows_(std::move(schema), true), file_(path), index_path_(path + ".db") {
    header_.header_bytes = options.header_bytes;
    header_.page_bytes = options.page_bytes;
    header_.index_fields = options.index_fields;
    header_.description = options.description;
    header_.schema = rows_.schema();
    header_.set_names = options.set_names;
    if (header_.set_names.empty()) header_.set_names = {file_name(path)};
    header_.shard_number = options.shard_number;
  }

  Result<void> open() {
    std::vector<Field> fields;
    for (const std::string& name : header_.index_fields) {
      const auto field = rows_.schema().find(name);
      if (!field || std::find(rows_.raw_fields().begin(), rows_.raw_fields().end(), *field) ==
                        rows_.raw_fields().end()) {
        return invalid_argument(
            "{}: index field '{}' is not a string or a single number of the schema", path_, name);
      }
      index_fields_.push_back(*field);
      fields.push_back(rows_.schema().at(*field));
    }
    HEADRACE_RETURN_IF_ERROR(file_.open());
    HEADRACE_ASSIGN_OR_RETURN(
        index_, MindRecordIndexWriter::create(index_path_.temporary(), file_name(path_), fields));
    return {};
  }

  Result<void> add(FieldValues values) override {
    HEADRACE_RETURN_IF_ERROR(check(values));
    raw_record_.assign(8, '\0');
    blob_record_.assign(8, '\0');
    rows_.encode_raw(values, &raw_record_);
    rows_.encode_blob(values, &blob_record_, &saved_);
    for (std::string* record : {&raw_record_, &blob_record_}) {
      const std::uint64_t size = record->size() - 8;
      std::memcpy(record->data(), &size, 8);
      if (record->size() > header_.page_bytes) {
        return invalid_argument("a record of {} bytes does not fit a page of {}; raise page_bytes",
                                record->size(), header_.page_bytes);
      }
    }
    if (!group_.empty() && (blob_.size() + blob_record_.size() > header_.page_bytes ||
                            group_raw_.size() + raw_record_.size() > header_.page_bytes)) {
      HEADRACE_RETURN_IF_ERROR(close_group());
    }
    for (const std::size_t field : index_fields_) {
      index_values_.append(values[field]);
      index_value_ends_.push_back(index_values_.size());
    }
    group_.push_back({groups_,
                      {0, group_raw_.size(), group_raw_.size() + raw_record_.size()},
                      {0, blob_.size(), blob_.size() + blob_record_.size()},
                      index_value_ends_.size()});
    group_raw_ += raw_record_;
    blob_ += blob_record_;
    return {};
  }

  Result<ShardEntry> finish() override {
    if (!group_.empty()) HEADRACE_RETURN_IF_ERROR(close_group());
    if (!raw_.empty()) HEADRACE_RETURN_IF_ERROR(write_raw_page());
    header_.saved_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, saved_));
    const std::string header = format_mindrecord_header(header_);
    if (header.size() > header_.header_bytes) return header_too_small(header.size());
    HEADRACE_RETURN_IF_ERROR(index_->close());
    // The last bytes of a file say to MindSpore that it is encrypted or hashed: no text may.
    if (tail_.ends_with("ENCRYPT") || tail_.ends_with("HASH")) {
      HEADRACE_RETURN_IF_ERROR(file_.write(end_, std::string(8, '\0')));
    }
    HEADRACE_RETURN_IF_ERROR(file_.write(0, header));

    ShardEntry entry;
    entry.path = file_name(path_);
    SidecarBuilder sidecar;
    HEADRACE_RETURN_IF_ERROR(read_back(&sidecar, &entry));
    CommittedNames names;
    HEADRACE_RETURN_IF_ERROR(file_.path().commit());
    names.add(path_);
    HEADRACE_RETURN_IF_ERROR(index_path_.commit());
    names.add(index_path_.path());
    HEADRACE_RETURN_IF_ERROR(commit_sidecar(path_, sidecar, &entry));
    names.release();
    return entry;
  }

 private:
  Status header_too_small(std::uint64_t bytes) const {
    return resource_exhausted(
        "{}: the list of its {} pages needs a header of {} bytes, it has {}: raise header_bytes or "
        "page_bytes, or write smaller shards",
        path_, header_.pages.size(), bytes, header_.header_bytes);
  }

  Result<void> check(FieldValues values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Field& field = rows_.schema().at(i);
      if (is_null(values[i])) {
        return invalid_argument("field '{}': MindRecord has no null", field.name);
      }
      if (field.is_array() && values[i].empty()) {
        return invalid_argument(
            "field '{}': an empty array, which MindDataset reads as a random "
            "number; leave the sample out, or give it an element",
            field.name);
      }
    }
    for (const std::size_t i : index_fields_) {
      const Field& field = rows_.schema().at(i);
      double number = 0;
      float narrow = 0;
      if (field.type == FieldType::kFloat64) std::memcpy(&number, values[i].data(), 8);
      if (field.type == FieldType::kFloat32) std::memcpy(&narrow, values[i].data(), 4);
      if (!std::isfinite(number) || !std::isfinite(narrow)) {
        return invalid_argument(
            "index field '{}': a number that is not finite, which MindSpore "
            "cannot read from the index",
            field.name);
      }
      if (field.type == FieldType::kString && values[i].find('\0') != std::string_view::npos) {
        return invalid_argument("index field '{}': a zero byte, where MindSpore ends the value",
                                field.name);
      }
    }
    return {};
  }

  // `lengths`: ends of the records in the page.
  Result<void> write_page(MindRecordPage page, std::string_view bytes) {
    const std::uint64_t offset = header_.page_offset(header_.pages.size());
    header_.pages.push_back(std::move(page));
    const std::uint64_t about = 1000 + 210 * header_.pages.size() + 40 * groups_;
    if (about > header_.header_bytes &&
        format_mindrecord_header(header_).size() + 300 > header_.header_bytes) {
      return header_too_small(about);
    }
    end_ = offset + bytes.size();
    tail_.assign(bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 8)));
    return file_.write(offset, bytes);
  }

  void record(const MindRecordPlace& place, std::string_view page) {
    const std::string_view bytes = page.substr(place.begin, place.end - place.begin);
    records_.push_back({header_.page_offset(place.page) + place.begin,
                        static_cast<std::uint32_t>(bytes.size()), crc32c(bytes)});
  }

  Result<void> close_group() {
    const std::uint64_t page = header_.pages.size();
    for (PendingRow& row : group_) {
      row.blob.page = page;
      record(row.blob, blob_);
    }
    HEADRACE_RETURN_IF_ERROR(write_page({.blob = true,
                                         .type_id = groups_,
                                         .first_row = total_rows_,
                                         .end_row = total_rows_ + group_.size(),
                                         .groups = {},
                                         .bytes = blob_.size()},
                                        blob_));
    total_rows_ += group_.size();
    if (!raw_.empty() && raw_.size() + group_raw_.size() > header_.page_bytes) {
      HEADRACE_RETURN_IF_ERROR(write_raw_page());
    }
    raw_groups_.push_back({groups_, raw_.size()});
    for (PendingRow& row : group_) {
      row.raw.begin += raw_.size();
      row.raw.end += raw_.size();
      pending_.push_back(row);
    }
    raw_ += group_raw_;
    ++groups_;
    group_.clear();
    group_raw_.clear();
    blob_.clear();
    return {};
  }

  Result<void> write_raw_page() {
    const std::uint64_t page = header_.pages.size();
    std::vector<std::string_view> values(index_fields_.size());
    std::size_t next_value = 0;
    for (PendingRow& row : pending_) {
      row.raw.page = page;
      record(row.raw, raw_);
      for (std::string_view& value : values) {
        const std::size_t begin = next_value == 0 ? 0 : index_value_ends_[next_value - 1];
        value =
            std::string_view(index_values_).substr(begin, index_value_ends_[next_value] - begin);
        ++next_value;
      }
      HEADRACE_RETURN_IF_ERROR(index_->add({row.raw, row.group, row.blob}, values));
    }
    HEADRACE_RETURN_IF_ERROR(write_page({.blob = false,
                                         .type_id = last_raw_page_ ? *last_raw_page_ + 1 : 0,
                                         .first_row = 0,
                                         .end_row = 0,
                                         .groups = std::move(raw_groups_),
                                         .bytes = raw_.size()},
                                        raw_));
    last_raw_page_ = page;
    raw_groups_.clear();
    pending_.clear();
    raw_.clear();
    // The open group's values stay.
    const std::size_t kept_from = next_value == 0 ? 0 : index_value_ends_[next_value - 1];
    index_values_.erase(0, kept_from);
    index_value_ends_.erase(index_value_ends_.begin(),
                            index_value_ends_.begin() + static_cast<std::ptrdiff_t>(next_value));
    for (std::size_t& end : index_value_ends_) end -= kept_from;
    return {};
  }

  // The header came last and lies first, so the checksums of the files are taken from the files.
  Result<void> read_back(SidecarBuilder* sidecar, ShardEntry* entry) {
    const std::string& temporary = file_.path().temporary();
    HEADRACE_ASSIGN_OR_RETURN(const io::RandomFile main, io::RandomFile::open(temporary));
    Hasher hasher;
    std::string block;
    for (std::uint64_t at = 0; at < main.bytes(); at += block.size()) {
      block.resize(std::min(kBlockBytes, main.bytes() - at));
      HEADRACE_RETURN_IF_ERROR(main.read(at, block));
      hasher.update(block);
      sidecar->add_bytes(block);
    }
    for (const SampleRecord& sample : records_) sidecar->add_record(sample);
    entry->files.push_back({entry->path, main.bytes(), to_hex(hasher.digest())});
    HEADRACE_ASSIGN_OR_RETURN(const std::string index, io::read_file(index_path_.temporary()));
    if (index.ends_with("ENCRYPT") || index.ends_with("HASH")) {
      return unsupported(
          "{}.db: an index value stands at its very end and reads as a mark of "
          "MindSpore's; index another field",
          path_);
    }
    entry->files.push_back({entry->path + ".db", index.size(), to_hex(hash128(index))});
    return {};
  }

  const std::string path_;
  MindRecordRows rows_;
  PageFile file_;
  io::AtomicPath index_path_;
  MindRecordHeader header_;
  std::vector<std::size_t> index_fields_;
  std::unique_ptr<MindRecordIndexWriter> index_;

  std::string raw_record_;  // reused
  std::string blob_record_;
  // The open group and the open raw page.
  std::vector<PendingRow> group_;
  std::string group_raw_;
  std::string blob_;
  std::string raw_;
  std::vector<MindRecordPage::Group> raw_groups_;
  std::vector<PendingRow> pending_;
  std::string index_values_;  // of both
  std::vector<std::size_t> index_value_ends_;

  std::uint64_t groups_ = 0;
  std::uint64_t total_rows_ = 0;
  std::int64_t saved_ = 0;
  std::optional<std::uint64_t> last_raw_page_;
  std::vector<SampleRecord> records_;
  std::uint64_t end_ = 0;
  std::string tail_;
};

Result<void> check_size(std::string_view what, std::uint64_t bytes, std::uint64_t least,
                        std::uint64_t most) {
  if (bytes >= least && bytes <= most && bytes % 4 == 0) return {};
  return invalid_argument("{} is {}; from {} to {}, a multiple of 4", what, bytes, least, most);
}

}  // namespace

Result<void> check_mindrecord_name(const std::string& name) {
  constexpr std::string_view kForbidden = "\\/:*?\"<>|`&';";
  if (name.empty() || name.front() == ' ' || name.back() == ' ' ||
      name.find_first_of(kForbidden) != std::string::npos ||
      !simdjson::validate_utf8(name.data(), name.size())) {
    return invalid_argument(
        "'{}' is not a name of a MindRecord file: UTF-8, no blank at an end, "
        "none of {}",
        name, kForbidden);
  }
  return {};
}

Result<std::unique_ptr<FieldWriter>> create_mindrecord_writer(const std::string& prefix,
                                                              const Schema& schema,
                                                              const FieldOptions& options) {
  const std::string path = prefix + ".mindrecord";
  HEADRACE_RETURN_IF_ERROR(MindRecordRows::check(schema));
  HEADRACE_RETURN_IF_ERROR(check_size("header_bytes", options.header_bytes, 1 << 14, 1 << 27));
  HEADRACE_RETURN_IF_ERROR(check_size("page_bytes", options.page_bytes, 1 << 15, 1 << 28));
  HEADRACE_RETURN_IF_ERROR(check_mindrecord_name(file_name(path)));
  if (!options.set_names.empty() && (options.shard_number >= options.set_names.size() ||
                                     options.set_names[options.shard_number] != file_name(path))) {
    return invalid_argument("{}: it is not number {} of the {} names of its set", path,
                            options.shard_number, options.set_names.size());
  }
  auto writer = std::make_unique<MindRecordWriter>(path, schema, options);
  HEADRACE_RETURN_IF_ERROR(writer->open());
  return writer;
}

}  // namespace headrace::shard
