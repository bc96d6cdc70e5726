// SPDX-License-Identifier: Apache-2.0
#include "measure/internal/code_point_run.h"
#include "measure/internal/run_slots.h"

namespace headrace::measure::internal {

void ascii_run_slots_scalar(const unsigned char* text, int bits, std::uint32_t* slots) {
  for (int i = 0; i < 64; ++i) slots[i] = ascii_run_slot(text + i, bits);
}

}  // namespace headrace::measure::internal
