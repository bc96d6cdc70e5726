// SPDX-License-Identifier: Apache-2.0
// Files: whole reads, memory maps, and writes that appear under their name complete or not at all.
//
// A path is local, or a URI: file://, s3://, gs://, abfs://, hdfs://, http(s)://. What only local
// files can do says so. A URI may end in a query for its store: s3://bucket/key?region=eu-west-1,
// s3://bucket/key?endpoint_override=127.0.0.1:9000&scheme=http.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"

namespace headrace::io {

struct FileInfo {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // whole seconds for remote files; 0 = the server does not tell
  // The last change of the content, the attributes or the name; 0 for remote files. Programs can
  // set modified_ns back, but not this.
  std::int64_t changed_ns = 0;
  bool is_directory = false;
  std::string version;  // what a web server calls this content (its ETag); "" for all others
};

Result<FileInfo> file_info(const std::string& path);
// False also for what cannot be looked at.
bool exists(const std::string& path);
Result<std::string> read_file(const std::string& path);
// Local only, as are remove_all() and free_bytes().
Result<void> make_directories(const std::string& path);
// Removes a file or a folder with all in it; a missing one is no error.
Result<void> remove_all(const std::string& path);
// Free bytes on the file system that holds `path` (or its nearest existing parent).
Result<std::uint64_t> free_bytes(const std::string& path);
// Whether a folder `path` can be made with files in it, or written into if it is there: its names,
// its links, and the rights in the nearest parent that exists. Changes nothing.
Result<void> check_creatable(const std::string& path);
std::string join(std::string_view folder, std::string_view name);

// Files that match a pattern, sorted by name bytes: * ? [..] inside a name, ** any depth of
// folders. A pattern without wildcards that names a folder means all files below it. Hidden files
// and folders (.x) match only a pattern that names the dot. Nothing matching is an empty list; an
// unreadable folder is an error. In an object store the '/' of keys make folders. A web server
// cannot be listed: without wildcards its path is one file, with them an error. What is found is
// named by public_name() of io/uri.h, which all functions here take.
Result<std::vector<std::string>> glob(const std::string& pattern);

struct FoundFile {
  std::string name;
  FileInfo info;
};
// The same for a pattern that is_remote(), with what the listing tells: no request for each file.
Result<std::vector<FoundFile>> find_remote(const std::string& pattern);

// A read-only map of a whole local file. Movable; thread-safe.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();
  std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

// A path to write to that becomes the real one by commit(). For libraries that insist on opening
// files themselves: write to temporary(), close, commit(). Uncommitted, the destructor removes the
// temporary file. The temporary name is the final one plus ".tmp" and the process id and a counter.
// Local only: commit() refuses a URI.
class AtomicPath {
 public:
  explicit AtomicPath(std::string path);
  ~AtomicPath();
  AtomicPath(AtomicPath&& other) noexcept;
  AtomicPath& operator=(AtomicPath&&) = delete;

  const std::string& path() const { return path_; }
  const std::string& temporary() const { return temporary_; }
  // fsync of the file, rename, fsync of the folder.
  Result<void> commit();

 private:
  std::string path_;
  std::string temporary_;
  bool done_ = false;
};

// A buffered file that appears under its name by commit(). Single-threaded. Local or s3://, where
// it is an upload that commit() completes and the destructor forgets.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Result<void> write(std::string_view bytes);
  std::uint64_t bytes_written() const;
  // XXH3-128 of everything written so far.
  Hash128 digest() const;
  Result<void> commit();

 private:
  struct State;
  explicit AtomicFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

Result<void> write_file_atomic(const std::string& path, std::string_view bytes);

// True for names that AtomicPath and AtomicFile left behind when a process was killed.
bool is_temporary_name(std::string_view name);

// XXH3-128 of a file's bytes.
Result<Hash128> hash_file(const std::string& path);

}  // namespace headrace::io
