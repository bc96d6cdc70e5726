// SPDX-License-Identifier: Apache-2.0
#include "curate/run_directory.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "io/uri.h"

namespace headrace::curate {

RunDirectory::RunDirectory(const std::string& root) : root_(io::local_path(root)) {}

std::string RunDirectory::at(std::string_view name) const { return io::join(root_, name); }

std::string RunDirectory::part(std::string_view folder, std::size_t number,
                               std::string_view extension) {
  return fmt::format("{}/part-{:05}.{}", folder, number, extension);
}

// The folder itself, not a pattern below it: "runs/[x]" is not runs/x.
Result<void> remove_leftovers(const RunDirectory& directory) {
  HEADRACE_ASSIGN_OR_RETURN(const auto files, io::glob(directory.root()));
  for (const std::string& path : files) {
    if (io::is_temporary_name(path)) HEADRACE_RETURN_IF_ERROR(io::remove_all(path));
  }
  return {};
}

Result<RunLock> RunLock::acquire(const RunDirectory& directory) {
  const std::string path = directory.at(".lock");
  const int descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return errno_status(errno, fmt::format("run directory {} cannot be written", directory.root()));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    return unavailable("another headrace works in {}: wait for it, or choose another --output",
                       directory.root());
  }
  return RunLock(descriptor);
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace headrace::curate
