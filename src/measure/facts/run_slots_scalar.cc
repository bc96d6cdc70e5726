// SPDX-License-Identifier: Apache-2.0
#include "measure/internal/run_slots.h"

namespace headrace::measure::internal {
namespace {

#include "measure/internal/run_slots.inl.h"

void ascii_slots(const u8* text, int bits, u32* slots) {
  for (int i = 0; i < 64; ++i) slots[i] = ascii_slot(text + i, bits);
}

void utf8_slots(const u8* text, const u32* begin, u32 count, int bits, u32* slots) {
  for (u32 i = 0; i < count; ++i) {
    const u8* const run = text + begin[i];
    const u32 size = begin[i + 10] - begin[i];
    slots[i] = size == 10 ? ascii_slot(run, bits) : any_slot(run, size, bits);
  }
}

}  // namespace

const RunSlots kScalarRunSlots = {ascii_slots, utf8_slots};

}  // namespace headrace::measure::internal
