// SPDX-License-Identifier: Apache-2.0
// What the programs behind tests/interop share: records on standard input. A record is its length
// in bytes (u32, little-endian) and the bytes.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace headrace::interop {

// Says on standard error why the program ends; its exit status.
inline int fail(std::string_view message) {
  std::fprintf(stderr, "%s: %.*s\n", program_invocation_short_name,
               static_cast<int>(message.size()), message.data());
  return 1;
}

// False at the end. A record that is cut ends the program: an answer to part of the input would
// pass for one to all of it.
inline bool read(std::string* record) {
  std::uint32_t size = 0;
  const std::size_t got = std::fread(&size, 1, sizeof(size), stdin);
  if (got == 0) return false;
  record->resize(size);
  if (got == sizeof(size) && std::fread(record->data(), 1, size, stdin) == size) return true;
  std::exit(fail("the last record is cut"));
}

}  // namespace headrace::interop
