// SPDX-License-Identifier: Apache-2.0
// Groups: signatures of the same shingles, numbered by the hash of these.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/thread_pool.h"
#include "dedup/internal/near_steps.h"

namespace headrace::dedup::internal {
namespace {

constexpr std::uint64_t kLeastFree = 16ULL << 20;
constexpr std::uint64_t kMostPartitions = 4096;
constexpr std::uint64_t kStretchBlocks = 32;

struct Member {
  std::uint64_t set_high;
  std::uint64_t set_low;
  std::uint32_t signature;
  std::uint32_t zero;
  auto operator<=>(const Member&) const = default;
};

}  // namespace

Result<Workspace> Workspace::make(const NearLimits& limits, std::uint64_t held) {
  if (limits.memory_bytes < held + kLeastFree) {
    return resource_exhausted(
        "near duplicates of this many documents need {} MiB of memory, and limits.memory is {} "
        "MiB: raise it",
        ((held + kLeastFree) >> 20) + 1, limits.memory_bytes >> 20);
  }
  Workspace work;
  work.threads_ = std::max<std::size_t>(1, limits.threads);
  work.free_bytes_ = limits.memory_bytes - held;
  // Half for what is sorted, with as much again for what comes of it; the rest for writers.
  work.partition_bytes_ = std::max<std::uint64_t>(1 << 20, work.free_bytes_ / 4 / work.threads_);
  work.stop_ = limits.stop;
  work.folder_ = limits.folder;
  return work;
}

// A fifth more than the mean fits, as hashes do not fall evenly.
std::size_t Workspace::partitions(std::uint64_t bytes) const {
  const std::uint64_t wanted = (bytes + bytes / 5) / partition_bytes_ + 1;
  return static_cast<std::size_t>(std::min(wanted, kMostPartitions));
}

Result<Spill> Workspace::spill(std::size_t partitions) const {
  const std::uint64_t block = free_bytes_ / 4 / threads_ / partitions;
  return Spill::create(folder_, partitions, std::clamp<std::uint64_t>(block, 4 << 10, 256 << 10));
}

Result<void> Workspace::parallel(std::size_t jobs,
                                 const std::function<Result<void>(std::size_t)>& job) const {
  return parallel_for(jobs, threads_, stop_, job);
}

Result<void> for_each_with_writer(
    const Workspace& work, Spill& spill, std::size_t jobs,
    const std::function<Result<void>(std::size_t job, Spill::Writer& writer)>& job) {
  std::mutex mutex;
  std::vector<std::unique_ptr<Spill::Writer>> idle;
  HEADRACE_RETURN_IF_ERROR(work.parallel(jobs, [&](std::size_t number) -> Result<void> {
    std::unique_ptr<Spill::Writer> writer;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        writer = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (writer == nullptr) writer = std::make_unique<Spill::Writer>(spill);
    HEADRACE_RETURN_IF_ERROR(job(number, *writer));
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(writer));
    return {};
  }));
  for (const std::unique_ptr<Spill::Writer>& writer : idle)
    HEADRACE_RETURN_IF_ERROR(writer->flush());
  return {};
}

std::vector<Stretch> stretches_of(const std::vector<SignaturePart>& parts) {
  std::vector<Stretch> stretches;
  for (const SignaturePart& part : parts) {
    const std::uint64_t blocks = part.reader.blocks();
    for (std::uint64_t first = 0; first < blocks; first += kStretchBlocks)
      stretches.push_back({&part, first, std::min(blocks, first + kStretchBlocks)});
  }
  return stretches;
}

namespace {

// Spills (set, signature) by the top bits of the set.
Result<void> spill_members(const Stretch& stretch, Groups& groups, Spill::Writer& writer,
                           std::size_t partitions) {
  SignatureBlock block;
  std::uint64_t signature =
      stretch.part->first_signature + SignatureReader::first_of(stretch.first);
  for (std::uint64_t number = stretch.first; number < stretch.last; ++number) {
    HEADRACE_RETURN_IF_ERROR(stretch.part->reader.read(number, &block));
    for (std::size_t i = 0; i < block.size(); ++i, ++signature) {
      const SignatureRecord& record = block.record(i);
      if (stretch.part->kept == nullptr) {
        std::atomic_ref(groups.signatures_of_document[stretch.part->first_document + record.row])
            .fetch_add(1, std::memory_order_relaxed);
      } else if (record.row >= stretch.part->kept->size() || !(*stretch.part->kept)[record.row]) {
        continue;
      }
      const Member member{record.set_high, record.set_low, static_cast<std::uint32_t>(signature),
                          0};
      HEADRACE_RETURN_IF_ERROR(
          writer.put_record((record.set_high >> 32) * partitions >> 32, member));
    }
  }
  return {};
}

// Numbers the groups of one sorted partition on.
void number_on(const std::vector<Member>& members, bool with_earlier, Groups& groups) {
  const Member* first = nullptr;
  std::uint32_t own = 0;
  for (const Member& member : members) {
    if (first == nullptr || member.set_high != first->set_high ||
        member.set_low != first->set_low) {
      first = &member;
      own = 0;
      ++groups.count;
      groups.is_leader[member.signature] = true;
      groups.is_own.push_back(false);
      groups.has_copies.push_back(false);
      if (with_earlier) groups.earlier.push_back(kNoGroup);
    }
    groups.of_signature[member.signature] = groups.count - 1;
    if (member.signature < groups.own_signatures) {
      groups.is_own.back() = true;
      if (++own > 1) groups.has_copies.back() = true;
    } else if (groups.earlier.back() == kNoGroup) {
      groups.earlier.back() = member.signature;
    }
  }
}

}  // namespace

Result<Groups> number_groups(const std::vector<SignaturePart>& parts, std::uint64_t own_documents,
                             std::uint64_t own_signatures, const Workspace& work) {
  std::uint64_t signatures = 0;
  for (const SignaturePart& part : parts) signatures += part.reader.signatures();
  Groups groups;
  groups.own_signatures = own_signatures;
  groups.of_signature.assign(signatures, kNoGroup);
  groups.signatures_of_document.assign(own_documents, 0);
  groups.is_leader.assign(signatures, false);

  const std::size_t partitions = work.partitions(signatures * sizeof(Member));
  HEADRACE_ASSIGN_OR_RETURN(Spill members, work.spill(partitions));
  const std::vector<Stretch> stretches = stretches_of(parts);
  HEADRACE_RETURN_IF_ERROR(for_each_with_writer(
      work, members, stretches.size(), [&](std::size_t i, Spill::Writer& writer) {
        return spill_members(stretches[i], groups, writer, partitions);
      }));
  // As many partitions as there are threads are sorted at once, then numbered in their order.
  for (std::size_t first = 0; first < partitions; first += work.threads()) {
    std::vector<std::vector<Member>> sorted(std::min(work.threads(), partitions - first));
    HEADRACE_RETURN_IF_ERROR(work.parallel(sorted.size(), [&](std::size_t i) -> Result<void> {
      HEADRACE_ASSIGN_OR_RETURN(sorted[i], members.read_records<Member>(first + i));
      members.release(first + i);
      std::sort(sorted[i].begin(), sorted[i].end());
      return {};
    }));
    for (const std::vector<Member>& some : sorted)
      number_on(some, own_signatures < signatures, groups);
  }
  return groups;
}

}  // namespace headrace::dedup::internal
