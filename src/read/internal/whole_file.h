// SPDX-License-Identifier: Apache-2.0
// A file that is one record.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "read/reader.h"

namespace headrace::read {

// Single-threaded.
class WholeFile {
 public:
  // Decompresses the file. Beyond `max_bytes` it is read for its end and its counts, not kept.
  Result<void> read(const Split& split, std::uint64_t max_bytes, const std::stop_token& stop);

  std::string_view bytes() const { return bytes_; }
  // bytes, lines and notes.
  const ReadCounts& counts() const { return counts_; }
  // Of a file that is too long or cut off: what to reject it as; else its reason is "".
  const RejectedRecord& fault() const { return fault_; }
  RejectedRecord rejected(Rejection kind, std::string_view reason, std::string detail) const;

 private:
  std::string bytes_;
  ReadCounts counts_;
  RejectedRecord fault_;
};

// For formats whose files are not cut.
Result<std::vector<Split>> one_split(const std::string& path, std::uint64_t file);

}  // namespace headrace::read
