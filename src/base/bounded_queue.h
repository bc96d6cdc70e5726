// SPDX-License-Identifier: Apache-2.0
// A first-in-first-out queue between threads, bounded by the bytes of what it holds.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace headrace {

// Thread-safe; any number of producers and consumers. Every wait ends when the stop token fires or
// the queue is closed.
template <class T>
class BoundedQueue {
 public:
  // Holds at most `capacity_bytes` as stated by the producers; one item larger than that is let in
  // when the queue is empty, so that a large item can never block for ever.
  explicit BoundedQueue(std::size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  // Waits for room. False if the queue was closed or `stop` fired: the item was not taken.
  bool push(T item, std::size_t bytes, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    const bool ready = room_.wait(lock, stop, [&] {
      return closed_ || items_.empty() || held_bytes_ + bytes <= capacity_bytes_;
    });
    if (!ready || closed_) return false;
    held_bytes_ += bytes;
    items_.emplace_back(std::move(item), bytes);
    lock.unlock();
    filled_.notify_one();
    return true;
  }

  // Waits for an item. Nothing when the queue is closed and empty, or `stop` fired.
  std::optional<T> pop(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    const bool ready = filled_.wait(lock, stop, [&] { return closed_ || !items_.empty(); });
    if (!ready || items_.empty()) return std::nullopt;
    auto [item, bytes] = std::move(items_.front());
    items_.pop_front();
    held_bytes_ -= bytes;
    lock.unlock();
    room_.notify_all();
    return std::optional<T>(std::move(item));
  }

  // No item is taken any more; those inside can still be popped.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    filled_.notify_all();
    room_.notify_all();
  }

  std::size_t held_bytes() const {
    const std::lock_guard lock(mutex_);
    return held_bytes_;
  }

 private:
  const std::size_t capacity_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable_any room_;
  std::condition_variable_any filled_;
  std::deque<std::pair<T, std::size_t>> items_;
  std::size_t held_bytes_ = 0;
  bool closed_ = false;
};

}  // namespace headrace
