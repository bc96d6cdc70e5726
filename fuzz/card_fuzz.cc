// SPDX-License-Identifier: Apache-2.0
// Any bytes as the card of a model. What is taken must survive being written and read again, and a
// threshold of it is a number.
#include <cmath>
#include <string>

#include "check.h"
#include "score/model_card.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using headrace::fuzz::check;
  const auto card = headrace::score::parse_card(headrace::fuzz::as_text(data, size), "fuzz");
  if (!card) {
    check(card.error().message().starts_with("fuzz"), "an error without the path");
    return 0;
  }
  if (card->evaluation)
    check(std::isfinite(card->evaluation->best_f1.threshold), "a threshold that is no number");
  headrace::score::training_option(*card, "han");
  const std::string written = headrace::score::format_card(*card);
  const auto again = headrace::score::parse_card(written, "fuzz");
  check(again.has_value(), "what was written can not be read");
  check(headrace::score::format_card(*again) == written, "written twice, two texts");
  return 0;
}
