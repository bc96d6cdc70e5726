// SPDX-License-Identifier: Apache-2.0
// Short names, for inclusion inside the anonymous namespace of a kernel unit.

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

#define INLINE inline __attribute__((always_inline))
