// SPDX-License-Identifier: Apache-2.0
// Where things lie in a run directory. Part of the format; see docs/formats/run_directory.md.
#pragma once

#include <string>

#include "headrace/result.h"

namespace headrace::curate {

class RunDirectory {
 public:
  // A path, or the file:// URI of one.
  explicit RunDirectory(const std::string& root);

  const std::string& root() const { return root_; }
  std::string at(std::string_view name) const;  // root/name
  std::string run_json() const { return at("run.json"); }
  // "normalized/part-00012.parquet", relative to the root.
  static std::string part(std::string_view folder, std::size_t number, std::string_view extension);
  std::string report_html() const { return at("report/index.html"); }
  std::string shards() const { return at("shards"); }
  std::string validation_shards() const { return at("shards/validation"); }

 private:
  std::string root_;
};

// Removes what a process left behind that was killed while it wrote. Call with the lock held.
Result<void> remove_leftovers(const RunDirectory& directory);

// Keeps a second process out of a run directory while one writes. The kernel releases the lock when
// the process ends, however it ends.
class RunLock {
 public:
  static Result<RunLock> acquire(const RunDirectory& directory);
  RunLock(RunLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace headrace::curate
