// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/word_ngrams.h"

namespace headrace::measure {

struct WordNgramCounter::Scratch {};

WordNgramCounter::WordNgramCounter() : scratch_(std::make_unique<Scratch>()) {}
WordNgramCounter::~WordNgramCounter() = default;

WordNgrams WordNgramCounter::count(const TextView& view) {
  static_cast<void>(view);
  return {};
}

}  // namespace headrace::measure
