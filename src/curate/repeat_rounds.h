// SPDX-License-Identifier: Apache-2.0
// Repeats among the documents of all parts, within a budget of memory.
//
// First round: the entries of a part in batches; those that repeat one of their own batch are
// settled, the others go to disk by their hash. Last round: partition by partition, each of which
// fits, and hashes alone. Repeats go to disk by the part of their document. Batches are cut by
// count alone, so neither threads nor memory decide what stands in the result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "headrace/result.h"

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/passes.h"
#include "dedup/anchors.h"
#include "dedup/repeats.h"
#include "dedup/spill.h"

namespace headrace::curate {

// Which part a document stands in, by the first id of each.
class PartsById {
 public:
  PartsById() = default;
  // `first`: by part; parts without documents have the first id behind them, ~0 at the end.
  explicit PartsById(std::vector<std::uint64_t> first) : first_(std::move(first)) {}
  std::size_t of(std::uint64_t id) const {
    const auto behind = std::upper_bound(first_.begin(), first_.end(), id);
    return static_cast<std::size_t>(behind - first_.begin()) - 1;
  }

 private:
  std::vector<std::uint64_t> first_;
};

// What spills hold of one run of rounds.
struct RoundSizes {
  std::uint64_t memory_bytes = 0;    // for all threads together
  std::uint64_t expected_bytes = 0;  // of entries; a wrong guess costs time, not memory
  std::size_t parts = 0;
};

// Entry: dedup::Occurrence or dedup::AnchorContext. Thread-safe but for the Collectors.
template <class Entry>
class RepeatRounds {
 public:
  static Result<RepeatRounds> make(const Context& context, const RoundSizes& sizes) {
    // The entries of a partition, what is left of them, and their repeats.
    const std::uint64_t share = std::max<std::uint64_t>(
        sizes.memory_bytes / (4 * std::max<std::size_t>(context.threads, 1)), kLeastShare);
    const auto partitions = static_cast<std::size_t>(
        std::min<std::uint64_t>(sizes.expected_bytes / share + 1, kMostPartitions));
    const std::size_t block =
        std::clamp<std::size_t>(share / (2 * (partitions + sizes.parts)), 1 << 10, 256 << 10);
    const std::string folder = context.directory.at(kSpansFolder);
    HEADRACE_ASSIGN_OR_RETURN(dedup::Spill entries,
                              dedup::Spill::create(folder, partitions, block));
    HEADRACE_ASSIGN_OR_RETURN(dedup::Spill repeats,
                              dedup::Spill::create(folder, sizes.parts, block));
    return RepeatRounds(std::move(entries), std::move(repeats), share);
  }

  // The first round of one part, by one thread.
  class Collector {
   public:
    Collector(RepeatRounds& rounds, std::size_t part)
        : rounds_(rounds), part_(part), entries_(rounds.entries_), repeats_(rounds.repeats_) {}

    // Entries are put here, then next() is called.
    std::vector<Entry> batch;
    Result<void> next() { return batch.size() < kBatch ? Result<void>() : settle(); }
    Result<void> finish() {
      HEADRACE_RETURN_IF_ERROR(settle());
      HEADRACE_RETURN_IF_ERROR(entries_.flush());
      return repeats_.flush();
    }

   private:
    Result<void> settle() {
      dedup::find_repeats(batch, &found_, &rest_);
      batch.clear();
      join(&found_, batch);
      for (const dedup::Repeat& repeat : found_)
        HEADRACE_RETURN_IF_ERROR(repeats_.put_record(part_, repeat));
      for (const Entry& entry : rest_) {
        HEADRACE_RETURN_IF_ERROR(
            entries_.put_record(key_of(entry) % rounds_.entries_.partitions(), entry));
      }
      found_.clear();
      rest_.clear();
      return {};
    }

    RepeatRounds& rounds_;
    const std::size_t part_;
    dedup::Spill::Writer entries_;
    dedup::Spill::Writer repeats_;
    std::vector<dedup::Repeat> found_;
    std::vector<Entry> rest_;
  };

  // Calls sink(rest) with what is no repeat, in pieces that have all entries of a hash; from
  // several threads.
  using Sink = std::function<Result<void>(std::span<const Entry> rest)>;
  Result<void> last_round(const Context& context, const PartsById& parts, const Sink& sink) {
    return parallel_for(entries_.partitions(), context.threads, context.stop,
                        [&](std::size_t partition) -> Result<void> {
                          HEADRACE_RETURN_IF_ERROR(settle(partition, parts, sink));
                          entries_.release(partition);
                          return {};
                        });
  }

  // All repeats of a part, resolved, by (id, begin).
  Result<std::vector<dedup::Repeat>> of(std::size_t part) const {
    HEADRACE_ASSIGN_OR_RETURN(auto repeats, repeats_.template read_records<dedup::Repeat>(part));
    dedup::resolve_chains(&repeats);
    return repeats;
  }

 private:
  static constexpr std::size_t kBatch = 1 << 20;  // affects nothing but memory: 32 MiB
  static constexpr std::uint64_t kLeastShare = 1 << 20;
  static constexpr std::uint64_t kMostPartitions = 1024;

  RepeatRounds(dedup::Spill entries, dedup::Spill repeats, std::uint64_t share)
      : entries_(std::move(entries)), repeats_(std::move(repeats)), share_(share) {}

  // Of other bits than XXH3 and the anchors are sorted by.
  static std::uint64_t key_of(const dedup::Occurrence& entry) { return entry.hash.low; }
  static std::uint64_t key_of(const dedup::AnchorContext& entry) {
    return entry.anchor * 0x9E3779B97F4A7C15 >> 20;  // anchors are small: they are minima
  }

  // Lines keep a row each.
  static void join(std::vector<dedup::Repeat>*, const std::vector<dedup::Occurrence>&) {}
  static void join(std::vector<dedup::Repeat>* repeats, const std::vector<dedup::AnchorContext>&) {
    dedup::join_own_repeats(repeats);
  }

  Result<void> settle(std::size_t partition, const PartsById& parts, const Sink& sink) {
    const std::uint64_t rounds = entries_.bytes(partition) / share_ + 1;
    dedup::Spill::Writer writer(repeats_);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      std::vector<Entry> entries;
      HEADRACE_RETURN_IF_ERROR(entries_.for_each_extent(
          partition, [&](std::uint64_t, std::string_view bytes) -> Result<void> {
            for (std::size_t at = 0; at < bytes.size(); at += sizeof(Entry)) {
              Entry entry;
              std::memcpy(&entry, bytes.data() + at, sizeof(Entry));
              if (key_of(entry) / entries_.partitions() % rounds == round) entries.push_back(entry);
            }
            return {};
          }));
      std::vector<dedup::Repeat> repeats;
      std::vector<Entry> rest;
      dedup::find_repeats(entries, &repeats, &rest);
      std::vector<Entry>().swap(entries);
      for (const dedup::Repeat& repeat : repeats)
        HEADRACE_RETURN_IF_ERROR(writer.put_record(parts.of(repeat.id), repeat));
      HEADRACE_RETURN_IF_ERROR(sink(rest));
    }
    return writer.flush();
  }

  dedup::Spill entries_;
  dedup::Spill repeats_;
  std::uint64_t share_;
};

}  // namespace headrace::curate
