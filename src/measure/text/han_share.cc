// SPDX-License-Identifier: Apache-2.0
// Han share: Han characters (script Han, with 々 〇 and radicals) per code point.
//
// Tells Chinese text from Latin without a language model; Chinese prose lies near 0.85, the rest
// being punctuation, digits and names. Japanese lies between: kana are not Han.
// Null for an empty text. Cost: none, the view has counted them.
#include <memory>
#include <optional>

#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {
namespace {

class HanShare final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    return share(view.counts.han, view.counts.code_points);
  }
};

}  // namespace

void register_han_share(Registry& registry) {
  registry.add({"han_share", "share",
                "share of code points that are Han characters; null for an empty text",
                [] { return std::unique_ptr<Measure>(std::make_unique<HanShare>()); }});
}

}  // namespace headrace::measure
