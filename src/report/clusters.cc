// SPDX-License-Identifier: Apache-2.0
// Clusters of near duplicates: how many, and the largest to read. What is fused wrongly shows in
// large clusters first.
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/markup.h"
#include "report/sections.h"

namespace headrace::report {

void append_clusters(const ReportData& data, std::string* html) {
  if (!data.near) return;
  auto out = std::back_inserter(*html);
  *html += "<section id=\"clusters\"><h2>Clusters of near duplicates</h2>\n";
  if (data.near->clusters == 0) {
    *html += "<p class=\"none\">No document is nearly another.</p></section>\n";
    return;
  }
  fmt::format_to(
      out,
      "<p class=\"lead\">{} documents stand in {} clusters; one of each is kept. Below "
      "are the largest, each with its survivor and the members that are least similar to "
      "any other. <code>headrace explain RUN ID</code> lists all members of one.</p>\n",
      format_count(data.near->documents), format_count(data.near->clusters));
  for (const ClusterReport::Cluster& cluster : data.near->largest) {
    fmt::format_to(out, "<section><h3>{} documents <small>least similarity {:.3f}</small></h3>\n",
                   format_count(cluster.documents), cluster.least);
    for (std::size_t i = 0; i < cluster.samples.size(); ++i) {
      if (i == 1) *html += "<details><summary>members</summary>\n";
      append_sample(cluster.samples[i], false, html);
    }
    *html += cluster.samples.size() > 1 ? "</details></section>\n" : "</section>\n";
  }
  *html += "</section>\n";
}

}  // namespace headrace::report
