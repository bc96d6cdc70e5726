// SPDX-License-Identifier: Apache-2.0
// The fused pass: everything that needs nothing but the document itself, while it is in the core's
// cache. Text is read and written once; measures and hashes are side files aligned row by row with
// it.
#include <memory>

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/log.h"
#include "curate/passes.h"
#include "curate/rejected.h"
#include "dedup/exact.h"
#include "io/file.h"
#include "measure/measure.h"
#include "normalize/normalize.h"
#include "record/parquet_table.h"
#include "record/text_view.h"

namespace headrace::curate {
namespace {

// Changed whenever the same recipe and input would give other bytes.
constexpr std::uint64_t kDocumentPassVersion = 2;

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
  for (const auto& measure : measure::registry().measures())
    columns.push_back({measure.name, ColumnType::kDouble, true});
  return columns;
}

class DocumentTask final : public read::RecordSink {
 public:
  DocumentTask(const Context& context, std::size_t number)
      : context_(context), number_(number), sampler_(context.recipe.seed, purpose("sample")) {}

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
    Markup markup = document.markup;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      changes_[i] += steps_[i]->apply(document.text, markup, scratch_) > 0;
    const TextView& view = text_view_.build(document.text);
    measures_.of(view, values_);
    HEADRACE_RETURN_IF_ERROR(write_rows(document, view.counts.code_points));
    return {};
  }

  Result<void> rejected(const RejectedRecord& record) override {
    ++counts_->in;
    if (!sampled(DocumentId::make(split_->file, record.offset).value)) return {};
    const bool quarantined = record.kind == Rejection::kQuarantine;
    if (quarantined) {
      ++counts_->quarantined;
    } else {
      ++counts_->dropped[std::string(record.reason)];
    }
    return write_rejected({.file = split_->file,
                           .offset = record.offset,
                           .line = record.line == 0 ? 0 : counts_->lines + record.line,
                           .quarantined = quarantined,
                           .reason = std::string(record.reason),
                           .detail = record.detail,
                           .bytes = record.bytes.size(),
                           .raw = printable(record.bytes.substr(0, kKeptBytes))});
  }

 private:
  Result<void> open() {
    for (const StepSpec& step : context_.recipe.normalize) {
      HEADRACE_ASSIGN_OR_RETURN(auto made, normalize::make_step(step.name, step.options));
      steps_.push_back(std::move(made));
    }
    changes_.resize(steps_.size());
    values_.resize(measures_.size());
    HEADRACE_ASSIGN_OR_RETURN(normalized_, Part::create(context_, kNormalizedFolder, number_,
                                                        {{"id", ColumnType::kUint64},
                                                         {"domain", ColumnType::kString},
                                                         {"text", ColumnType::kString},
                                                         {"meta", ColumnType::kString, true}}));
    HEADRACE_ASSIGN_OR_RETURN(measured_,
                              Part::create(context_, kMeasuresFolder, number_, measure_columns()));
    if (context_.recipe.exact_view) {
      HEADRACE_ASSIGN_OR_RETURN(auto view, dedup::HashView::make(*context_.recipe.exact_view));
      hash_view_.emplace(std::move(view));
      HEADRACE_ASSIGN_OR_RETURN(hashed_, Part::create(context_, kHashesFolder, number_,
                                                      {{"id", ColumnType::kUint64},
                                                       {"view_high", ColumnType::kUint64},
                                                       {"view_low", ColumnType::kUint64},
                                                       {"content", ColumnType::kUint64},
                                                       {"code_points", ColumnType::kUint32}}));
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
    for (const read::FileNote& note : read.notes)
      commit_.notes.emplace_back(split.file, note.kind + ": " + note.detail);
    return {};
  }

  // What was read is what the run says it read: a file that changes meanwhile is neither the old
  // nor the new one.
  Result<void> check_unchanged(const read::Split& split) const {
    const InputFile& file = context_.files[split.file];
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo now, io::file_info(file.path));
    if (now.bytes == file.bytes && now.modified_ns == file.modified_ns) return {};
    return unavailable("{} changed while it was read: run again when it stands still", file.path);
  }

  bool sampled(std::uint64_t id) {
    if (!context_.sample || sampler_.unit(id) < *context_.sample) return true;
    ++counts_->dropped[kNotSampledReason];
    return false;
  }

  Result<void> write_rows(const Document& document, std::uint64_t code_points) {
    const std::uint64_t id = document.id.value;
    ++rows_;
    normalized_.writer->append_uint64(0, id);
    normalized_.writer->append_string(1, context_.domains[context_.files[split_->file].domain]);
    normalized_.writer->append_string(2, document.text);
    if (document.meta.empty()) {
      normalized_.writer->append_null(3);
    } else {
      normalized_.writer->append_string(3, document.meta);
    }
    HEADRACE_RETURN_IF_ERROR(normalized_.writer->end_row());

    measured_.writer->append_uint64(0, id);
    for (std::size_t i = 0; i < values_.size(); ++i)
      measured_.writer->append_double(i + 1, values_[i]);
    HEADRACE_RETURN_IF_ERROR(measured_.writer->end_row());

    if (!hash_view_) return {};
    const Hash128 hash = hash_view_->hash(document.text);
    hashed_.writer->append_uint64(0, id);
    hashed_.writer->append_uint64(1, hash.high);
    hashed_.writer->append_uint64(2, hash.low);
    hashed_.writer->append_uint64(3, hash64(document.text));
    hashed_.writer->append_uint32(4, static_cast<std::uint32_t>(code_points));
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
    const auto output = [&](const char* folder, const char* extension) {
      commit_.outputs.push_back({RunDirectory::part(folder, number_, extension), 0, ""});
    };
    HEADRACE_RETURN_IF_ERROR(normalized_.commit());
    output(kNormalizedFolder, "parquet");
    HEADRACE_RETURN_IF_ERROR(measured_.commit());
    output(kMeasuresFolder, "parquet");
    if (hash_view_) {
      HEADRACE_RETURN_IF_ERROR(hashed_.commit());
      output(kHashesFolder, "parquet");
    }
    if (rejected_) {
      HEADRACE_RETURN_IF_ERROR(rejected_->commit());
      output(kRejectedFolder, "jsonl");
    }
    commit_.numbers["rows"] = rows_;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      commit_.numbers["changed_by_" + context_.recipe.normalize[i].name] = changes_[i];
    return std::move(commit_);
  }

  const Context& context_;
  const std::size_t number_;
  const CounterRng sampler_;
  Commit commit_;
  const read::Split* split_ = nullptr;
  FileCounts* counts_ = nullptr;

  std::vector<std::unique_ptr<normalize::Step>> steps_;
  std::vector<std::uint64_t> changes_;  // documents that each step changed
  std::string scratch_;
  TextViewBuilder text_view_;
  measure::MeasureSet measures_;
  std::vector<double> values_;
  std::optional<dedup::HashView> hash_view_;
  std::uint64_t rows_ = 0;

  Part normalized_;
  Part measured_;
  Part hashed_;
  std::optional<io::AtomicFile> rejected_;
};

std::string task_fingerprint(const Context& context, const std::string& recipe,
                             const InputTask& task) {
  Fingerprint print;
  print.add(recipe);
  for (const read::Split& split : task.splits) {
    const InputFile& file = context.files[split.file];
    print.add(split.file).add(file.path).add(file.format).add(file.source).add(file.bytes);
    print.add(static_cast<std::uint64_t>(file.modified_ns)).add(split.begin).add(split.end);
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
  print.add(recipe.exact_view ? 1 : std::uint64_t{0});
  for (const std::string& step : recipe.exact_view.value_or(std::vector<std::string>()))
    print.add(step);
  for (const auto& measure : measure::registry().measures()) print.add(measure.name);
  return print.hex();
}

std::size_t committed_documents(const Context& context) {
  const std::string recipe = documents_fingerprint(context.recipe, context.sample);
  std::size_t committed = 0;
  for (std::size_t i = 0; i < context.tasks.size(); ++i) {
    const std::string fingerprint = task_fingerprint(context, recipe, context.tasks[i]);
    committed += context.ledger.find(kDocuments, i, fingerprint).has_value();
  }
  return committed;
}

Result<std::vector<Commit>> document_pass(Context& context) {
  for (const char* folder : {kNormalizedFolder, kMeasuresFolder, kHashesFolder, kRejectedFolder}) {
    HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(folder)));
  }
  const std::string recipe = documents_fingerprint(context.recipe, context.sample);
  std::vector<StageTask> tasks;
  for (std::size_t i = 0; i < context.tasks.size(); ++i) {
    tasks.push_back({.fingerprint = task_fingerprint(context, recipe, context.tasks[i]),
                     .weight = context.tasks[i].bytes,
                     .work = [&context, i] { return DocumentTask(context, i).run(); }});
  }
  return run_stage(context, kDocuments, tasks);
}

void RowCounts::kept(std::uint64_t id) {
  FileCounts& counts = files[DocumentId{id}.file()];
  ++counts.in;
  ++counts.out;
}

void RowCounts::dropped(std::uint64_t id, std::string_view reason) {
  FileCounts& counts = files[DocumentId{id}.file()];
  ++counts.in;
  ++counts.dropped[std::string(reason)];
}

}  // namespace headrace::curate
