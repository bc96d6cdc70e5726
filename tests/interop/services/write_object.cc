// SPDX-License-Identifier: Apache-2.0
// Copies standard input into a file by io::AtomicFile: `write_object URI commit|forget`. Says on
// standard output how many bytes it has, before it commits or forgets.
#include <cstdio>
#include <string>

#include "io/file.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto fail = [](const headrace::Status& status) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return 3;
  };
  auto file = headrace::io::AtomicFile::create(argv[1]);
  if (!file) return fail(file.error());
  std::string block(std::size_t{1} << 20, '\0');
  for (;;) {
    const std::size_t got = std::fread(block.data(), 1, block.size(), stdin);
    if (got == 0) break;
    if (const auto put = file->write(std::string_view(block).substr(0, got)); !put) {
      return fail(put.error());
    }
  }
  std::printf("%llu\n", static_cast<unsigned long long>(file->bytes_written()));
  std::fflush(stdout);
  if (std::string_view(argv[2]) != "commit") return 0;
  if (const auto done = file->commit(); !done) return fail(done.error());
  return 0;
}
