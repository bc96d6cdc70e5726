// SPDX-License-Identifier: Apache-2.0
// Candidates: groups that agree in a whole band.
//
// (band, group) is spilled by the hash of the band, so that all that agree meet in one partition.
// In a crowd - a band that thousands of groups share: pages made from one template - all pairs
// would be quadratic. There each group is compared with some only, the first of the crowd and those
// that follow it by number; numbers are hashes of content, so which these are does not depend on
// where documents stand. A family whose members are as similar as asked to one of the first is
// still found whole.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/error.h"
#include "dedup/internal/near_steps.h"

namespace headrace::dedup::internal {
namespace {

constexpr std::size_t kCrowd = 64;  // up to here all pairs
constexpr std::size_t kHubs = 32;
constexpr std::size_t kFollowers = 32;
constexpr std::uint64_t kPairGroups = 32768;  // groups of a range of pairs
constexpr std::size_t kMostPairRanges = 1024;
constexpr double kClassesOfADoubling = 8;

#pragma pack(push, 4)
struct Banded {
  std::uint64_t key;
  std::uint32_t group;
};
#pragma pack(pop)
static_assert(sizeof(Banded) == 12);

Result<void> spill_bands(const Stretch& stretch, const Groups& groups, const Bands& bands,
                         std::vector<std::uint8_t>& size_class, Spill::Writer& writer,
                         std::size_t partitions) {
  SignatureBlock block;
  std::uint64_t signature =
      stretch.part->first_signature + SignatureReader::first_of(stretch.first);
  for (std::uint64_t number = stretch.first; number < stretch.last; ++number) {
    HEADRACE_RETURN_IF_ERROR(stretch.part->reader.read(number, &block));
    for (std::size_t i = 0; i < block.size(); ++i, ++signature) {
      if (!groups.is_leader[signature]) continue;
      const SignatureRecord& record = block.record(i);
      const std::uint32_t group = groups.of_signature[signature];
      size_class[group] = Candidates::class_of(record.shingles);
      const std::uint16_t* const values = block.values(i).data();
      for (std::uint32_t band = 0; band < bands.count; ++band) {
        const std::string_view rows(reinterpret_cast<const char*>(values + band * bands.rows),
                                    bands.rows * sizeof(std::uint16_t));
        const std::uint64_t key = hash64(rows, std::uint64_t{record.ngram} << 32 | band);
        HEADRACE_RETURN_IF_ERROR(
            writer.put_record((key >> 32) * partitions >> 32, Banded{key, group}));
      }
    }
  }
  return {};
}

// Collects the pairs of a partition and hands them on in batches.
class PairSink {
 public:
  PairSink(const Groups& groups, Candidates& candidates, std::mutex& mutex, Spill::Writer& writer)
      : groups_(groups), candidates_(candidates), mutex_(mutex), writer_(writer) {}

  Result<void> add(std::uint32_t a, std::uint32_t b) {
    if (!groups_.is_own[a] && !groups_.is_own[b]) return {};
    batch_.push_back({a, b});
    return batch_.size() < kBatch ? Result<void>() : flush();
  }

  Result<void> flush() {
    {
      const std::lock_guard lock(mutex_);
      for (const Pair& pair : batch_) {
        if (!groups_.is_own[pair.a] || !groups_.is_own[pair.b]) continue;
        candidates_.components.unite(pair.a, pair.b);
        candidates_.wanted[pair.a] = candidates_.wanted[pair.b] = true;
      }
    }
    for (const Pair& pair : batch_) {
      HEADRACE_RETURN_IF_ERROR(writer_.put_record(
          range_of(pair.a, groups_.count, candidates_.pairs.partitions()), pair));
    }
    batch_.clear();
    return {};
  }

 private:
  static constexpr std::size_t kBatch = 4096;
  const Groups& groups_;
  Candidates& candidates_;
  std::mutex& mutex_;  // of the graph
  Spill::Writer& writer_;
  std::vector<Pair> batch_;
};

// Pairs of the groups [begin, end) that share a band; returns how many it left out.
Result<std::uint64_t> pair_up(const Banded* begin, const Banded* end, PairSink& sink) {
  const auto count = static_cast<std::size_t>(end - begin);
  std::uint64_t made = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (count <= kCrowd) {
      for (std::size_t j = i + 1; j < count; ++j)
        HEADRACE_RETURN_IF_ERROR(sink.add(begin[i].group, begin[j].group));
      continue;
    }
    for (std::size_t j = i + 1; j < std::min(count, i + 1 + kFollowers); ++j, ++made)
      HEADRACE_RETURN_IF_ERROR(sink.add(begin[i].group, begin[j].group));
    for (std::size_t hub = 0; hub < kHubs && hub + kFollowers < i; ++hub, ++made)
      HEADRACE_RETURN_IF_ERROR(sink.add(begin[hub].group, begin[i].group));
  }
  return count <= kCrowd ? 0 : std::uint64_t{count} * (count - 1) / 2 - made;
}

Result<std::uint64_t> pair_partition(std::vector<Banded> banded, PairSink& sink) {
  std::sort(banded.begin(), banded.end(), [](const Banded& a, const Banded& b) {
    return a.key != b.key ? a.key < b.key : a.group < b.group;
  });
  std::uint64_t left_out = 0;
  for (auto first = banded.begin(); first != banded.end();) {
    const auto last = std::find_if(first, banded.end(),
                                   [&](const Banded& other) { return other.key != first->key; });
    if (last - first > 1) {
      HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t some,
                                pair_up(&*first, &*first + (last - first), sink));
      left_out += some;
    }
    first = last;
  }
  HEADRACE_RETURN_IF_ERROR(sink.flush());
  return left_out;
}

}  // namespace

std::uint8_t Candidates::class_of(std::uint32_t shingles) {
  return static_cast<std::uint8_t>(
      std::min(255.0, std::ceil(kClassesOfADoubling * std::log2(std::max<double>(1, shingles)))));
}

std::uint64_t Candidates::size_of(std::uint8_t size_class) {
  return static_cast<std::uint64_t>(std::exp2(size_class / kClassesOfADoubling)) + 1;
}

Result<Candidates> find_candidates(const std::vector<SignaturePart>& parts, const Groups& groups,
                                   const Bands& bands, const Workspace& work,
                                   std::uint64_t* spilled_bytes) {
  const std::size_t partitions =
      work.partitions(std::uint64_t{groups.count} * bands.count * sizeof(Banded));
  HEADRACE_ASSIGN_OR_RETURN(Spill banded, work.spill(partitions));
  const std::size_t ranges = std::min<std::size_t>(kMostPairRanges, groups.count / kPairGroups + 1);
  HEADRACE_ASSIGN_OR_RETURN(Spill pairs, work.spill(ranges));
  Candidates candidates{.pairs = std::move(pairs),
                        .components = UnionFind(groups.count),
                        .wanted = std::vector<bool>(groups.count),
                        .size_class = std::vector<std::uint8_t>(groups.count)};

  const std::vector<Stretch> stretches = stretches_of(parts);
  HEADRACE_RETURN_IF_ERROR(for_each_with_writer(
      work, banded, stretches.size(), [&](std::size_t i, Spill::Writer& writer) {
        return spill_bands(stretches[i], groups, bands, candidates.size_class, writer, partitions);
      }));
  *spilled_bytes += banded.total_bytes();
  std::mutex mutex;
  HEADRACE_RETURN_IF_ERROR(for_each_with_writer(
      work, candidates.pairs, partitions,
      [&](std::size_t partition, Spill::Writer& writer) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(std::vector<Banded> some, banded.read_records<Banded>(partition));
        banded.release(partition);
        PairSink sink(groups, candidates, mutex, writer);
        HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t left_out,
                                  pair_partition(std::move(some), sink));
        const std::lock_guard lock(mutex);
        candidates.left_out += left_out;
        return {};
      }));
  candidates.components.flatten();
  *spilled_bytes += candidates.pairs.total_bytes();
  return candidates;
}

}  // namespace headrace::dedup::internal
