// SPDX-License-Identifier: Apache-2.0
// What tasks have done: one small file per finished task, written last and by rename. A task
// without a valid commit has not happened, whatever else lies in the directory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"
#include "curate/run_directory.h"

namespace headrace::curate {

// Records of a file that were quarantined for one reason.
struct Quarantined {
  std::uint64_t records = 0;
  std::uint64_t first_offset = 0;
};

// Counts of one input file inside one task and stage.
struct FileCounts {
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  std::uint64_t quarantined = 0;
  std::map<std::string, Quarantined> quarantine;  // by reason; together `quarantined`
  std::uint64_t lines = 0;                        // physical lines, for formats with lines
  std::map<std::string, std::uint64_t> dropped;   // reason → records

  void add(const FileCounts& other);
};

struct OutputFile {
  std::string path;  // relative to the run directory
  std::uint64_t bytes = 0;
  std::string xxh3_128;
};

struct Commit {
  std::string fingerprint;  // of the task: its inputs and all that affects its result
  std::vector<OutputFile> outputs;
  std::map<std::uint64_t, FileCounts> files;                 // input file ordinal → counts
  std::vector<std::pair<std::uint64_t, std::string>> notes;  // input file ordinal, "kind: detail"
  // What the stage wants to remember ("tokens", "rows").
  std::map<std::string, std::uint64_t> numbers;

  // Digest of the fingerprint and all outputs: what a later stage depends on.
  std::string digest() const;
};

// Whether an output is what was committed is asked at each resume, so it must be cheap: sizes, and
// times. A file that was last touched before its commit was written cannot have changed since; one
// that was touched later is read and its checksum compared. What changes without a time (bit rot)
// is found by `headrace verify`, which reads everything.
//
// Thread-safe: tasks commit from several threads, each under its own (stage, task).
class Ledger {
 public:
  explicit Ledger(const RunDirectory& directory) : directory_(directory) {}

  // The commit of a task if it is valid: same fingerprint, no broken_output().
  std::optional<Commit> find(std::string_view stage, std::size_t task,
                             std::string_view fingerprint) const;
  // The commit whatever its fingerprint; nothing if there is none or it cannot be read.
  std::optional<Commit> read(std::string_view stage, std::size_t task) const;
  // The first output of a commit that is gone, or is not what was committed. `folders`: of those
  // alone, all if empty.
  std::optional<std::string> broken_output(std::string_view stage, std::size_t task,
                                           const Commit& commit,
                                           std::span<const char* const> folders = {}) const;
  // Outputs that this process had to read for broken_output() and found whole need not be read by
  // the next one: touches the commit.
  void renew(std::string_view stage, std::size_t task) const;
  // Measures and hashes `outputs` (paths relative to the run, already in place) and writes the
  // commit.
  Result<void> write(std::string_view stage, std::size_t task, Commit commit) const;
  // Removes the commit of a task and the outputs that it names, the commit last. A commit that
  // cannot be read is removed alone.
  Result<void> forget(std::string_view stage, std::size_t task) const;
  // Removes the commits of a stage from task `first` on, with their outputs: a plan with fewer
  // tasks leaves none of the old behind.
  Result<void> forget_from(std::string_view stage, std::size_t first) const;
  // All commits of a stage in task order, until the first that is missing.
  std::vector<Commit> all(std::string_view stage) const;
  // Where a commit lies, relative to the run directory: "tasks/documents/00012.json".
  static std::string name(std::string_view stage, std::size_t task);

 private:
  std::string path(std::string_view stage, std::size_t task) const;
  std::int64_t trusted_until(const std::string& commit_path) const;

  const RunDirectory& directory_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::int64_t> reread_;  // commit → the latest time of its outputs
};

// Hashes a list of words into a fingerprint; every word is length-prefixed, so that none can flow
// into the next.
class Fingerprint {
 public:
  Fingerprint& add(std::string_view word);
  Fingerprint& add(std::uint64_t number);
  Fingerprint& add(double number);
  Fingerprint& add(const std::vector<bool>& bits);
  std::string hex() const;

 private:
  Hasher hasher_;
};

}  // namespace headrace::curate
