// SPDX-License-Identifier: Apache-2.0
// Documents of the run itself that tell which phrases are common in it: drawn by their ids from all
// of them, whatever rules say, so that moved thresholds leave every frequency as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/counter_rng.h"
#include "curate/context.h"

namespace headrace::curate {

class ReferenceSample {
 public:
  // About `wanted` documents of all in `documents`; all of them where there are no more.
  ReferenceSample(const Context& context, const std::vector<Commit>& documents,
                  std::uint64_t wanted, std::string_view what_for);

  // Calls each(text) for the sampled texts of a part whose row is not in `left_out` (empty: none
  // is), a text that stands in several documents once in all parts. Thread-safe for different
  // parts.
  Result<void> for_each(std::size_t part, const std::vector<bool>& left_out,
                        const std::function<void(std::string_view text)>& each);

 private:
  bool is_new(std::string_view text);

  const Context& context_;
  const double share_;
  const CounterRng rng_;
  std::mutex mutex_;
  std::unordered_set<std::uint64_t> seen_;  // hashes of texts
};

}  // namespace headrace::curate
