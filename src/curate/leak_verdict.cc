// SPDX-License-Identifier: Apache-2.0
#include "curate/leak_verdict.h"

#include <algorithm>
#include <limits>

namespace headrace::curate {

bool counts(const LeakSpec& spec, const LeakHit& hit) {
  return hit.hit.verdict == leak::Verdict::kDrop && !spec.is_report_only(hit.set);
}

double share_of(const leak::Hit& hit) {
  return std::max(hit.ratio, hit.coverage[static_cast<std::size_t>(leak::Part::kQuestion)]);
}

std::vector<double> leak_column(const LeakSpec& spec, const LeakPart& rows) {
  std::vector<double> values;
  values.reserve(rows.ids.size());
  std::size_t next = 0;
  for (std::size_t row = 0; row < rows.ids.size(); ++row) {
    double value = rows.scanned[row] ? 0 : std::numeric_limits<double>::quiet_NaN();
    for (; next < rows.hits.size() && rows.hits[next].id == rows.ids[row]; ++next) {
      if (counts(spec, rows.hits[next])) value = std::max(value, share_of(rows.hits[next].hit));
    }
    values.push_back(value);
  }
  return values;
}

Result<std::vector<double>> leak_column(const Context& context, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(const LeakPart rows, LeakPart::load(context.directory, part));
  return leak_column(*context.recipe.leak, rows);
}

Result<std::vector<RemovedSpan>> leak_spans(const Context& context, std::size_t part) {
  std::vector<RemovedSpan> spans;
  if (!removes_leaks(context.recipe)) return spans;
  const LeakSpec& spec = *context.recipe.leak;
  HEADRACE_ASSIGN_OR_RETURN(const LeakPart rows, LeakPart::load(context.directory, part));
  std::vector<leak::Hit> hits;  // of one document
  for (std::size_t next = 0; next < rows.hits.size();) {
    const std::uint64_t id = rows.hits[next].id;
    hits.clear();
    for (; next < rows.hits.size() && rows.hits[next].id == id; ++next) {
      if (counts(spec, rows.hits[next])) hits.push_back(rows.hits[next].hit);
    }
    for (const TextRange range : leak::remove_ranges(hits)) {
      spans.push_back(
          {.id = id, .begin = range.begin, .end = range.end, .reason = SpanReason::kLeak});
    }
  }
  return spans;
}

}  // namespace headrace::curate
