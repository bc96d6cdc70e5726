// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/compression.h"

namespace headrace::measure {

struct CompressionCounter::State {};

CompressionCounter::CompressionCounter() : state_(std::make_unique<State>()) {}
CompressionCounter::~CompressionCounter() = default;

CompressionFacts CompressionCounter::count(const TextView&) { return {}; }

}  // namespace headrace::measure
