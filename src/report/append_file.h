// SPDX-License-Identifier: Apache-2.0
// A file of what people decided, a line each: only ever appended to, by one process at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::report {

// Movable; single-threaded.
class AppendFile {
 public:
  // Makes the file if there is none. `take` gets each of its lines, in order; what it refuses is an
  // error that names the line. A last line without its end, which a power cut left, is passed over.
  static Result<AppendFile> open(const std::string& path,
                                 const std::function<Result<void>(std::string_view line)>& take);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  const std::string& path() const { return path_; }
  // `line` ends in '\n'. On the disk when this returns; on an error nothing of it is.
  Result<void> append(std::string_view line);

 private:
  AppendFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  bool write_whole(std::string_view line) const;

  std::string path_;
  int descriptor_ = -1;
  std::int64_t bytes_ = 0;  // whole lines; anything behind is cut off by the next append
};

}  // namespace headrace::report
