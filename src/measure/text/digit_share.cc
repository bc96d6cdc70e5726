// SPDX-License-Identifier: Apache-2.0
// Digit share: decimal digits (category Nd, full-width and other scripts included) per code point.
//
// Not digits: ² ½ ① Ⅷ, and 一二三, which are letters to everyone who counts. White space counts in
// the denominator, as in every share of code points here. High in tables, logs and number spam.
// Null for an empty text. Cost: none, the view has counted them.
#include <memory>
#include <optional>

#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {
namespace {

class DigitShare final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    return share(view.counts.digits, view.counts.code_points);
  }
};

}  // namespace

void register_digit_share(Registry& registry) {
  registry.add({"digit_share", "share",
                "share of code points that are decimal digits; null for an empty text",
                [] { return std::unique_ptr<Measure>(std::make_unique<DigitShare>()); }});
}

}  // namespace headrace::measure
