// SPDX-License-Identifier: Apache-2.0
// How compressed input files are cut, kept in the run directory: finding out may mean to decompress
// them (io/frame_index.h), and a run that resumes need not do it again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "curate/inputs.h"
#include "curate/recipe.h"
#include "curate/run_directory.h"
#include "read/reader.h"

namespace headrace::curate {

class KnownSplits {
 public:
  // What splits.json holds. A missing or damaged one holds nothing.
  static KnownSplits read(const RunDirectory& directory);
  // Whether there is a splits.json that cannot be read or is not what was written.
  static bool is_damaged(const RunDirectory& directory);

  // The splits of a file that has not changed and is read and cut in the same way.
  std::optional<std::vector<read::Split>> find(const std::string& key, const InputFile& file,
                                               std::uint64_t ordinal) const;
  void keep(const std::string& key, const InputFile& file, const std::vector<read::Split>& splits);

  // Everything that the splits of a file follow from: its path, size and time, the target, and how
  // its source is read.
  static std::string key_of(const Recipe::Data& recipe, const InputFile& file,
                            std::uint64_t target_bytes);

  // Writes splits.json if it holds anything else than this; removes it if this is nothing.
  Result<void> write(const RunDirectory& directory) const;

 private:
  struct Entry {
    std::string path;  // for people
    std::vector<read::Split> splits;
  };
  std::string format() const;

  std::map<std::string, Entry> files_;  // by key
};

}  // namespace headrace::curate
