// SPDX-License-Identifier: Apache-2.0
// The review of a leak check: finds beside their items, what a person says of them, and what
// follows for the precision of the check.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/audit.h"

#include "report/leak_label_file.h"

namespace headrace::report {

// A stretch of text; marked where item and document agree.
struct Segment {
  std::string text;
  bool marked = false;
};

// `text` cut at the borders of ranges [begin, end), which are ascending; bytes.
std::vector<Segment> segments(std::string_view text,
                              const std::vector<std::pair<std::uint64_t, std::uint64_t>>& marked);

// One find to look at.
struct LeakFind {
  std::string id;  // of the document
  std::string domain;
  std::string source;
  std::string set;
  std::string item;     // id in the set
  std::string verdict;  // "drop" or "flag"
  std::string became;   // of the document: "kept", "dropped", "cut" (kept without the stretch)
  std::string view;
  double ratio = 0;
  double mass = 0;
  double density = 0;
  double question = 0;  // matched shares of the item's parts
  double options = 0;
  double answer = 0;
  double passage = 0;
  std::uint64_t begin = 0;  // bytes of the document
  std::uint64_t end = 0;
};

// Both texts of a find.
struct LeakTexts {
  struct ItemPart {
    std::string part;  // "question", "option", "answer", "solution", "passage"
    std::vector<Segment> text;
  };
  std::vector<ItemPart> item;
  std::vector<Segment> document;  // the stretch and what stands around it
  bool cut_before = false;        // the document begins before
  bool cut_behind = false;
  std::uint64_t bytes = 0;  // of the whole document
  std::string stretch;      // for the label
};

// Finds of one set and verdict.
struct LeakGroup {
  std::string set;
  std::string verdict;
  bool report_only = false;
  std::uint64_t finds = 0;      // of all
  std::vector<LeakFind> shown;  // a sample in random order, so that any first part is one, too
};

struct LeakReviewData {
  std::string name;  // of the recipe
  std::string run_directory;
  std::string version;
  std::string by;
  std::uint64_t items = 0;      // that were looked for
  std::uint64_t documents = 0;  // that were looked through
  std::vector<LeakGroup> groups;
  // Thread-safe.
  std::function<Result<LeakTexts>(const LeakFind& find)> texts_of;
  std::function<Result<std::string>(const LeakFind& find)> whole_document;
};

// What the page asks for and does. Thread-safe.
class LeakReview {
 public:
  // Reads the labels that are there; locks the file against a second session.
  static Result<std::unique_ptr<LeakReview>> open(LeakReviewData data, const std::string& labels);

  const LeakReviewData& data() const { return data_; }

  // JSON documents for the page.
  std::string everything() const;
  Result<std::string> texts(std::size_t group, std::size_t find) const;
  Result<std::string> whole_document(std::size_t group, std::size_t find) const;
  // Both return what the page has to show now, and only after the line is on the disk.
  Result<std::string> decide(std::size_t group, std::size_t find, LeakMark mark);
  Result<std::string> undo();

  std::vector<ReviewedLeaks> result() const;
  const std::string& labels() const { return file_.path(); }
  std::uint64_t decisions() const;

 private:
  struct Place {
    std::size_t group = 0;
    std::size_t find = 0;
  };
  struct Past {
    Place place;
    LeakMark before = LeakMark::kNone;
  };

  LeakReview(LeakReviewData data, LeakLabelFile file)
      : data_(std::move(data)), file_(std::move(file)) {}
  bool is_place(std::size_t group, std::size_t find) const;
  const LeakFind& at(const Place& place) const;
  void replay(const std::vector<LeakDecision>& decisions);
  Result<void> save(const Place& place, LeakMark mark, bool is_undo);
  LeakMark mark_of(const LeakFind& find) const;
  ReviewedLeaks share_of(const LeakGroup& group) const;
  std::string change(const Place& place) const;

  const LeakReviewData data_;
  LeakLabelFile file_;
  mutable std::mutex mutex_;                            // guards what follows, and file_
  std::map<std::string, LeakMark, std::less<>> marks_;  // by key_of()
  std::vector<Past> past_;                              // for undo, last decision last
  std::uint64_t decisions_ = 0;
};

}  // namespace headrace::report
