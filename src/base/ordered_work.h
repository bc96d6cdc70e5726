// SPDX-License-Identifier: Apache-2.0
// Items made one after the other, worked on by several threads, finished in the order in which they
// were made.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// The thread that makes the items works along when enough of them wait, and whoever completes the
// item whose turn it is finishes it: with n - 1 helpers exactly n threads are busy, and none of
// them is bound to a part of the work that may be the smaller one. put(), drain() and add_helper()
// are for one thread.
template <class Item>
class OrderedWork {
 public:
  using Work = std::function<void(Item& item)>;
  using Finish = std::function<Result<void>(Item& item)>;

  // `make_work` is called once in each thread, for what may not be shared. `finish` never runs
  // twice at a time. At most `capacity_bytes` of items, or one, are unfinished.
  OrderedWork(std::size_t capacity_bytes, std::function<Work()> make_work, Finish finish)
      : capacity_bytes_(capacity_bytes),
        make_work_(std::move(make_work)),
        finish_(std::move(finish)),
        own_work_(make_work_()) {}

  // What is not finished is left undone.
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  void add_helper() {
    helpers_.emplace_back([this] {
      const Work work = make_work_();
      std::unique_lock lock(mutex_);
      while (!closed_) {
        if (!step(lock, work)) changed_.wait(lock);
      }
    });
  }

  // Hands an item over; first works along until there is room for it. The first error of `finish`
  // is returned from then on.
  Result<void> put(std::unique_ptr<Item> item, std::size_t bytes) {
    std::unique_lock lock(mutex_);
    while (!error_ && held_bytes_ > 0 && held_bytes_ + bytes > capacity_bytes_) {
      if (!step(lock, own_work_)) changed_.wait(lock);
    }
    if (error_) return *error_;
    held_bytes_ += bytes;
    slots_.push_back({std::move(item), bytes});
    lock.unlock();
    changed_.notify_all();
    return {};
  }

  // Works along until every item is finished.
  Result<void> drain() {
    std::unique_lock lock(mutex_);
    while (!error_ && (finishing_ || !slots_.empty())) {
      if (!step(lock, own_work_)) changed_.wait(lock);
    }
    if (error_) return *error_;
    return {};
  }

 private:
  struct Slot {
    std::unique_ptr<Item> item;
    std::size_t bytes = 0;
    bool worked = false;
  };

  // Works on the next item, if there is one. A deque leaves its other elements where they are when
  // it grows behind and shrinks in front, so the slot may be used without the lock.
  bool step(std::unique_lock<std::mutex>& lock, const Work& work) {
    if (error_ || next_ == slots_.size()) return false;
    Slot& slot = slots_[next_++];
    lock.unlock();
    work(*slot.item);
    lock.lock();
    slot.worked = true;
    finish_ready(lock);
    return true;
  }

  void finish_ready(std::unique_lock<std::mutex>& lock) {
    if (std::exchange(finishing_, true)) return;
    while (!error_ && !slots_.empty() && slots_.front().worked) {
      Slot slot = std::move(slots_.front());
      slots_.pop_front();
      --next_;
      lock.unlock();
      Result<void> finished = finish_(*slot.item);
      slot.item.reset();
      lock.lock();
      if (!finished) error_ = std::move(finished).error();
      held_bytes_ -= slot.bytes;
      changed_.notify_all();
    }
    finishing_ = false;
    changed_.notify_all();
  }

  const std::size_t capacity_bytes_;
  const std::function<Work()> make_work_;
  const Finish finish_;
  const Work own_work_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot> slots_;  // unfinished, in order
  std::size_t next_ = 0;    // the first of slots_ that nobody works on
  std::size_t held_bytes_ = 0;
  std::optional<Status> error_;
  bool finishing_ = false;
  bool closed_ = false;

  std::vector<std::jthread> helpers_;  // last: they end before what they use
};

}  // namespace headrace
