// SPDX-License-Identifier: Apache-2.0
// Repairs text that was decoded in the wrong encoding ("cafÃ©", "СЂСѓСЃ", "涓枃"), where the
// repair is certain: nothing is lost on the way back to the bytes, and what they say reads better
// (mojibake_find.cc, mojibake_oddness.cc). Only on request: it changes what an author may have
// written, on evidence.
//
// A repair changes what stands next to other places, so the text is gone over until nothing is left
// to repair; each repair makes it shorter, and the second time nearly always finds nothing.
#include "normalize/internal/mojibake.h"

#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

class MojibakeStep final : public Step {
 public:
  std::size_t apply(std::string& text, Markup&, std::string& scratch) const override {
    std::size_t changes = 0;
    for (;;) {
      const std::vector<internal::Mojibake> places = internal::find_mojibake(text);
      if (places.empty()) return changes;
      scratch.clear();
      std::size_t copied = 0;
      for (const internal::Mojibake& place : places) {
        scratch.append(text, copied, place.begin - copied);
        scratch += place.repaired;
        copied = place.end;
      }
      scratch.append(text, copied);
      text.swap(scratch);
      changes += places.size();
    }
  }
};

Result<std::unique_ptr<Step>> make(const OptionValues&) { return std::make_unique<MojibakeStep>(); }

}  // namespace

void register_mojibake(Registry& registry) {
  registry.add({"mojibake",
                "runs repaired",
                "repairs text that was decoded in the wrong encoding, where that is certain",
                {},
                make});
}

}  // namespace headrace::normalize
