// SPDX-License-Identifier: Apache-2.0
// What the rest of the room asks of a place that holds files, wherever it is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "io/file.h"
#include "io/internal/descriptor.h"
#include "io/uri.h"

namespace headrace::io {

// An open file. Thread-safe, but for the one of open_sequential().
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  // Fills `buffer` from `offset` on; fewer bytes only at the end of the file.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) = 0;
  // When it was opened.
  virtual std::uint64_t bytes() const = 0;
  virtual const std::string& name() const = 0;
};

// A file in the making elsewhere: there when commit() is done, not before, and never when it is
// not called. Single-threaded.
class RemoteWriter {
 public:
  virtual ~RemoteWriter() = default;
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> commit() = 0;
};

struct Listed {
  std::string path;  // as in Uri::path
  FileInfo info;
};

// Thread-safe. Every function repeats what fails for a passing reason and its errors name the file.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // Code::kNotFound when there is neither a file nor a folder.
  virtual Result<FileInfo> info(const Uri& uri) = 0;
  // What lies in the folder `folder` ("" = all) of the place of `uri`, or, `recursive`, all files
  // below it. A folder that is not there holds nothing.
  virtual Result<std::vector<Listed>> list(const Uri& uri, const std::string& folder,
                                           bool recursive) = 0;
  virtual Result<std::unique_ptr<ReadableFile>> open(const Uri& uri) = 0;
  virtual Result<std::unique_ptr<RemoteWriter>> create(const Uri& uri) = 0;
};

// The file system of a URI that is_remote(). Code::kUnsupported for schemes that nobody serves.
Result<std::shared_ptr<FileSystem>> file_system_of(const Uri& uri);

// For reads anywhere in a file.
Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path);
// For reads in order, by one thread, from about `begin` on.
Result<std::unique_ptr<ReadableFile>> open_sequential(const std::string& path, std::uint64_t begin);
// Serves reads in order of `file` from larger requests. For one thread.
std::unique_ptr<ReadableFile> read_ahead(std::unique_ptr<ReadableFile> file);

// Files of `uri` that match its path as a pattern: see glob(). Sorted by name.
Result<std::vector<FoundFile>> find_in(FileSystem& files, const Uri& uri);

// An error for what only local files can do: `doing` reads like "mapping".
Result<void> require_local(const std::string& path, std::string_view doing);

}  // namespace headrace::io
