// SPDX-License-Identifier: Apache-2.0
#include "feed/assemble.h"

#include <vector>

#include "base/error.h"

namespace headrace::feed {
namespace {

// Appends one row to each array.
void append(const shard::SampleBuffer& sample, const Shape& shape, Batch* batch) {
  const auto begin = sample.tokens.begin();
  const auto end = sample.tokens.end();
  batch->tokens.insert(batch->tokens.end(), begin, end);
  batch->labels.insert(batch->labels.end(), begin + 1, end);
  batch->labels.push_back(kNoTarget);

  // Starts ascend from 0 and lie inside the sample: the container checked it.
  const std::vector<std::uint32_t>& starts = sample.document_starts;
  std::size_t from = 0;
  for (std::size_t k = 0; from < sample.tokens.size(); ++k) {
    const std::size_t to = k + 1 < starts.size() ? starts[k + 1] : sample.tokens.size();
    batch->segment_ids.insert(batch->segment_ids.end(), to - from, static_cast<std::int32_t>(k));
    from = to;
  }
  const std::size_t lacks = shape.length - sample.tokens.size();
  batch->tokens.insert(batch->tokens.end(), lacks, shape.pad_token);
  batch->labels.insert(batch->labels.end(), lacks, kNoTarget);
  batch->segment_ids.insert(batch->segment_ids.end(), lacks, kPadding);
}

Result<void> read_row(const plan::Row& row, const Shape& shape, ShardReaders& readers,
                      shard::SampleBuffer* sample) {
  HEADRACE_ASSIGN_OR_RETURN(const ShardReaders::Reader reader, readers.get(row.shard));
  HEADRACE_RETURN_IF_ERROR(reader->read(row.sample, sample));
  const std::size_t tokens = sample->tokens.size();
  if (tokens == shape.length || (shape.pads && tokens > 0 && tokens < shape.length)) return {};
  return corrupt("sample {} of its shard has {} tokens, the manifest says {}{} for each",
                 row.sample, tokens, shape.pads ? "at most " : "", shape.length);
}

}  // namespace

std::uint64_t batch_bytes(std::uint32_t rows, std::uint32_t length) {
  constexpr std::uint64_t kArraysPerToken = 3;
  constexpr std::uint64_t kBookkeeping = sizeof(Batch) + 256;  // heap blocks, queue slot
  return rows * (length * kArraysPerToken * sizeof(std::int32_t) + sizeof(std::uint64_t)) +
         kBookkeeping;
}

Result<Batch> assemble(std::span<const plan::Row> rows, const Shape& shape, ShardReaders& readers,
                       std::stop_token stop) {
  Batch batch;
  batch.rows = static_cast<std::uint32_t>(rows.size());
  batch.length = shape.length;
  const std::size_t size = rows.size() * shape.length;
  // Reserved, not resized: a pass of zeros over memory that is written anyway is not free.
  batch.tokens.reserve(size);
  batch.labels.reserve(size);
  batch.segment_ids.reserve(size);
  batch.sample_ids.reserve(rows.size());
  shard::SampleBuffer sample;
  for (const plan::Row& row : rows) {
    if (stop.stop_requested()) return cancelled("the feed was closed while it read ahead");
    if (Result<void> read = read_row(row, shape, readers, &sample); !read) {
      return read.error().with_context(fmt::format("sample {} of the set", row.ordinal));
    }
    append(sample, shape, &batch);
    batch.sample_ids.push_back(row.ordinal);
  }
  return batch;
}

}  // namespace headrace::feed
