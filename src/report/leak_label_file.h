// SPDX-License-Identifier: Apache-2.0
// What people say of finds of the leak check, one JSON line each: docs/formats/labels.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "report/append_file.h"

namespace headrace::report {

enum class LeakMark : std::uint8_t { kNone, kLeak, kNotLeak, kUnsure };

// "leak", "not_leak", "unsure", "none". Part of the format.
std::string_view name_of(LeakMark mark);
bool parse_mark(std::string_view name, LeakMark* mark);

struct LeakDecision {
  std::string id;  // of the document
  std::string set;
  std::string item;
  std::uint64_t begin = 0;  // bytes of the document
  std::uint64_t end = 0;
  LeakMark mark = LeakMark::kNone;  // kNone: an earlier decision was taken back
  std::string verdict;
  std::string view;
  double ratio = 0;
  double mass = 0;
  std::string text;  // what stands there in the document
  std::string domain;
  std::string source;
  std::string time;
  std::string by;
  bool undo = false;

  // What a find is told by: document, item and place.
  std::string key() const;
};

std::string format_decision(const LeakDecision& decision);  // one line with its '\n'
Result<LeakDecision> parse_leak_decision(std::string_view line);

// Appends to a file, one process at a time. Movable; single-threaded.
class LeakLabelFile {
 public:
  // As LabelFile::open.
  static Result<LeakLabelFile> open(const std::string& path, std::vector<LeakDecision>* decisions);

  const std::string& path() const { return file_.path(); }
  // On the disk when it returns; on an error nothing of it is.
  Result<void> append(const LeakDecision& decision);

 private:
  explicit LeakLabelFile(AppendFile file) : file_(std::move(file)) {}

  AppendFile file_;
};

}  // namespace headrace::report
