// SPDX-License-Identifier: Apache-2.0
// What all users of isa-l's inflate share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <isa-l/igzip_lib.h>

namespace headrace::io {

// Makes `state` ready for a member or stream. isal_inflate_reset() would leave the code tables of
// the one before: a damaged block that uses codes that it does not define would be read by them,
// and what it gives would depend on what was read earlier. So they are cleared: 22 KB. The 64 KB of
// history behind them may stay: what points behind the start is an error, and what came of it is
// forgotten (exact_inflate.h).
inline void start_inflate(inflate_state* state, std::uint32_t wrapper) {
  std::memset(static_cast<void*>(state), 0, offsetof(inflate_state, tmp_out_buffer));
  isal_inflate_init(state);
  state->crc_flag = wrapper;
}

// Whether `head`, the first bytes of a gzip member, has a flag set that has no meaning: what
// follows such a header cannot be known (RFC 1952, 2.3.1.2). isa-l looks past these flags.
inline bool has_reserved_flags(std::string_view head) {
  return head.size() > 3 && (static_cast<unsigned char>(head[3]) & 0xE0) != 0;
}
// Bytes of a member that show its flags.
inline constexpr std::size_t kFlagsEnd = 4;

}  // namespace headrace::io
