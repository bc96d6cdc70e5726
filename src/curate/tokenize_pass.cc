// SPDX-License-Identifier: Apache-2.0
// Kept documents → token ids. The only pass after the first that reads text, and only of what is
// kept.
//
// Tokens come before the mix, since shares are shares of tokens: an estimate from bytes would be
// off by the very domains (Chinese, code) that people mix. What the mix then leaves out has been
// tokenized in vain; see docs/decisions/0020-tokenize-before-mix.md.
#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/removed_spans.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kTokenizePassVersion = 1;
constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

// Encoders that tasks hand on: a new one takes 36 MiB and some 20 ms, and knows nothing of the
// corpus. What an encoder has seen never changes what it gives.
class Encoders {
 public:
  explicit Encoders(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  Encoder borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Encoder encoder = std::move(idle_.back());
        idle_.pop_back();
        return encoder;
      }
    }
    return Encoder(tokenizer_);
  }
  void give_back(Encoder encoder) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(encoder));
  }

 private:
  const Tokenizer& tokenizer_;
  std::mutex mutex_;
  std::vector<Encoder> idle_;
};

class TokenizeTask {
 public:
  TokenizeTask(const Context& context, std::size_t part, Encoders& encoders)
      : context_(context), part_(part), encoders_(encoders), encoder_(encoders.borrow()) {}
  TokenizeTask(const TokenizeTask&) = delete;
  ~TokenizeTask() { encoders_.give_back(std::move(encoder_)); }

  Result<Commit> run() {
    HEADRACE_RETURN_IF_ERROR(load_rows());
    HEADRACE_RETURN_IF_ERROR(open());
    HEADRACE_ASSIGN_OR_RETURN(auto reader,
                              ParquetReader::open(context_.directory.at(
                                  RunDirectory::part(kNormalizedFolder, part_, "parquet"))));
    if (reader->rows() != kept_.size()) {
      return corrupt("part {}: {} rows of text but {} verdicts: run the recipe again", part_,
                     reader->rows(), kept_.size());
    }
    std::size_t row = 0;
    std::vector<std::string> texts;
    for (int group = 0; group < reader->row_groups(); ++group) {
      const std::size_t group_rows = reader->row_group_rows(group);
      const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(row);
      if (std::find(first, first + static_cast<std::ptrdiff_t>(group_rows), true) !=
          first + static_cast<std::ptrdiff_t>(group_rows)) {
        texts.clear();
        HEADRACE_RETURN_IF_ERROR(reader->read_strings("text", group, &texts));
        for (std::size_t i = 0; i < group_rows; ++i) {
          if (kept_[row + i]) {
            spans_.cut(ids_[row + i], &texts[i]);
            HEADRACE_RETURN_IF_ERROR(encode(ids_[row + i], texts[i]));
          }
          if (context_.stop.stop_requested())
            return cancelled("stopped while tokenizing part {}", part_);
        }
      }
      row += group_rows;
    }
    return close();
  }

 private:
  Result<void> load_rows() {
    HEADRACE_ASSIGN_OR_RETURN(KeptRows rows, load_kept(context_, part_));
    ids_ = std::move(rows.ids);
    kept_ = std::move(rows.kept);
    HEADRACE_ASSIGN_OR_RETURN(spans_, RemovedSpans::load(context_, part_));
    for (std::size_t row = 0; row < ids_.size(); ++row)
      kept_[row] = kept_[row] && !spans_.drops(ids_[row]);
    return {};
  }

  Result<void> open() {
    HEADRACE_ASSIGN_OR_RETURN(auto tokens, io::AtomicFile::create(context_.directory.at(
                                               RunDirectory::part(kTokensFolder, part_, "bin"))));
    tokens_.emplace(std::move(tokens));
    counts_path_.emplace(
        context_.directory.at(RunDirectory::part(kTokensFolder, part_, "parquet")));
    HEADRACE_ASSIGN_OR_RETURN(
        counts_writer_,
        ParquetWriter::create(counts_path_->temporary(),
                              {{"id", ColumnType::kUint64}, {"tokens", ColumnType::kUint64}}));
    return {};
  }

  Result<void> encode(std::uint64_t id, const std::string& text) {
    buffer_ = context_.begin_tokens;
    if (const auto encoded = encoder_.encode(text, &buffer_); !encoded) {
      return encoded.error().with_context(
          fmt::format("tokenizing document {}", to_string(DocumentId{id})));
    }
    if (context_.end_token) buffer_.push_back(*context_.end_token);
    HEADRACE_RETURN_IF_ERROR(tokens_->write(
        {reinterpret_cast<const char*>(buffer_.data()), buffer_.size() * sizeof(buffer_[0])}));
    counts_writer_->append_uint64(0, id);
    counts_writer_->append_uint64(1, buffer_.size());
    total_tokens_ += buffer_.size();
    row_counts_.kept(id);
    ++documents_;
    return counts_writer_->end_row();
  }

  Result<Commit> close() {
    HEADRACE_RETURN_IF_ERROR(tokens_->commit());
    HEADRACE_RETURN_IF_ERROR(counts_writer_->close());
    HEADRACE_RETURN_IF_ERROR(counts_path_->commit());
    Commit commit;
    for (const char* extension : {"bin", "parquet"})
      commit.outputs.push_back({RunDirectory::part(kTokensFolder, part_, extension), 0, ""});
    commit.files = std::move(row_counts_.files);
    commit.numbers["documents"] = documents_;
    commit.numbers["tokens"] = total_tokens_;
    return commit;
  }

  const Context& context_;
  const std::size_t part_;
  Encoders& encoders_;
  Encoder encoder_;
  std::vector<std::uint64_t> ids_;
  std::vector<bool> kept_;
  RemovedSpans spans_;
  std::vector<std::uint32_t> buffer_;
  std::optional<io::AtomicFile> tokens_;
  std::optional<io::AtomicPath> counts_path_;
  std::unique_ptr<ParquetWriter> counts_writer_;
  RowCounts row_counts_;
  std::uint64_t documents_ = 0;
  std::uint64_t total_tokens_ = 0;
};

}  // namespace

Result<std::vector<Commit>> tokenize_pass(Context& context, const std::vector<Commit>& documents,
                                          const std::vector<Commit>& verdicts,
                                          const std::vector<Commit>& spans) {
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kTokensFolder)));
  Encoders encoders(*context.tokenizer);
  std::vector<StageTask> tasks;
  for (std::size_t part = 0; part < documents.size(); ++part) {
    Fingerprint print;
    print.add(kTokenizePassVersion)
        .add(context.tokenizer->fingerprint())
        .add(context.end_token ? std::uint64_t{*context.end_token} : kNoEnd);
    for (const std::uint32_t id : context.begin_tokens) print.add(std::uint64_t{id});
    print.add(documents[part].digest());
    // The verdict file itself, not its commit's fingerprint: verdicts that come out the same need
    // no new tokens.
    for (const OutputFile& output : verdicts[part].outputs) print.add(output.xxh3_128);
    if (!spans.empty()) {
      for (const OutputFile& output : spans[part].outputs) print.add(output.xxh3_128);
    }
    std::uint64_t kept = 0;
    for (const auto& [file, counts] : (spans.empty() ? verdicts : spans)[part].files)
      kept += counts.out;
    tasks.push_back(
        {.fingerprint = print.hex(), .weight = kept, .work = [&context, part, &encoders] {
           return TokenizeTask(context, part, encoders).run();
         }});
  }
  return run_stage(context, kTokenize, tasks);
}

}  // namespace headrace::curate
