// SPDX-License-Identifier: Apache-2.0
// A quote opens a quoted field only at the start of a field; in the middle of another one it is a
// character, as spreadsheets and Python's csv have it.
#include "read/internal/csv_rows.h"

#include <algorithm>

namespace headrace::read {

bool CsvQuotes::ends_row(std::string_view line) {
  const std::size_t step = newline_bytes(newline_);
  const std::size_t low = newline_ == Newline::kUtf16Big ? 1 : 0;
  const auto at = [&](std::size_t i) {
    if (step == 1) return line[i];
    return line[i + 1 - low] == '\0' ? line[i + low] : '\x7F';
  };
  for (std::size_t i = 0; i + step <= line.size(); i += step) {
    if (step == 1 && (state_ == State::kQuoted || state_ == State::kPlain)) {
      i = line.find(state_ == State::kQuoted ? '"' : separator_, i);
      if (i == line.npos) break;
    }
    const char c = at(i);
    switch (state_) {
      case State::kFieldStart:
        state_ = c == '"' ? State::kQuoted : c == separator_ ? State::kFieldStart : State::kPlain;
        break;
      case State::kPlain:
      case State::kQuoteInQuoted:
        if (c == separator_) {
          state_ = State::kFieldStart;
        } else {
          state_ = state_ == State::kQuoteInQuoted && c == '"' ? State::kQuoted : State::kPlain;
        }
        break;
      case State::kQuoted:
        if (c == '"') state_ = State::kQuoteInQuoted;
        break;
    }
  }
  if (state_ == State::kQuoted) return false;
  state_ = State::kFieldStart;
  return true;
}

bool CsvFields::cut(std::string_view row) {
  fields_.clear();
  unquoted_.clear();
  // Views into it must not move.
  unquoted_.reserve(row.size());
  std::size_t at = 0;
  for (;;) {
    if (at < row.size() && row[at] == '"') {
      const std::size_t begin = ++at;
      const std::size_t from = unquoted_.size();
      bool doubled = false;
      std::size_t quote = row.find('"', at);
      for (; quote != row.npos && quote + 1 < row.size() && row[quote + 1] == '"';
           quote = row.find('"', at)) {
        doubled = true;
        unquoted_ += row.substr(at, quote + 1 - at);
        at = quote + 2;
      }
      bad_ = quote == row.npos ? begin - 1 : quote + 1;
      if (quote == row.npos) return false;
      if (doubled) {
        unquoted_ += row.substr(at, quote - at);
        fields_.push_back(std::string_view(unquoted_).substr(from));
      } else {
        fields_.push_back(row.substr(begin, quote - begin));
      }
      at = quote + 1;
      if (at == row.size()) return true;
      if (row[at] != separator_) return false;
    } else {
      const std::size_t end = std::min(row.find(separator_, at), row.size());
      fields_.push_back(row.substr(at, end - at));
      at = end;
      if (at == row.size()) return true;
    }
    ++at;
    // A separator at the end has an empty field behind it.
    if (at == row.size()) {
      fields_.emplace_back();
      return true;
    }
  }
}

}  // namespace headrace::read
