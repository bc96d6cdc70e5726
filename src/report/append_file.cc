// SPDX-License-Identifier: Apache-2.0
// An hour of somebody's judgement must survive a killed process, a full disk and a power cut. So
// each decision is one write and one fsync before the page is told; what a failed write left behind
// is cut off before the next one.
#include "report/append_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "io/file.h"

namespace headrace::report {
namespace {

// Whole lines of `content`; returns where they end.
Result<std::int64_t> take_lines(std::string_view content, const std::string& path,
                                const std::function<Result<void>(std::string_view)>& take) {
  std::size_t begin = 0;
  for (std::size_t line = 1; begin < content.size(); ++line) {
    const std::size_t end = content.find('\n', begin);
    if (end == std::string_view::npos) break;
    const std::string_view text = content.substr(begin, end - begin);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
      if (const auto taken = take(text); !taken) {
        return corrupt("{} line {}: {}: mend or remove that line, or choose another --labels", path,
                       line, taken.error().message());
      }
    }
    begin = end + 1;
  }
  return static_cast<std::int64_t>(begin);
}

}  // namespace

Result<AppendFile> AppendFile::open(
    const std::string& path, const std::function<Result<void>(std::string_view line)>& take) {
  const int descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return errno_status(errno, fmt::format("opening the labels {}", path));
  AppendFile file(path, descriptor);
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return errno_status(errno, fmt::format("opening the labels {}", path));
  if (!S_ISREG(info.st_mode)) {
    return invalid_argument(
        "the labels {} are no regular file, so decisions would not stay there: choose another "
        "--labels",
        path);
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return unavailable("another audit writes to {}: end it, or choose another --labels", path);
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::string content, io::read_file(path));
  HEADRACE_ASSIGN_OR_RETURN(file.bytes_, take_lines(content, path, take));
  return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(other.descriptor_), bytes_(other.bytes_) {
  other.descriptor_ = -1;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> AppendFile::append(std::string_view line) {
  if (::ftruncate(descriptor_, bytes_) != 0 || !write_whole(line) || ::fsync(descriptor_) != 0) {
    const Status status = errno_status(errno, fmt::format("writing to {}", path_));
    // What a killed process leaves is cut off by the next append; this one can do it at once.
    if (::ftruncate(descriptor_, bytes_) != 0)
      log_warning("{} ends with a part of a decision that was not saved", path_);
    return status;
  }
  bytes_ += static_cast<std::int64_t>(line.size());
  return {};
}

bool AppendFile::write_whole(std::string_view line) const {
  while (!line.empty()) {
    const ::ssize_t wrote = ::write(descriptor_, line.data(), line.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    line.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

}  // namespace headrace::report
