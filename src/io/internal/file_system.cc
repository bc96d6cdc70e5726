// SPDX-License-Identifier: Apache-2.0
// Which file system a name belongs to, and local files as one more of them.
#include "io/internal/file_system.h"

#include <fcntl.h>
#include <utility>

#include "base/error.h"
#include "io/internal/http.h"
#include "io/internal/object_store.h"

namespace headrace::io {
namespace {

class LocalFile final : public ReadableFile {
 public:
  LocalFile(std::string name, Descriptor file, std::uint64_t bytes)
      : name_(std::move(name)), file_(std::move(file)), bytes_(bytes) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    return io::read_at(file_.get(), name_, offset, buffer.data(), buffer.size());
  }
  std::uint64_t bytes() const override { return bytes_; }
  const std::string& name() const override { return name_; }
  int descriptor() const { return file_.get(); }

 private:
  const std::string name_;
  const Descriptor file_;
  const std::uint64_t bytes_;
};

Result<std::unique_ptr<LocalFile>> open_local(const std::string& path) {
  const std::string local = local_path(path);
  HEADRACE_ASSIGN_OR_RETURN(Descriptor file, open_for_reading(local));
  HEADRACE_ASSIGN_OR_RETURN(const FileInfo info, file_info(local));
  if (info.is_directory) return invalid_argument("opening {}: it is a folder", path);
  return std::make_unique<LocalFile>(local, std::move(file), info.bytes);
}

Result<std::unique_ptr<ReadableFile>> open_remote(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const Uri uri, parse_uri(path));
  HEADRACE_ASSIGN_OR_RETURN(const std::shared_ptr<FileSystem> files, file_system_of(uri));
  return files->open(uri);
}

}  // namespace

Result<std::shared_ptr<FileSystem>> file_system_of(const Uri& uri) {
  if (uri.scheme == "http" || uri.scheme == "https") return web();
  if (uri.scheme == "file") {
    return invalid_argument("{}: names the machine '{}'; files of this one are file:///PATH",
                            uri.name, uri.authority);
  }
  return object_store_of(uri);
}

Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) {
  if (is_remote(path)) return open_remote(path);
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, open_local(path));
  return file;
}

Result<std::unique_ptr<ReadableFile>> open_sequential(const std::string& path,
                                                      std::uint64_t begin) {
  if (is_remote(path)) {
    HEADRACE_ASSIGN_OR_RETURN(auto file, open_remote(path));
    return read_ahead(std::move(file));
  }
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<LocalFile> file, open_local(path));
  ::posix_fadvise(file->descriptor(), static_cast<off_t>(begin), 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<ReadableFile>(std::move(file));
}

Result<void> require_local(const std::string& path, std::string_view doing) {
  if (!is_remote(path)) return {};
  return unsupported("{} {}: that needs a local path", doing, public_name(path));
}

}  // namespace headrace::io
