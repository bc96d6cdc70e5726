// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/phrases.h"

namespace headrace::measure {

struct PhraseTable::Tables {};

PhraseTable::PhraseTable(const WordLists&) : tables_(std::make_unique<const Tables>()) {}
PhraseTable::~PhraseTable() = default;

PhraseFacts PhraseTable::count(const TextView&) const { return {}; }

}  // namespace headrace::measure
