// SPDX-License-Identifier: Apache-2.0
// Rows and fields of comma-separated values (RFC 4180).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "read/internal/line_blocks.h"

namespace headrace::read {

// Follows the quotes of a row from line to line, in the raw bytes of any encoding that lines can be
// cut in: the quote and the separator are never a part of another character.
class CsvQuotes {
 public:
  CsvQuotes(char separator, Newline newline) : separator_(separator), newline_(newline) {}

  // Looks at the next line of a row, without its newline. True if the row ends with it.
  bool ends_row(std::string_view line);
  void reset() { state_ = State::kFieldStart; }

 private:
  enum class State { kFieldStart, kPlain, kQuoted, kQuoteInQuoted };

  const char separator_;
  const Newline newline_;
  State state_ = State::kFieldStart;
};

// Cuts a row in UTF-8, without its line end, into fields. False if a quoted field goes on behind
// its closing quote or is not closed; `bad` is then where.
class CsvFields {
 public:
  explicit CsvFields(char separator) : separator_(separator) {}

  bool cut(std::string_view row);
  const std::vector<std::string_view>& fields() const { return fields_; }
  std::size_t bad() const { return bad_; }

 private:
  const char separator_;
  std::vector<std::string_view> fields_;
  std::string unquoted_;  // the fields whose doubled quotes were made one
  std::size_t bad_ = 0;
};

}  // namespace headrace::read
