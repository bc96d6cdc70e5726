// SPDX-License-Identifier: Apache-2.0
// Scores that somebody else made: Parquet files with `id` and a column of numbers, rows in any
// order. They are held as 16 bytes a row, sorted by id.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "curate/context.h"
#include "curate/given_ids.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/score_source.h"
#include "io/file.h"
#include "io/uri.h"
#include "record/document.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

struct Row {
  std::uint64_t id = 0;
  double value = 0;
};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

class ExternalSource final : public ScoreSource {
 public:
  static Result<std::unique_ptr<ScoreSource>> open(const ScoreSpec& spec) {
    auto source = std::make_unique<ExternalSource>();
    source->column_ = spec.name;
    const std::string& pattern = spec.options.at("path");
    if (io::is_remote(pattern)) {
      return unsupported("{}: score files are local in this version: fetch them first",
                         io::public_name(pattern));
    }
    HEADRACE_ASSIGN_OR_RETURN(source->paths_, io::glob(pattern));
    if (source->paths_.empty()) return not_found("{} matches no file", pattern);
    Fingerprint print;
    print.add(kExternalKind).add(spec.name).add(source->paths_.size());
    for (const std::string& path : source->paths_) {
      HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path));
      HEADRACE_RETURN_IF_ERROR(source->check_columns(*reader, path));
      HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash, io::hash_file(path));
      print.add(to_hex(hash));
    }
    source->fingerprint_ = print.hex();
    return std::unique_ptr<ScoreSource>(std::move(source));
  }

  const std::string& fingerprint() const override { return fingerprint_; }
  std::uint64_t unknown_ids() const override { return unknown_; }

  Result<void> prepare(Context& context, const std::vector<RowsToScore>& /*wanted*/) override {
    HEADRACE_RETURN_IF_ERROR(load());
    std::uint64_t known = 0;
    for (std::size_t part = 0; part < part_count(context); ++part) {
      HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context, part, {}));
      for (const std::uint64_t id : rows.ids) known += find(id) != nullptr;
    }
    unknown_ = rows_.size() - known;
    if (unknown_ > 0) {
      log_warning("score '{}': {} of {} ids are of no document of this run: they are left aside",
                  column_, unknown_, rows_.size());
    }
    return {};
  }

  Result<void> score(const Context& /*context*/, const RowsToScore& wanted,
                     ScoredPart* scores) override {
    for (std::size_t row = 0; row < wanted.rows.size(); ++row) {
      if (!wanted.rows[row]) continue;
      const Row* const found = find(scores->ids[row]);
      scores->set(row, found == nullptr ? std::nan("") : found->value, "");
    }
    return {};
  }

  Result<void> finish(const Context& /*context*/) override {
    std::vector<Row>().swap(rows_);
    return {};
  }

 private:
  Result<void> check_columns(ParquetReader& reader, const std::string& path) const {
    const std::vector<ColumnInfo> columns = reader.columns();
    const bool has_id = std::any_of(columns.begin(), columns.end(), [](const ColumnInfo& column) {
      return column.name == "id" &&
             (column.type == ColumnType::kUint64 || column.type == ColumnType::kInt64);
    });
    if (!has_id) {
      return invalid_argument(
          "{} has no column 'id' of 64-bit integers: write the id of the run's documents beside "
          "their scores (normalized/part-*.parquet has them)",
          path);
    }
    // Reads it all to learn its type; hashing the file reads it, too.
    std::vector<double> values;
    return reader.read_numbers(column_, &values);
  }

  Result<void> load() {
    for (const std::string& path : paths_) {
      HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path));
      HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> ids,
                                read_given_ids(*reader, path));
      std::vector<double> values;
      HEADRACE_RETURN_IF_ERROR(reader->read_numbers(column_, &values));
      for (std::size_t i = 0; i < ids.size(); ++i) rows_.push_back({ids[i], values[i]});
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.id < b.id; });
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i].id != rows_[i - 1].id || same(rows_[i].value, rows_[i - 1].value)) continue;
      return invalid_argument(
          "score '{}': document {} (id {}) has two values, {} and {}: keep one row a document",
          column_, to_string(DocumentId{rows_[i].id}), rows_[i].id, rows_[i - 1].value,
          rows_[i].value);
    }
    rows_.erase(std::unique(rows_.begin(), rows_.end(),
                            [](const Row& a, const Row& b) { return a.id == b.id; }),
                rows_.end());
    return {};
  }

  const Row* find(std::uint64_t id) const {
    const auto found =
        std::lower_bound(rows_.begin(), rows_.end(), id,
                         [](const Row& row, std::uint64_t wanted) { return row.id < wanted; });
    return found == rows_.end() || found->id != id ? nullptr : &*found;
  }

  std::string column_;
  std::vector<std::string> paths_;
  std::string fingerprint_;
  std::vector<Row> rows_;  // between prepare() and finish()
  std::uint64_t unknown_ = 0;
};

}  // namespace

Result<std::unique_ptr<ScoreSource>> open_external_source(const ScoreSpec& spec) {
  return ExternalSource::open(spec);
}

}  // namespace headrace::curate
