// SPDX-License-Identifier: Apache-2.0
// Side files of the validation split: sides, and validation text found in training documents. Part
// of the format; see docs/formats/leak.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headrace/result.h"

#include "curate/run_directory.h"
#include "record/text_view.h"

namespace headrace::curate {

// Text of a validation document that stands in a training document.
struct SplitLeak {
  std::uint64_t id = 0;  // of the training document
  std::uint64_t validation_id = 0;
  bool leak = false;  // else too little to be one: to look at
  double share_validation = 0;
  double share_training = 0;
  double mass = 0;
  std::vector<TextRange> pieces;  // of the training document

  double share() const { return std::max(share_validation, share_training); }
};

// The rows of one part.
struct SplitPart {
  std::vector<std::uint64_t> ids;
  std::vector<bool> validation;
  std::vector<bool> scanned;     // training documents that were looked through
  std::vector<SplitLeak> leaks;  // by id, then the larger mass first

  static Result<SplitPart> load(const RunDirectory& directory, std::size_t part);
  static Result<std::vector<bool>> load_scanned(const RunDirectory& directory, std::size_t part);
  static Result<std::vector<SplitLeak>> load_leaks(const RunDirectory& directory, std::size_t part);
  Result<void> write(const RunDirectory& directory, std::size_t part) const;
};

}  // namespace headrace::curate
