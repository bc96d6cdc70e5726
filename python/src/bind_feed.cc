// SPDX-License-Identifier: Apache-2.0
// Mirrors headrace/feed.h. A batch leaves without a copy: its arrays look into the Batch, which
// lives as long as one of them does.
#include <filesystem>
#include <mutex>
#include <optional>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "headrace/feed.h"

#include "bindings.h"

namespace headrace::python {
namespace {

template <class T>
nb::object matrix(std::vector<T>& values, const Batch& batch, const nb::capsule& owner) {
  return nb::cast(
      nb::ndarray<nb::numpy, T, nb::ndim<2>>(values.data(), {batch.rows, batch.length}, owner));
}

nb::dict to_dict(Batch&& moved) {
  auto held = std::make_unique<Batch>(std::move(moved));
  Batch& batch = *held;
  const nb::capsule owner(held.get(),
                          [](void* pointer) noexcept { delete static_cast<Batch*>(pointer); });
  static_cast<void>(held.release());  // the capsule has it
  nb::dict out;
  out["tokens"] = matrix(batch.tokens, batch, owner);
  out["labels"] = matrix(batch.labels, batch, owner);
  out["segment_ids"] = matrix(batch.segment_ids, batch, owner);
  out["sample_ids"] = nb::cast(nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>(
      batch.sample_ids.data(), {batch.rows}, owner));
  return out;
}

// A Feed that several Python threads may hold: calls take turns. The GIL is given up before the
// lock is taken and taken back after it is released, so neither waits for the other.
class LockedFeed {
 public:
  explicit LockedFeed(const FeedOptions& options)
      : feed_(unwrap([&] {
          const nb::gil_scoped_release released;
          return Feed::open(options);
        }())) {}

  nb::dict next() {
    std::optional<Batch> batch = unwrap([&] {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      return feed_.next();
    }());
    if (!batch.has_value()) throw nb::stop_iteration();
    return to_dict(std::move(*batch));
  }

  nb::dict state() {
    const FeedState state = [&] {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      return feed_.state();
    }();
    nb::dict out;
    out["version"] = state.version;
    out["fingerprint"] = to_str(state.fingerprint);
    out["consumed"] = state.consumed;
    return out;
  }

  void load_state(int version, std::string fingerprint, std::uint64_t consumed) {
    unwrap([&] {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      return feed_.load_state(
          {.version = version, .fingerprint = std::move(fingerprint), .consumed = consumed});
    }());
  }

  std::uint64_t samples() const { return feed_.samples(); }
  std::uint32_t length() const { return feed_.length(); }

 private:
  std::mutex mutex_;
  Feed feed_;
};

}  // namespace

void bind_feed(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<LockedFeed>(module, "Feed")
      .def(
          "__init__",
          [](LockedFeed* self, const std::filesystem::path& set, std::uint32_t length,
             std::uint64_t seed, bool shuffle, std::uint32_t lanes, std::uint32_t window,
             std::uint32_t batch, std::uint32_t rank, std::uint32_t world,
             std::optional<std::uint64_t> epochs, std::uint64_t prefetch_bytes,
             std::size_t threads) {
            new (self) LockedFeed(FeedOptions{.set = set.string(),
                                              .length = length,
                                              .seed = seed,
                                              .shuffle = shuffle,
                                              .lanes = lanes,
                                              .window = window,
                                              .batch = batch,
                                              .rank = rank,
                                              .world = world,
                                              .epochs = epochs,
                                              .prefetch_bytes = prefetch_bytes,
                                              .threads = threads});
          },
          "set"_a, "length"_a, "seed"_a, "shuffle"_a, "lanes"_a, "window"_a, "batch"_a, "rank"_a,
          "world"_a, "epochs"_a.none(), "prefetch_bytes"_a, "threads"_a)
      .def("next", &LockedFeed::next)
      .def("state", &LockedFeed::state)
      .def("load_state", &LockedFeed::load_state, "version"_a, "fingerprint"_a, "consumed"_a)
      .def_prop_ro("samples", &LockedFeed::samples)
      .def_prop_ro("length", &LockedFeed::length);
}

}  // namespace headrace::python
