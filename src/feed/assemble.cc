// SPDX-License-Identifier: Apache-2.0
#include "feed/assemble.h"

#include <algorithm>

#include "base/error.h"

namespace headrace::feed {
namespace {

// The arrays of one row; each `length` long.
struct RowArrays {
  std::int32_t* tokens;
  std::int32_t* labels;
  std::int32_t* segment_ids;
};

void fill(const shard::SampleBuffer& sample, const RowArrays& row) {
  const std::size_t length = sample.tokens.size();
  std::copy(sample.tokens.begin(), sample.tokens.end(), row.tokens);
  std::copy(sample.tokens.begin() + 1, sample.tokens.end(), row.labels);
  row.labels[length - 1] = kNoTarget;

  // Starts ascend from 0 and lie inside the sample: the container checked it.
  const std::vector<std::uint32_t>& starts = sample.document_starts;
  std::fill(row.segment_ids, row.segment_ids + length, 0);
  for (std::size_t k = 1; k < starts.size(); ++k) {
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : length;
    std::fill(row.segment_ids + starts[k], row.segment_ids + end, static_cast<std::int32_t>(k));
  }
}

Result<void> read_row(const plan::Row& row, std::uint32_t length, ShardReaders& readers,
                      shard::SampleBuffer* sample) {
  HEADRACE_ASSIGN_OR_RETURN(const ShardReaders::Reader reader, readers.get(row.shard));
  HEADRACE_RETURN_IF_ERROR(reader->read(row.sample, sample));
  if (sample->tokens.size() == length) return {};
  return corrupt("sample {} of its shard has {} tokens, the manifest says {} for each", row.sample,
                 sample->tokens.size(), length);
}

}  // namespace

std::uint64_t batch_bytes(std::uint32_t rows, std::uint32_t length) {
  constexpr std::uint64_t kArraysPerToken = 3;
  constexpr std::uint64_t kBookkeeping = sizeof(Batch) + 256;  // heap blocks, queue slot
  return rows * (length * kArraysPerToken * sizeof(std::int32_t) + sizeof(std::uint64_t)) +
         kBookkeeping;
}

Result<Batch> assemble(std::span<const plan::Row> rows, std::uint32_t length, ShardReaders& readers,
                       std::stop_token stop) {
  Batch batch;
  batch.rows = static_cast<std::uint32_t>(rows.size());
  batch.length = length;
  const std::size_t size = rows.size() * length;
  batch.tokens.resize(size);
  batch.labels.resize(size);
  batch.segment_ids.resize(size);
  shard::SampleBuffer sample;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (stop.stop_requested()) return cancelled("the feed was closed while it read ahead");
    if (Result<void> read = read_row(rows[i], length, readers, &sample); !read) {
      return read.error().with_context(fmt::format("sample {} of the set", rows[i].ordinal));
    }
    const std::size_t at = i * length;
    fill(sample,
         {batch.tokens.data() + at, batch.labels.data() + at, batch.segment_ids.data() + at});
    batch.sample_ids.push_back(rows[i].ordinal);
  }
  return batch;
}

}  // namespace headrace::feed
