// SPDX-License-Identifier: Apache-2.0
#include "io/random_file.h"

#include "base/error.h"
#include "io/file.h"

namespace headrace::io {

Result<RandomFile> RandomFile::open(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(Descriptor file, open_for_reading(path));
  HEADRACE_ASSIGN_OR_RETURN(const FileInfo info, file_info(path));
  if (info.is_directory) return invalid_argument("opening {}: it is a folder", path);
  return RandomFile(path, std::move(file), info.bytes);
}

Result<void> RandomFile::read(std::uint64_t offset, std::span<char> buffer) const {
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                            read_at(file_.get(), path_, offset, buffer.data(), buffer.size()));
  if (got < buffer.size()) {
    return corrupt("{}: ends at offset {}, expected {} more bytes", path_, offset + got,
                   buffer.size() - got);
  }
  return {};
}

}  // namespace headrace::io
