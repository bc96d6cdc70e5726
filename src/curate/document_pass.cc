// SPDX-License-Identifier: Apache-2.0
// The fused pass: everything that needs nothing but the document itself, while it is in the core's
// cache. Text is read and written once; measures and hashes are side files aligned row by row with
// it.
//
// A task runs on one thread as long as there are tasks for all threads, and every document goes
// straight through. When threads fall free (a single file that can not be cut, the last tasks of a
// run) they join a task: its own thread goes on reading, and batches of documents are worked on by
// all and written in order (base/ordered_work.h). Handing over decoded documents, not raw lines,
// serves every format; reading alone feeds some eight cores (0.67 GB/s of zstd JSON Lines against
// 80 MB/s of documents).
#include <atomic>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/counter_rng.h"
#include "base/error.h"
#include "base/ordered_work.h"
#include "base/quote.h"
#include "base/thread_pool.h"
#include "curate/document_rows.h"
#include "curate/passes.h"
#include "curate/rejected.h"
#include "dedup/signature_file.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

// Changed whenever the same recipe and input would give other bytes.
constexpr std::uint64_t kDocumentPassVersion = 3;

// Milliseconds of work, so that handing over costs next to nothing.
constexpr std::size_t kBatchBytes = 256 << 10;
// Code points. A detail may quote a name or a type of any length.
constexpr std::size_t kMostOfADetail = 1000;
// What waits to be worked on or written, at most.
constexpr std::size_t kAheadBytes = 32 << 20;

// A Parquet part that is written beside its name and appears by commit().
struct Part {
  std::unique_ptr<io::AtomicPath> path;
  std::unique_ptr<ParquetWriter> writer;

  static Result<Part> create(const Context& context, const char* folder, std::size_t number,
                             const std::vector<ColumnInfo>& columns) {
    Part part;
    part.path = std::make_unique<io::AtomicPath>(
        context.directory.at(RunDirectory::part(folder, number, "parquet")));
    HEADRACE_ASSIGN_OR_RETURN(part.writer, ParquetWriter::create(part.path->temporary(), columns));
    return part;
  }

  Result<void> commit() {
    HEADRACE_RETURN_IF_ERROR(writer->close());
    return path->commit();
  }
};

std::vector<ColumnInfo> measure_columns() {
  std::vector<ColumnInfo> columns = {{"id", ColumnType::kUint64}};
  for (const auto& measure : measure::registry().all())
    columns.push_back({measure.name, ColumnType::kDouble, true});
  return columns;
}

// Adds its life to the time that a sample's documents took: what reading took is the rest, and the
// same for all documents (projection.h).
class WorkTime {
 public:
  explicit WorkTime(const Context& context)
      : context_(context), start_(context.sample ? monotonic_seconds() : 0) {}
  ~WorkTime() {
    if (context_.sample)
      context_.document_ns += static_cast<std::uint64_t>((monotonic_seconds() - start_) * 1e9);
  }
  WorkTime(const WorkTime&) = delete;
  WorkTime& operator=(const WorkTime&) = delete;

 private:
  const Context& context_;
  const double start_;
};

class DocumentTask final : public read::RecordSink {
 public:
  DocumentTask(const Context& context, SpareThreads& spare, std::size_t number)
      : context_(context),
        spare_(spare),
        number_(number),
        sampler_(context.recipe.seed, purpose("sample")) {}
  ~DocumentTask() override { release_helpers(); }
  DocumentTask(const DocumentTask&) = delete;
  DocumentTask& operator=(const DocumentTask&) = delete;

  Result<Commit> run() {
    HEADRACE_RETURN_IF_ERROR(open());
    for (const read::Split& split : context_.tasks[number_].splits)
      HEADRACE_RETURN_IF_ERROR(read_split(split));
    return close();
  }

  Result<void> document(Document& document) override {
    ++counts_->in;
    if (!sampled(document.id.value)) return {};
    ++counts_->out;
    const std::uint32_t domain = context_.files[split_->file].domain;
    if (work_ == nullptr && !spare_.any()) {
      const WorkTime counted(context_);
      row_.take(document, domain);
      maker_->fill(row_);
      return write_row(row_);
    }
    if (work_ == nullptr) begin_batches();
    batch_->add(document, domain);
    return batch_->bytes < kBatchBytes ? Result<void>() : hand_over();
  }

  Result<void> rejected(const RejectedRecord& record) override {
    ++counts_->in;
    if (!sampled(DocumentId::make(split_->file, record.offset).value)) return {};
    const bool quarantined = record.kind == Rejection::kQuarantine;
    HEADRACE_DCHECK(find_reason(record.reason, quarantined ? ReasonKind::kQuarantine
                                                           : ReasonKind::kDrop) != nullptr);
    if (quarantined) {
      ++counts_->quarantined;
      ++counts_->quarantine
            .emplace(std::string(record.reason), Quarantined{.first_offset = record.offset})
            .first->second.records;
    } else {
      ++counts_->dropped[std::string(record.reason)];
    }
    return write_rejected({.file = split_->file,
                           .offset = record.offset,
                           .line = record.line == 0 ? 0 : counts_->lines + record.line,
                           .quarantined = quarantined,
                           .reason = std::string(record.reason),
                           .detail = excerpt(record.detail, kMostOfADetail),
                           .bytes = record.bytes.size(),
                           .raw = printable(record.bytes.substr(0, kKeptBytes))});
  }

 private:
  Result<void> open() {
    HEADRACE_ASSIGN_OR_RETURN(row_recipe_, RowRecipe::make(context_.recipe));
    maker_.emplace(row_recipe_);
    changes_.resize(row_recipe_.steps.size());
    HEADRACE_ASSIGN_OR_RETURN(normalized_, Part::create(context_, kNormalizedFolder, number_,
                                                        {{"id", ColumnType::kUint64},
                                                         {"domain", ColumnType::kString},
                                                         {"text", ColumnType::kString},
                                                         {"meta", ColumnType::kString, true}}));
    HEADRACE_ASSIGN_OR_RETURN(measured_,
                              Part::create(context_, kMeasuresFolder, number_, measure_columns()));
    if (row_recipe_.hash_view) {
      HEADRACE_ASSIGN_OR_RETURN(hashed_, Part::create(context_, kHashesFolder, number_,
                                                      {{"id", ColumnType::kUint64},
                                                       {"view_high", ColumnType::kUint64},
                                                       {"view_low", ColumnType::kUint64},
                                                       {"content", ColumnType::kUint64},
                                                       {"code_points", ColumnType::kUint32}}));
    }
    if (row_recipe_.signature) {
      HEADRACE_ASSIGN_OR_RETURN(
          auto file,
          dedup::SignatureWriter::create(context_.directory.at(RunDirectory::part(
                                             kSignaturesFolder, number_, kSignaturesExtension)),
                                         *row_recipe_.signature));
      signed_.emplace(std::move(file));
    }
    return {};
  }

  Result<void> read_split(const read::Split& split) {
    split_ = &split;
    counts_ = &commit_.files[split.file];
    const std::uint64_t in_before = counts_->in;
    HEADRACE_ASSIGN_OR_RETURN(const read::ReadCounts read,
                              context_.readers->of(split.file).read(split, *this, context_.stop));
    // An independent count where the format gives one: every line that is not blank is a record.
    const std::uint64_t seen = counts_->in - in_before;
    if (context_.files[split.file].format == "jsonl" && read.lines - read.blank_lines != seen) {
      return internal_error("{}: {} lines, {} of them blank, but {} records", split.path,
                            read.lines, read.blank_lines, seen);
    }
    HEADRACE_RETURN_IF_ERROR(check_unchanged(split));
    counts_->lines += read.lines;
    for (const read::FileNote& note : read.notes) {
      HEADRACE_DCHECK(find_reason(note.kind, ReasonKind::kNote) != nullptr);
      commit_.notes.emplace_back(split.file,
                                 note.kind + ": " + excerpt(note.detail, kMostOfADetail));
    }
    return {};
  }

  // What was read is what the run says it read: a file that changes meanwhile is neither the old
  // nor the new one.
  Result<void> check_unchanged(const read::Split& split) const {
    const InputFile& file = context_.files[split.file];
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo now, io::file_info(file.path));
    if (now.bytes == file.bytes && now.modified_ns == file.modified_ns &&
        now.version == file.version) {
      return {};
    }
    return unavailable("{} changed while it was read: run again when it stands still", file.path);
  }

  bool sampled(std::uint64_t id) {
    if (!context_.sample || sampler_.unit(id) < *context_.sample) return true;
    ++counts_->dropped[kNotSampledReason];
    return false;
  }

  void begin_batches() {
    batch_ = std::make_unique<DocumentBatch>();
    const auto make_work = [this] {
      return [this, maker = std::make_shared<RowMaker>(row_recipe_)](DocumentBatch& batch) {
        const WorkTime counted(context_);
        for (DocumentRow& row : batch.rows) maker->fill(row);
      };
    };
    const auto write = [this](DocumentBatch& batch) -> Result<void> {
      const WorkTime counted(context_);
      for (const DocumentRow& row : batch.rows) HEADRACE_RETURN_IF_ERROR(write_row(row));
      return {};
    };
    work_ = std::make_unique<OrderedWork<DocumentBatch>>(kAheadBytes, make_work, write);
  }

  Result<void> hand_over() {
    while (spare_.try_take()) {
      ++helpers_;
      work_->add_helper();
    }
    const std::size_t bytes = batch_->bytes;
    HEADRACE_RETURN_IF_ERROR(work_->put(std::move(batch_), bytes));
    batch_ = std::make_unique<DocumentBatch>();
    return {};
  }

  // Finishes all batches.
  Result<void> end_batches() {
    if (work_ == nullptr) return {};
    HEADRACE_RETURN_IF_ERROR(hand_over());
    HEADRACE_RETURN_IF_ERROR(work_->drain());
    release_helpers();
    return {};
  }

  void release_helpers() {
    work_.reset();
    spare_.give(std::exchange(helpers_, 0));
  }

  // Called in the order of the documents, by one thread at a time.
  Result<void> write_row(const DocumentRow& row) {
    const Document& document = row.document;
    const std::uint64_t id = document.id.value;
    ++rows_;
    for (std::size_t i = 0; i < changes_.size(); ++i) changes_[i] += row.changed[i];
    normalized_.writer->append_uint64(0, id);
    normalized_.writer->append_string(1, context_.domains[row.domain]);
    normalized_.writer->append_string(2, document.text);
    if (document.meta.empty()) {
      normalized_.writer->append_null(3);
    } else {
      normalized_.writer->append_string(3, document.meta);
    }
    HEADRACE_RETURN_IF_ERROR(normalized_.writer->end_row());

    measured_.writer->append_uint64(0, id);
    for (std::size_t i = 0; i < row.values.size(); ++i)
      measured_.writer->append_double(i + 1, row.values[i]);
    HEADRACE_RETURN_IF_ERROR(measured_.writer->end_row());

    if (signed_) HEADRACE_RETURN_IF_ERROR(signed_->add(row.signatures));
    if (!row_recipe_.hash_view) return {};
    hashed_.writer->append_uint64(0, id);
    hashed_.writer->append_uint64(1, row.view.high);
    hashed_.writer->append_uint64(2, row.view.low);
    hashed_.writer->append_uint64(3, row.content);
    hashed_.writer->append_uint32(4, static_cast<std::uint32_t>(row.code_points));
    return hashed_.writer->end_row();
  }

  Result<void> write_rejected(const RejectedRow& row) {
    if (!rejected_) {
      HEADRACE_ASSIGN_OR_RETURN(auto file,
                                io::AtomicFile::create(context_.directory.at(
                                    RunDirectory::part(kRejectedFolder, number_, "jsonl"))));
      rejected_.emplace(std::move(file));
    }
    return rejected_->write(format_rejected(row));
  }

  Result<Commit> close() {
    HEADRACE_RETURN_IF_ERROR(end_batches());
    const auto output = [&](const char* folder, const char* extension) {
      commit_.outputs.push_back({RunDirectory::part(folder, number_, extension), 0, ""});
    };
    HEADRACE_RETURN_IF_ERROR(normalized_.commit());
    output(kNormalizedFolder, "parquet");
    HEADRACE_RETURN_IF_ERROR(measured_.commit());
    output(kMeasuresFolder, "parquet");
    if (row_recipe_.hash_view) {
      HEADRACE_RETURN_IF_ERROR(hashed_.commit());
      output(kHashesFolder, "parquet");
    }
    if (signed_) {
      HEADRACE_RETURN_IF_ERROR(signed_->commit());
      output(kSignaturesFolder, kSignaturesExtension);
    }
    if (rejected_) {
      HEADRACE_RETURN_IF_ERROR(rejected_->commit());
      output(kRejectedFolder, "jsonl");
    }
    commit_.numbers["rows"] = rows_;
    for (std::size_t i = 0; i < changes_.size(); ++i)
      commit_.numbers["changed_by_" + context_.recipe.normalize[i].name] = changes_[i];
    return std::move(commit_);
  }

  const Context& context_;
  SpareThreads& spare_;
  const std::size_t number_;
  const CounterRng sampler_;
  Commit commit_;
  const read::Split* split_ = nullptr;
  FileCounts* counts_ = nullptr;

  RowRecipe row_recipe_;
  std::optional<RowMaker> maker_;
  DocumentRow row_;
  std::vector<std::uint64_t> changes_;  // documents that each step changed
  std::uint64_t rows_ = 0;

  Part normalized_;
  Part measured_;
  Part hashed_;
  std::optional<dedup::SignatureWriter> signed_;
  std::optional<io::AtomicFile> rejected_;

  // Only where other threads help.
  std::unique_ptr<DocumentBatch> batch_;
  std::unique_ptr<OrderedWork<DocumentBatch>> work_;
  std::size_t helpers_ = 0;
};

std::string task_fingerprint(const Context& context, const std::string& recipe,
                             const InputTask& task) {
  Fingerprint print;
  print.add(recipe);
  for (const read::Split& split : task.splits) {
    const InputFile& file = context.files[split.file];
    print.add(split.file).add(file.path).add(file.format).add(file.source).add(file.bytes);
    print.add(static_cast<std::uint64_t>(file.modified_ns)).add(split.begin).add(split.end);
    if (!file.version.empty()) print.add(file.version);
  }
  return print.hex();
}

}  // namespace

std::string documents_fingerprint(const Recipe::Data& recipe, std::optional<double> sample) {
  Fingerprint print;
  print.add(kDocumentPassVersion).add(recipe.confidence);
  print.add(sample.value_or(1)).add(sample ? recipe.seed : 0);
  for (const SourceSpec& source : recipe.sources) {
    print.add(source.domain).add(source.text).add(source.keep_all ? 1 : std::uint64_t{0});
    print.add(source.documents).add(source.encoding);
    print.add(source.keep.size());
    for (const std::string& field : source.keep) print.add(field);
  }
  print.add(recipe.normalize.size());
  for (const StepSpec& step : recipe.normalize) {
    print.add(step.name).add(step.options.size());
    for (const auto& [name, value] : step.options) print.add(name).add(value);
  }
  print.add(recipe.dedup.exact_view ? 1 : std::uint64_t{0});
  for (const std::string& step : recipe.dedup.exact_view.value_or(std::vector<std::string>()))
    print.add(step);
  if (recipe.dedup.near) print.add("near").add(recipe.dedup.near->signature.fingerprint());
  for (const auto& measure : measure::registry().all()) print.add(measure.name);
  print.add(recipe.words.hash);
  return print.hex();
}

Result<std::size_t> committed_documents(const Context& context) {
  const std::string recipe = documents_fingerprint(context.recipe, context.sample);
  std::atomic<std::size_t> committed{0};
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      context.tasks.size(), context.threads, context.stop, [&](std::size_t i) -> Result<void> {
        const std::string fingerprint = task_fingerprint(context, recipe, context.tasks[i]);
        if (context.ledger.find(kDocuments, i, fingerprint)) ++committed;
        return {};
      }));
  return committed.load();
}

Result<std::vector<Commit>> document_pass(Context& context) {
  for (const char* folder :
       {kNormalizedFolder, kMeasuresFolder, kHashesFolder, kSignaturesFolder, kRejectedFolder}) {
    HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(folder)));
  }
  const std::string recipe = documents_fingerprint(context.recipe, context.sample);
  std::vector<StageTask> tasks;
  for (std::size_t i = 0; i < context.tasks.size(); ++i) {
    tasks.push_back(
        {.fingerprint = task_fingerprint(context, recipe, context.tasks[i]),
         .weight = context.tasks[i].bytes,
         .work = [&context, i] { return DocumentTask(context, context.spare, i).run(); }});
  }
  return run_stage(context, kDocuments, tasks);
}

FileCounts& RowCounts::of(std::uint64_t id) {
  const std::uint64_t file = DocumentId{id}.file();
  if (last_ == nullptr || file != last_file_) {
    last_ = &files[file];
    last_file_ = file;
  }
  return *last_;
}

void RowCounts::kept(std::uint64_t id) {
  FileCounts& counts = of(id);
  ++counts.in;
  ++counts.out;
}

void RowCounts::dropped(std::uint64_t id, std::string_view reason) {
  FileCounts& counts = of(id);
  ++counts.in;
  ++counts.dropped[std::string(reason)];
}

}  // namespace headrace::curate
