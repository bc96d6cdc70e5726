// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/words.h"

namespace headrace::measure {

struct WordCounter::Scratch {};

WordCounter::WordCounter() : scratch_(std::make_unique<Scratch>()) {}
WordCounter::~WordCounter() = default;

WordFacts WordCounter::count(const TextView& view) {
  static_cast<void>(view);
  return {};
}

}  // namespace headrace::measure
