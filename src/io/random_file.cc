// SPDX-License-Identifier: Apache-2.0
#include "io/random_file.h"

#include "base/error.h"
#include "io/internal/file_system.h"

namespace headrace::io {

Result<RandomFile> RandomFile::open(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, open_readable(path));
  return RandomFile(std::move(file));
}

Result<RandomFile> RandomFile::open_in_order(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, open_sequential(path, 0));
  return RandomFile(std::move(file));
}

std::uint64_t RandomFile::bytes() const { return file_->bytes(); }
const std::string& RandomFile::path() const { return file_->name(); }

Result<void> RandomFile::read(std::uint64_t offset, std::span<char> buffer) const {
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, file_->read_at(offset, buffer));
  if (got < buffer.size()) {
    return corrupt("{}: ends at offset {}, expected {} more bytes", path(), offset + got,
                   buffer.size() - got);
  }
  return {};
}

}  // namespace headrace::io
