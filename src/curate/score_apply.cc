// SPDX-License-Identifier: Apache-2.0
// headrace score apply: the scores of files, outside of any run. One thread reads, all score, and
// what they find is written in the order of the documents (base/ordered_work.h): the same file for
// any number of threads, and memory that does not grow with the input.
#include <cmath>

#include <nlohmann/json.hpp>

#include "headrace/score.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/ordered_work.h"
#include "base/thread_pool.h"
#include "curate/file_inputs.h"
#include "curate/scoring.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace {
namespace curate {
namespace {

constexpr std::size_t kAheadBytes = 32 << 20;

struct Batch {
  std::vector<std::uint64_t> ids;
  std::vector<std::string> names;  // ids as the records have them, where they are asked for
  TextBatch texts;
  std::optional<Status> error;
};

// Where scores go: a Parquet file, or a function.
class Output {
 public:
  static Result<Output> open(const ScoreApplyOptions& options, const score::Scorer& scorer) {
    Output output(options, scorer);
    if (options.output.empty()) return output;
    output.path_ = std::make_unique<io::AtomicPath>(options.output);
    const bool named = !options.id.empty();
    HEADRACE_ASSIGN_OR_RETURN(
        output.writer_,
        ParquetWriter::create(output.path_->temporary(),
                              {{"id", named ? ColumnType::kString : ColumnType::kUint64},
                               {"value", ColumnType::kDouble, true},
                               {"label", ColumnType::kString, true}},
                              {{"headrace_score", to_hex(scorer.fingerprint())}}));
    return output;
  }

  Result<void> write(const Batch& batch, std::size_t i) {
    const score::Score& score = batch.texts.scores()[i];
    ++counts_.documents;
    counts_.invalid += std::isnan(score.value) ? 1 : 0;
    const bool labelled = score.label != score::kNoLabel;
    const std::string label = labelled ? labels_[static_cast<std::size_t>(score.label)] : "";
    if (writer_ == nullptr) {
      const std::string id =
          batch.names.empty() ? to_string(DocumentId{batch.ids[i]}) : batch.names[i];
      return sink_({id, score.value, label});
    }
    if (batch.names.empty()) {
      writer_->append_uint64(0, batch.ids[i]);
    } else {
      writer_->append_string(0, batch.names[i]);
    }
    writer_->append_double(1, score.value);
    if (labelled) {
      writer_->append_string(2, label);
    } else {
      writer_->append_null(2);
    }
    return writer_->end_row();
  }

  Result<ScoreApplyResult> close() {
    if (writer_ != nullptr) {
      HEADRACE_RETURN_IF_ERROR(writer_->close());
      HEADRACE_RETURN_IF_ERROR(path_->commit());
    }
    return counts_;
  }

 private:
  Output(const ScoreApplyOptions& options, const score::Scorer& scorer)
      : sink_(options.sink), labels_(scorer.labels()) {}

  std::function<Result<void>(const ScoredDocument&)> sink_;
  std::vector<std::string> labels_;
  std::unique_ptr<io::AtomicPath> path_;
  std::unique_ptr<ParquetWriter> writer_;
  ScoreApplyResult counts_;
};

class Apply final : public read::RecordSink {
 public:
  Apply(const score::Scorer& scorer, const ScoreApplyOptions& options, std::size_t threads,
        Output* output)
      : options_(options),
        work_(
            kAheadBytes,
            [&scorer] {
              return [session = std::shared_ptr<Result<std::unique_ptr<score::Session>>>(new auto(
                          scorer.start()))](Batch& batch) { score_batch(*session, batch); };
            },
            [output](Batch& batch) -> Result<void> {
              if (batch.error) return *batch.error;
              for (std::size_t i = 0; i < batch.ids.size(); ++i)
                HEADRACE_RETURN_IF_ERROR(output->write(batch, i));
              return {};
            }) {
    for (std::size_t i = 1; i < threads; ++i) work_.add_helper();
  }

  Result<void> document(Document& document) override {
    if (!options_.id.empty()) {
      const auto meta =
          nlohmann::json::parse(document.meta.empty() ? "{}" : document.meta, nullptr, false);
      const auto id = meta.find(options_.id);
      if (id == meta.end() || id->is_null() || id->is_structured()) {
        return invalid_argument("the document {} has no id in the field '{}'",
                                to_string(document.id), options_.id);
      }
      batch_->names.push_back(id->is_string() ? id->get<std::string>() : id->dump());
    }
    batch_->ids.push_back(document.id.value);
    batch_->texts.add(std::move(document.text));
    return batch_->texts.full() ? hand_over() : Result<void>();
  }
  Result<void> rejected(const RejectedRecord&) override {
    ++rejected_count;
    return {};
  }

  Result<void> finish() {
    HEADRACE_RETURN_IF_ERROR(hand_over());
    return work_.drain();
  }

  std::uint64_t rejected_count = 0;

 private:
  static void score_batch(Result<std::unique_ptr<score::Session>>& session, Batch& batch) {
    if (!session) {
      batch.error = session.error();
      return;
    }
    if (auto scored = batch.texts.score(**session); !scored) batch.error = scored.error();
  }

  Result<void> hand_over() {
    if (batch_->ids.empty()) return {};
    const std::size_t bytes = batch_->texts.bytes();
    HEADRACE_RETURN_IF_ERROR(work_.put(std::move(batch_), bytes));
    batch_ = std::make_unique<Batch>();
    return {};
  }

  const ScoreApplyOptions& options_;
  std::unique_ptr<Batch> batch_ = std::make_unique<Batch>();
  OrderedWork<Batch> work_;
};

Result<ScoreApplyResult> apply(const ScoreApplyOptions& options) {
  if (options.files.empty()) return invalid_argument("files to score are needed");
  if (options.output.empty() && options.sink == nullptr)
    return invalid_argument("score apply: neither a file nor a function for the scores");
  const double start = monotonic_seconds();
  std::vector<std::string> read = options.files;
  read.push_back(options.model);
  HEADRACE_RETURN_IF_ERROR(check_output(options.output, read));
  HEADRACE_ASSIGN_OR_RETURN(const OpenedModel opened,
                            open_model(options.model, options.kind, options.options, ""));
  std::vector<std::string> keep;
  if (!options.id.empty()) keep.push_back(options.id);
  HEADRACE_ASSIGN_OR_RETURN(const auto context, open_files({.paths = options.files,
                                                            .text = options.text,
                                                            .keep = keep,
                                                            .threads = options.threads,
                                                            .stop = options.stop}));
  HEADRACE_ASSIGN_OR_RETURN(Output output, Output::open(options, *opened.scorer));
  std::uint64_t bytes = 0;
  for (const InputTask& task : context->tasks) bytes += task.bytes;
  Progress progress("score", bytes, kBytes,
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  Apply sink(*opened.scorer, options, context->threads, &output);
  for (const InputTask& task : context->tasks) {
    for (const read::Split& split : task.splits) {
      if (options.stop.stop_requested()) return cancelled("stopped while scoring");
      HEADRACE_RETURN_IF_ERROR(context->readers->of(split.file).read(split, sink, options.stop));
      progress.add(split.bytes);
    }
  }
  HEADRACE_RETURN_IF_ERROR(sink.finish());
  if (options.stop.stop_requested()) return cancelled("stopped while scoring");
  HEADRACE_ASSIGN_OR_RETURN(ScoreApplyResult result, output.close());
  result.rejected = sink.rejected_count;
  result.seconds = monotonic_seconds() - start;
  return result;
}

}  // namespace
}  // namespace curate

Result<ScoreApplyResult> apply_score(const ScoreApplyOptions& options) {
  return curate::apply(options);
}

}  // namespace headrace
