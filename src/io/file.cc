// SPDX-License-Identifier: Apache-2.0
// Whole reads, maps, hashes and the small questions about paths.
#include "io/file.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/quote.h"
#include "io/internal/descriptor.h"
#include "io/internal/file_system.h"
#include "io/uri.h"

namespace headrace::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
// Room in a path for the files that are written below a new folder.
constexpr std::size_t kLongestBelow = 200;

std::int64_t nanoseconds(const struct timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_nsec};
}

// Whether folders of these names can be made below `folder`.
Result<void> check_names(const std::string& folder, const std::vector<std::string>& names) {
  const long most = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  std::size_t path_bytes = folder.size();
  for (const std::string& name : names) {
    path_bytes += name.size() + 1;
    if (most > 0 && name.size() > static_cast<std::size_t>(most)) {
      return invalid_argument("the name {} has {} bytes; a name there may have {}", excerpt(name),
                              name.size(), most);
    }
  }
  if (path_bytes + kLongestBelow >= PATH_MAX) {
    return invalid_argument(
        "the path has {} bytes, and {} with what is written below it; a path "
        "may have {}",
        path_bytes, path_bytes + kLongestBelow, PATH_MAX - 1);
  }
  return {};
}

Result<FileInfo> remote_info(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const Uri uri, parse_uri(path));
  HEADRACE_ASSIGN_OR_RETURN(const std::shared_ptr<FileSystem> files, file_system_of(uri));
  return files->info(uri);
}

}  // namespace

Result<FileInfo> file_info(const std::string& path) {
  if (is_remote(path)) return remote_info(path);
  struct stat status{};
  if (::stat(local_path(path).c_str(), &status) != 0) {
    return errno_status(errno, "looking at " + path);
  }
  FileInfo info;
  info.bytes = static_cast<std::uint64_t>(status.st_size);
  info.modified_ns = nanoseconds(status.st_mtim);
  info.changed_ns = std::max(nanoseconds(status.st_ctim), info.modified_ns);
  info.is_directory = S_ISDIR(status.st_mode);
  return info;
}

bool exists(const std::string& path) { return file_info(path).has_value(); }

Result<std::string> read_file(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, open_sequential(path, 0));
  // The size is a hint: files under /proc say 0, and a file may grow while it is read.
  std::string bytes(static_cast<std::size_t>(file->bytes()) + 1, '\0');
  std::size_t done = 0;
  for (;;) {
    HEADRACE_ASSIGN_OR_RETURN(
        const std::size_t got,
        file->read_at(done, std::span(bytes.data() + done, bytes.size() - done)));
    done += got;
    if (done < bytes.size()) break;
    bytes.resize(bytes.size() + kBlockBytes);
  }
  bytes.resize(done);
  return bytes;
}

Result<void> make_directories(const std::string& path) {
  HEADRACE_RETURN_IF_ERROR(require_local(path, "making the folder"));
  std::error_code error;
  std::filesystem::create_directories(local_path(path), error);
  if (error) return errno_status(error.value(), "making the folder " + path);
  return {};
}

Result<void> remove_all(const std::string& path) {
  HEADRACE_RETURN_IF_ERROR(require_local(path, "removing"));
  std::error_code error;
  std::filesystem::remove_all(local_path(path), error);
  if (error && error.value() != ENOENT) return errno_status(error.value(), "removing " + path);
  return {};
}

Result<std::uint64_t> free_bytes(const std::string& path) {
  HEADRACE_RETURN_IF_ERROR(require_local(path, "asking for the free space at"));
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(local_path(path), error);
  if (error) return errno_status(error.value(), "looking for the folder of " + path);
  struct statvfs status{};
  while (::statvfs(place.c_str(), &status) != 0) {
    if ((errno != ENOENT && errno != ENOTDIR) || place == place.parent_path()) {
      return errno_status(errno, "asking for the free space at " + path);
    }
    place = place.parent_path();
  }
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

Result<void> check_creatable(const std::string& path) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(local_path(path), error);
  if (error) return errno_status(error.value(), "looking for the folder of " + path);
  std::vector<std::string> missing;
  struct stat status{};
  while (::stat(place.c_str(), &status) != 0) {
    const int why = errno;
    if (why == ENOENT && ::lstat(place.c_str(), &status) == 0)
      return unavailable("{} is a link to a place that is not there", place.string());
    // A name that is too long is found on the way up, where it is told by itself.
    if ((why != ENOENT && why != ENAMETOOLONG) || place == place.parent_path())
      return errno_status(why, "looking at " + place.string());
    missing.push_back(place.filename().string());
    place = place.parent_path();
  }
  HEADRACE_RETURN_IF_ERROR(check_names(place.string(), missing));
  if (!S_ISDIR(status.st_mode)) return errno_status(ENOTDIR, "writing into " + place.string());
  if (::access(place.c_str(), W_OK | X_OK) != 0)
    return errno_status(errno, "writing into " + place.string());
  return {};
}

std::string join(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && path.back() != '/') path += '/';
  path += name;
  return path;
}

Result<Hash128> hash_file(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, open_sequential(path, 0));
  Hasher hasher;
  std::string block(kBlockBytes, '\0');
  for (std::uint64_t offset = 0;;) {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, file->read_at(offset, block));
    hasher.update(std::string_view(block.data(), got));
    offset += got;
    if (got < block.size()) return hasher.digest();
  }
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  HEADRACE_RETURN_IF_ERROR(require_local(path, "mapping"));
  HEADRACE_ASSIGN_OR_RETURN(const Descriptor file, open_for_reading(local_path(path)));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return errno_status(errno, "looking at " + path);
  if (S_ISDIR(status.st_mode)) return errno_status(EISDIR, "mapping " + path);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile(nullptr, 0);  // mmap refuses an empty range
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) return errno_status(errno, "mapping " + path);
  return MappedFile(static_cast<const char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace headrace::io
