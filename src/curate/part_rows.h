// SPDX-License-Identifier: Apache-2.0
// The rows of one part with their final verdicts, and their texts on demand. What cat, explain and
// the report read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "curate/context.h"
#include "curate/rejected.h"
#include "curate/removed_spans.h"

namespace headrace::curate {

struct PartVerdicts {
  std::vector<std::uint64_t> ids;
  std::vector<std::string> reasons;  // "" = kept; as far as the finished stages go
  std::vector<std::string> all_reasons;
  std::vector<double> values;  // NaN = none
  std::vector<std::uint64_t>
      duplicate_of;  // the survivor's id where the reason is kDuplicateReason
  // What is removed from the texts of kept rows; of dropped rows too, where nothing was left.
  RemovedSpans spans;
};

// Verdicts of a part, spans and mix included when they are finished. Before the verdict stage all
// rows are kept.
Result<PartVerdicts> load_verdicts(const Context& context, std::size_t part);

// The rows that the verdict stage keeps, whatever later stages say.
struct KeptRows {
  std::vector<std::uint64_t> ids;  // of all rows
  std::vector<bool> kept;

  std::uint64_t count() const {
    return static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), true));
  }
};
Result<KeptRows> load_kept(const Context& context, std::size_t part);

struct RowText {
  std::string text;
  std::string meta;
};

// Calls `sink(row, text)` for the rows with wanted[row], in order, until it returns false. Row
// groups without a wanted row are not read. The sink may take the text.
enum class TextFields { kAll, kText };  // kText: without `meta`
Result<void> for_each_text(const Context& context, std::size_t part,
                           const std::vector<bool>& wanted,
                           const std::function<bool(std::size_t row, RowText& text)>& sink,
                           TextFields fields = TextFields::kAll);

// The records that never became documents, part by part. Tasks count lines from where they start in
// a file; `line` here counts from the start of the file, so parts are read in order, from the
// first.
class RejectedRecords {
 public:
  explicit RejectedRecords(const Context& context) : context_(context) {}
  // Those of the next part, in id order.
  Result<std::vector<RejectedRow>> next_part();

 private:
  const Context& context_;
  std::size_t part_ = 0;
  std::map<std::uint64_t, std::uint64_t> lines_before_;  // by input file
};

// Parts that the document stage committed; 0 if it did not finish.
std::size_t part_count(const Context& context);

// At most `bytes` of `text`, cut on a character border.
std::string front_of(const std::string& text, std::size_t bytes, bool* cut);

// "0.52", "7"; "" for NaN.
std::string format_value(double value);

}  // namespace headrace::curate
