// SPDX-License-Identifier: Apache-2.0
// What all users of isa-l's inflate share.
#pragma once

#include <cstdint>
#include <cstring>

#include <isa-l/igzip_lib.h>

namespace headrace::io {

// Makes `state` ready for a member or stream. isal_inflate_reset() would leave the tables and the
// history of the one before: a damaged block that points behind its start or uses codes that it
// does not define would be read by them, and what it gives would depend on what was read earlier.
// Clearing all 90 KB takes some microseconds.
inline void start_inflate(inflate_state* state, std::uint32_t wrapper) {
  std::memset(static_cast<void*>(state), 0, sizeof *state);
  isal_inflate_init(state);
  state->crc_flag = wrapper;
}

}  // namespace headrace::io
