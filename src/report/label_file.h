// SPDX-License-Identifier: Apache-2.0
// Decisions of people, one JSON line each: docs/formats/labels.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "report/append_file.h"

namespace headrace::report {

enum class Mark : std::uint8_t { kNone, kGarbage, kWorthKeeping, kUnsure };

// "garbage", "keep", "unsure", "none". Part of the format.
std::string_view name_of(Mark mark);
bool parse_mark(std::string_view name, Mark* mark);

struct Decision {
  std::string id;
  std::string text;
  Mark mark = Mark::kNone;  // kNone: an earlier decision was taken back
  std::string rule;
  std::string group;  // "dropped" or "passed"
  double value = 0;   // NaN = none
  std::string bound;
  std::string domain;
  std::string source;
  std::string time;  // "2026-01-31T09:30:00Z"
  std::string by;
  bool cut = false;  // the document goes on behind `text`
  bool undo = false;
};

// Texts are kept whole up to here.
inline constexpr std::size_t kLabelTextBytes = 1 << 20;

std::string format_decision(const Decision& decision);  // one line with its '\n'
Result<Decision> parse_decision(std::string_view line);

// Appends to a file, one process at a time. Movable; single-threaded.
class LabelFile {
 public:
  // Makes the file if there is none. `decisions` gets what it holds, in order; a line that cannot
  // be read is an error that names it, but for a last one without its end, which a power cut left.
  static Result<LabelFile> open(const std::string& path, std::vector<Decision>* decisions);

  const std::string& path() const { return file_.path(); }
  // On the disk when it returns; on an error nothing of it is.
  Result<void> append(const Decision& decision);

 private:
  explicit LabelFile(AppendFile file) : file_(std::move(file)) {}

  AppendFile file_;
};

}  // namespace headrace::report
