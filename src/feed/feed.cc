// SPDX-License-Identifier: Apache-2.0
// The online half: what a rank reads is the plan's; that it is there before it is asked for is the
// work here.
//
//   plan (rows of a step) → reader threads (read, check, assemble) → window, in order → next()
//
// Threads read whole batches: a batch is small against the time a storage stall takes, so the depth
// of the window hides stalls and no finer splitting is needed. Nothing runs before the first
// next(), so that a feed can be opened, given a state and forked around cheaply.
//
// State is the counter of the batch handed out last. What was read ahead is thrown away by a resume
// or a resize and does not count.
#include "headrace/feed.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/thread_pool.h"
#include "feed/assemble.h"
#include "feed/read_ahead.h"
#include "feed/shard_readers.h"
#include "io/file.h"
#include "plan/fingerprint.h"
#include "plan/plan.h"
#include "shard/container.h"
#include "shard/manifest.h"

namespace headrace {
namespace {

using feed::ReadAhead;
using feed::ShardReaders;

constexpr std::size_t kMostThreads = 1024;
constexpr std::size_t kStatThreads = 16;  // looking at files waits, it does not compute

Result<void> check_length(const Manifest& manifest, const FeedOptions& options) {
  if (manifest.sequence_length == 0) {
    return invalid_argument(
        "{}: its samples differ in length (sequence_length is 0) and make no array of rows; pack "
        "them to one length (recipe key pack.length)",
        options.set);
  }
  if (options.length != 0 && options.length != manifest.sequence_length) {
    return invalid_argument(
        "{}: length is {}, the set has samples of {} tokens; pack it anew (recipe key pack.length) "
        "or leave length out",
        options.set, options.length, manifest.sequence_length);
  }
  return {};
}

// A shard that is not there is better known now than in the middle of the night.
Result<void> check_files(const Manifest& manifest, const std::string& folder) {
  return parallel_for(manifest.shards.size(), kStatThreads, {}, [&](std::size_t i) -> Result<void> {
    for (const ShardEntry::File& file : manifest.shards[i].files) {
      const std::string path = io::join(folder, file.path);
      HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(path));
      if (info.bytes != file.bytes) {
        return corrupt("{}: {} bytes, the manifest says {}", path, info.bytes, file.bytes);
      }
    }
    return {};
  });
}

}  // namespace

struct Feed::Impl {
  FeedOptions options;
  plan::World world;
  std::unique_ptr<plan::Plan> plan;
  feed::Shape shape;
  std::unique_ptr<ShardReaders> readers;
  std::uint64_t consumed = 0;
  std::unique_ptr<ReadAhead> ahead;  // last: its threads use the rest

  void start();
  Result<Batch> make(std::uint64_t begin, std::stop_token stop) const;
};

// Reads ahead from `consumed` on.
void Feed::Impl::start() {
  const std::uint64_t global_batch = world.global_batch();
  const std::uint64_t left = plan->end() - consumed;
  const std::uint64_t bytes = feed::batch_bytes(world.batch, shape.length);
  const ReadAhead::Options ahead_options{
      .steps = left / global_batch + (left % global_batch > 0 ? 1 : 0),
      .capacity = std::max<std::uint64_t>(1, options.prefetch_bytes / bytes),
      .threads = thread_count(options.threads)};
  const std::uint64_t first = consumed;
  ahead = std::make_unique<ReadAhead>(
      ahead_options, [this, first, global_batch](std::uint64_t step, std::stop_token stop) {
        return make(first + step * global_batch, std::move(stop));
      });
}

Result<Batch> Feed::Impl::make(std::uint64_t begin, std::stop_token stop) const {
  std::vector<plan::Row> rows;
  plan->rows(begin, world, &rows);
  Result<Batch> batch = feed::assemble(rows, shape, *readers, std::move(stop));
  if (!batch) {
    return batch.error().with_context(
        fmt::format("rank {}, batch after {} consumed samples", world.rank, begin));
  }
  batch->consumed = plan->next(begin, world);
  return batch;
}

Result<Feed> Feed::open(const FeedOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->world = {.batch = options.batch, .rank = options.rank, .world = options.world};
  HEADRACE_RETURN_IF_ERROR(plan::validate(impl->world));
  if (options.threads > kMostThreads) {
    return invalid_argument("threads is {}, from 0 to {} make sense", options.threads,
                            kMostThreads);
  }

  HEADRACE_ASSIGN_OR_RETURN(const Manifest manifest, read_manifest(options.set));
  const shard::ContainerInfo* container = shard::registry().find(manifest.format);
  if (container == nullptr || container->open == nullptr) {
    return unsupported("{}: container format '{}' is not one this program reads", options.set,
                       manifest.format);
  }
  const plan::PlanOptions plan_options{.order = {.seed = options.seed,
                                                 .shuffle = options.shuffle,
                                                 .lanes = options.lanes,
                                                 .window = options.window},
                                       .epochs = options.epochs};
  auto plan = plan::Plan::make(manifest, plan_options);
  if (!plan) return plan.error().with_context(options.set);
  impl->plan = std::move(plan).value();
  HEADRACE_RETURN_IF_ERROR(check_length(manifest, options));
  impl->shape = {.length = manifest.sequence_length,
                 .pads = manifest.may_be_shorter(),
                 .pad_token = static_cast<std::int32_t>(manifest.end_token_id.value_or(0))};

  const std::string folder = shard::manifest_folder(options.set);
  HEADRACE_RETURN_IF_ERROR(check_files(manifest, folder));
  impl->readers = std::make_unique<ShardReaders>(folder, manifest.shards, *container);
  return Feed(std::move(impl));
}

Feed::Feed(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Feed::~Feed() = default;
Feed::Feed(Feed&&) noexcept = default;
Feed& Feed::operator=(Feed&&) noexcept = default;

Result<std::optional<Batch>> Feed::next() {
  if (impl_->consumed >= impl_->plan->end()) {
    impl_->ahead.reset();
    return std::optional<Batch>();
  }
  if (!impl_->ahead) impl_->start();
  Result<Batch> batch = impl_->ahead->next();
  if (!batch) {
    // The state stays before this batch; the next call tries it again, with files opened anew.
    impl_->ahead.reset();
    impl_->readers->clear();
    return batch.error();
  }
  impl_->consumed = batch->consumed;
  return std::optional<Batch>(std::move(batch).value());
}

FeedState Feed::state() const {
  return {.version = FeedState::kVersion,
          .fingerprint = impl_->plan->fingerprint(),
          .consumed = impl_->consumed};
}

Result<void> Feed::load_state(const FeedState& state) {
  if (state.version > FeedState::kVersion) {
    return unsupported("feed state of version {}, this program knows {}; upgrade headrace",
                       state.version, FeedState::kVersion);
  }
  if (state.version < 1) {
    return invalid_argument("feed state of version {}: versions count from 1", state.version);
  }
  HEADRACE_RETURN_IF_ERROR(plan::check_fingerprint(impl_->plan->fingerprint(), state.fingerprint));
  if (state.consumed > impl_->plan->end()) {
    return invalid_argument("the state has consumed {} samples, all epochs together have {}",
                            state.consumed, impl_->plan->end());
  }
  impl_->ahead.reset();
  impl_->consumed = state.consumed;
  return {};
}

std::uint64_t Feed::samples() const { return impl_->plan->samples(); }
std::uint32_t Feed::length() const { return impl_->shape.length; }
const FeedOptions& Feed::options() const { return impl_->options; }

}  // namespace headrace
