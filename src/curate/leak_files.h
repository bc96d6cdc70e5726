// SPDX-License-Identifier: Apache-2.0
// Side files of the leak check: which documents were looked at, and what was found in them. Part of
// the format; see docs/formats/leak.md.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "headrace/result.h"

#include "curate/run_directory.h"
#include "leak/leak.h"

namespace headrace::curate {

inline constexpr const char* kLeakFolder = "leak";
inline constexpr const char* kLeakDocumentsFolder = "leak/documents";
inline constexpr const char* kLeakHitsFolder = "leak/hits";
inline constexpr const char* kLeakIndexFile = "leak/index.bin";

std::string leak_documents_file(std::size_t part);
std::string leak_hits_file(std::size_t part);

// An item that stands in a document.
struct LeakHit {
  std::uint64_t id = 0;  // of the document
  std::string set;       // of the item
  std::string item;      // its id in the set
  leak::Hit hit;
};

// The rows of one part.
struct LeakPart {
  std::vector<std::uint64_t> ids;
  std::vector<bool> scanned;
  std::vector<LeakHit> hits;  // by id, then place

  static LeakPart unscanned(std::vector<std::uint64_t> ids);
  static Result<LeakPart> load(const RunDirectory& directory, std::size_t part);
  // Only which rows are scanned.
  static Result<std::vector<bool>> load_scanned(const RunDirectory& directory, std::size_t part);
  // Puts both files into their places.
  Result<void> write(const RunDirectory& directory, std::size_t part) const;
};

// "12-40 55-80": ranges as they stand in the files.
std::string format_ranges(const std::vector<TextRange>& ranges);
Result<std::vector<TextRange>> parse_ranges(std::string_view text);

}  // namespace headrace::curate
