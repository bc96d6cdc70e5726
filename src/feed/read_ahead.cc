// SPDX-License-Identifier: Apache-2.0
// A window over the steps, not a queue: threads finish in any order, the trainer takes in one. A
// thread takes the next step as soon as the window has room, so a slow read holds up its own batch
// only, until the window is used up. The bound counts batches that are being made, so memory is
// bounded by the window whatever the number of threads.
#include "feed/read_ahead.h"

#include <utility>

namespace headrace::feed {

ReadAhead::ReadAhead(const Options& options, Make make)
    : options_(options), make_(std::move(make)) {
  for (std::size_t i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this](std::stop_token stop) { work(std::move(stop)); });
  }
}

ReadAhead::~ReadAhead() {
  for (std::jthread& thread : threads_) thread.request_stop();  // all, before one is waited for
}

void ReadAhead::work(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (handed_out_ + slots_.size() < options_.steps) {
    // The wait lets other threads take steps, so whether any is left is asked again behind it; and
    // with room in the window it does not look at `stop`.
    room_.wait(lock, stop, [&] { return slots_.size() < options_.capacity; });
    if (stop.stop_requested()) return;
    const std::uint64_t step = handed_out_ + slots_.size();
    if (step >= options_.steps) return;
    Slot* slot = &slots_.emplace_back();
    lock.unlock();
    Result<Batch> made = make_(step, stop);
    lock.lock();
    slot->emplace(std::move(made));
    if (slot == &slots_.front()) filled_.notify_one();
  }
}

Result<Batch> ReadAhead::next() {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return !slots_.empty() && slots_.front().has_value(); });
  Result<Batch> batch = *std::move(slots_.front());
  slots_.pop_front();
  ++handed_out_;
  lock.unlock();
  room_.notify_one();
  return batch;
}

}  // namespace headrace::feed
