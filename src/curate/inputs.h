// SPDX-License-Identifier: Apache-2.0
// Recipe sources → the run's input files and the splits that tasks read.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "curate/recipe.h"
#include "read/reader.h"

namespace headrace::curate {

struct InputFile {
  std::string path;  // a local path, or a URI by its public name (io/uri.h)
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::size_t source = 0;    // index in Recipe::Data::sources
  std::uint32_t domain = 0;  // index in Recipe::Data::domains()
  std::string format;        // name of its reader
  std::string version;       // what a web server calls this content; "" for all others
};

// Files of all sources: by source, then by path bytes. The place in this list is the file's ordinal
// and so the high half of every document id. A source without files, an unknown format and a file
// claimed twice are errors.
Result<std::vector<InputFile>> expand_inputs(const Recipe::Data& recipe);

// What one task reads: splits in file order, near the target size together.
struct InputTask {
  std::vector<read::Split> splits;
  std::uint64_t bytes = 0;
};

// Readers by file. One reader serves all files of one source and format. Thread-safe after
// construction.
class InputReaders {
 public:
  static Result<InputReaders> make(const Recipe::Data& recipe, const std::vector<InputFile>& files);
  const read::Reader& of(std::uint64_t file) const { return *readers_[of_file_[file]]; }

 private:
  std::vector<std::unique_ptr<read::Reader>> readers_;
  std::vector<std::size_t> of_file_;
};

class KnownSplits;

struct PlanOptions {
  std::size_t threads = 1;
  std::stop_token stop;
};

// Cuts the files into tasks. The cuts depend on the files alone, never on threads: they decide
// which part holds which document. Splits weigh 4 to 64 MiB, a 32nd of all input in between, so
// that small corpora keep all cores busy, too. `known` tells how compressed files were cut before
// and afterwards holds those of this plan, and no others.
Result<std::vector<InputTask>> plan_tasks(const Recipe::Data& recipe,
                                          const std::vector<InputFile>& files,
                                          const InputReaders& readers, KnownSplits* known,
                                          const PlanOptions& options);

// Looks at the first records of every source: one in which no record has the text field is an error
// that names the fields that are there. Finds at the start what would otherwise be found at the
// end.
Result<void> probe_text_fields(const Recipe::Data& recipe, const std::vector<InputFile>& files,
                               const std::vector<InputTask>& tasks, const InputReaders& readers);

}  // namespace headrace::curate
