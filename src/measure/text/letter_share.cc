// SPDX-License-Identifier: Apache-2.0
// Letter share: letters of any script, with their combining marks and Han characters, per code
// point.
//
// Han characters are letters: a bound on letters that leaves them out drops all Chinese. Marks
// count because Indic and Arabic words are written with them. White space is in the denominator, so
// English prose lies near 0.8, Chinese near 0.85.
// Null for an empty text. Cost: none, the view has counted them.
#include <memory>
#include <optional>

#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {
namespace {

class LetterShare final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    return share(view.counts.letters + view.counts.han, view.counts.code_points);
  }
};

}  // namespace

void register_letter_share(Registry& registry) {
  registry.add({"letter_share", "share",
                "share of code points that are letters of any script, Han characters included; "
                "null for an empty text",
                [] { return std::unique_ptr<Measure>(std::make_unique<LetterShare>()); }});
}

}  // namespace headrace::measure
