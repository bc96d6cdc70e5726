// SPDX-License-Identifier: Apache-2.0
// Records that never became documents: where they stood, why, and their bytes. One JSON line each
// in rejected/part-*.jsonl.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "record/document.h"

namespace headrace::curate {

struct RejectedRow {
  std::uint64_t file = 0;    // ordinal of the input file
  std::uint64_t offset = 0;  // in the decompressed file
  // Inside what the task read of the file, from 1; 0 where there are no lines.
  std::uint64_t line = 0;
  bool quarantined = false;  // else dropped
  std::string reason;
  std::string detail;
  std::uint64_t bytes = 0;  // length of the record
  std::string raw;          // printable() of its first kKeptBytes bytes
};

// The source keeps the whole record; the run keeps enough of it to see what is wrong.
inline constexpr std::size_t kKeptBytes = 64 << 10;

std::string format_rejected(const RejectedRow& row);  // one line with its '\n'
Result<RejectedRow> parse_rejected(std::string_view line);

// Bytes as text for people and JSON, with nothing lost: valid UTF-8 as it is, every other byte as
// \xNN, \ as \\.
std::string printable(std::string_view raw);

}  // namespace headrace::curate
