// SPDX-License-Identifier: Apache-2.0
// Text → cleaner text. One step per file. A step changes text and never drops a document.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/options.h"
#include "base/registry.h"
#include "record/document.h"
#include "record/text_decoder.h"

namespace headrace::normalize {

// Pure and thread-safe: no state but its options.
class Step {
 public:
  virtual ~Step() = default;

  // Changes `text` (valid UTF-8 before and after) in place and returns how many changes it made
  // (characters removed or replaced, runs of blanks folded ...); 0 means that `text` is byte for
  // byte what it was. `scratch` is memory to reuse.
  // A step that turns markup into plain text says so in `markup`.
  virtual std::size_t apply(std::string& text, Markup& markup, std::string& scratch) const = 0;

  // For a text of which nothing else is known.
  std::size_t apply(std::string& text, std::string& scratch) const {
    Markup markup = Markup::kUnknown;
    return apply(text, markup, scratch);
  }
};

struct StepInfo {
  std::string name;     // "whitespace"
  std::string changes;  // what apply() counts: "blanks and line ends removed"
  std::string summary;  // one sentence
  std::vector<OptionInfo> options;
  Result<std::unique_ptr<Step>> (*make)(
      const OptionValues& options);  // options are complete and allowed
};

using Registry = headrace::Registry<StepInfo>;

void register_all(Registry& registry);
const Registry& registry();

// Makes a step by name; unknown names and options are errors with a suggestion.
Result<std::unique_ptr<Step>> make_step(std::string_view name, const OptionValues& options);

// The decoders of this room (encoding.cc); lives as long as the program.
const DecoderFactory& decoders();

}  // namespace headrace::normalize
