// SPDX-License-Identifier: Apache-2.0
// The section of a run on a sample: what it says of the run on everything. No time: that is not in
// the files, and the same run gives the same page.
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/markup.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::string whole(double value) {
  return format_count(static_cast<std::uint64_t>(std::llround(std::max(0.0, value))));
}

std::string share(double value) { return fmt::format("{:.3f} %", 100 * value); }

void append_row(std::string_view name, const std::string& value, const std::string& between,
                std::string* html) {
  fmt::format_to(
      std::back_inserter(*html),
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
      escape(name), value, between);
}

void append_estimate(std::string_view name, const Estimate& estimate, std::string* html) {
  append_row(name, whole(estimate.value), whole(estimate.low) + " to " + whole(estimate.high),
             html);
}

}  // namespace

void append_projection(const ReportData& data, std::string* html) {
  if (!data.projection) return;
  const Projection& projection = *data.projection;
  fmt::format_to(
      std::back_inserter(*html),
      "<section id=\"projection\"><h2>The full run</h2>\n<p class=\"lead\">This run is of a "
      "sample: "
      "{} of {} records. What it says of all of them, with 95 % intervals.</p>\n"
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Of all records</th>"
      "<th scope=\"col\" class=\"n\">Estimate</th><th scope=\"col\" class=\"n\">Between</th></tr>"
      "</thead><tbody>\n",
      format_count(projection.sampled), format_count(projection.records));
  append_estimate("documents kept by the rules", projection.kept_documents, html);
  append_estimate("bytes of their text", projection.kept_bytes, html);
  if (projection.tokens) append_estimate("tokens", *projection.tokens, html);
  append_estimate("bytes on disk, this report apart", projection.disk_bytes, html);
  for (const ReasonProjection& reason : projection.reasons) {
    if (reason.share) {
      append_row(reason.reason, share(reason.share->value),
                 share(reason.share->low) + " to " + share(reason.share->high), html);
    } else {
      append_row(reason.reason, "?", "more in the full run: a sample does not see the pairs", html);
    }
  }
  *html += "</tbody></table></div></section>\n";
}

}  // namespace headrace::report
