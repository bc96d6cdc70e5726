// SPDX-License-Identifier: Apache-2.0
// The audit: samples by rule, what a person decided on them, and what follows for the rules.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/audit.h"

#include "report/label_file.h"

namespace headrace::report {

// One document to look at.
struct AuditItem {
  std::string id;
  std::string domain;
  std::string source;                // path of the input file
  double value = 0;                  // what the rule saw; NaN = no number
  std::string bound;                 // "max 0.3"; "" where there is none
  std::vector<std::string> reasons;  // all that the run gave it; empty = kept
  std::string front;                 // start of its text, cut on a character border
  std::uint64_t bytes = 0;           // of the whole text
};

enum class Group : std::uint8_t { kDropped, kPassed };

struct AuditRule {
  std::string reason;  // "digit_share_above_max"
  std::string column;  // "" where no single measure is behind it
  std::string summary;
  bool is_max = false;
  std::uint64_t documents = 0;
  std::vector<AuditItem> dropped;  // in random order, so that any first part is a sample, too
  std::vector<AuditItem> passed;   // closest to the bound first

  const std::vector<AuditItem>& items(Group group) const {
    return group == Group::kDropped ? dropped : passed;
  }
};

struct AuditData {
  std::string name;  // of the recipe
  std::string run_directory;
  std::string version;
  std::string by;
  std::vector<AuditRule> rules;
  std::uint64_t leak_finds = 0;  // on the page of the review; 0 where there is none
  // The whole text of a document that some rule shows. Thread-safe.
  std::function<Result<std::string>(const std::string& id)> text_of;
};

// Wilson's 95 % interval of `part` of `whole`; [0, 1] when `whole` is 0.
std::pair<double, double> wilson_interval(std::uint64_t part, std::uint64_t whole);

// What the page asks for and does. A decision is about a document: it counts in every sample that
// holds it. Thread-safe.
class AuditSession {
 public:
  // Reads the labels that are there; locks the file against a second session.
  static Result<std::unique_ptr<AuditSession>> open(AuditData data, const std::string& labels);

  const AuditData& data() const { return data_; }
  const std::string& labels() const { return file_.path(); }

  // JSON documents for the page.
  std::string everything() const;
  Result<std::string> text(const std::string& id) const;
  // The whole text; not_found for a document that is not shown.
  Result<std::string> whole_text(const std::string& id) const;

  // Both return what the page has to show now, and only after the line is on the disk.
  Result<std::string> decide(std::size_t rule, Group group, std::size_t item, Mark mark);
  Result<std::string> undo();

  AuditResult result() const;

 private:
  struct Place {
    std::size_t rule = 0;
    Group group = Group::kDropped;
    std::size_t item = 0;
  };
  struct Past {
    std::string id;
    Mark before = Mark::kNone;
    Place place;
  };

  AuditSession(AuditData data, LabelFile file);
  const AuditItem& at(const Place& place) const;
  void replay(const std::vector<Decision>& decisions);
  Result<void> save(const Place& place, Mark mark, bool is_undo);
  AuditShare share_of(const std::vector<AuditItem>& items) const;
  std::string change(const Place& place) const;

  const AuditData data_;
  LabelFile file_;
  std::map<std::string, Place, std::less<>> places_;  // the first place of each document
  mutable std::mutex mutex_;                          // guards what follows, and file_
  std::map<std::string, Mark, std::less<>> marks_;
  std::vector<Past> past_;  // for undo, last decision last
  std::uint64_t decisions_ = 0;
  std::uint64_t foreign_ = 0;
};

}  // namespace headrace::report
