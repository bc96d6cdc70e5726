// SPDX-License-Identifier: Apache-2.0
// Code points: the length of a text, as Unicode counts it.
//
// Bytes would make Chinese three times as long as English, words have no common meaning across
// languages; so length buckets and bounds on length look at this. A combining mark counts for
// itself, as does each part of an emoji. White space and line ends count.
// Never null: an empty text has 0. Cost: none, the view has counted them.
#include <memory>
#include <optional>

#include "measure/measure.h"

namespace headrace::measure {
namespace {

class CodePoints final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    return static_cast<double>(view.counts.code_points);
  }
};

}  // namespace

void register_code_points(Registry& registry) {
  registry.add({"code_points", "code points",
                "characters of the text as Unicode counts them, white space included; never null",
                [] { return std::unique_ptr<Measure>(std::make_unique<CodePoints>()); }});
}

}  // namespace headrace::measure
