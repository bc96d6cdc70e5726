// SPDX-License-Identifier: Apache-2.0
// Which texts a training does not see. It follows from a keyed hash of each text, white space left
// aside: the same text cannot stand on both sides, however often and in whatever file it comes, and
// a file that grows moves no text from one side to the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "base/counter_rng.h"

namespace headrace::curate {

// Of all but white space.
std::uint64_t text_key(std::string_view text);

// The share that `validation` names ("0.2", "20%"); nothing where it names a file. An error outside
// of 0 to 1.
Result<std::optional<double>> validation_share(const std::string& validation);

class HeldOutShare {
 public:
  HeldOutShare(double share, std::uint64_t seed)
      : share_(share), rng_(seed, purpose("score_validation")) {}
  bool holds(std::string_view text) const { return rng_.unit(text_key(text)) < share_; }

 private:
  double share_;
  CounterRng rng_;
};

}  // namespace headrace::curate
