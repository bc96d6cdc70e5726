// SPDX-License-Identifier: Apache-2.0
// Held-out items in documents, and validation text in training documents. What was looked for and
// in how many documents always stands beside what was found: a check that did not run finds
// nothing.
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/markup.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::string what_a_hit_does(const LeakBooks& leak) {
  if (leak.verdict == "flag") return "is only counted";
  if (leak.verdict == "remove_span") return "has it taken out of its text";
  return "is dropped";
}

void append_sets(const LeakBooks& leak, std::string* html) {
  auto out = std::back_inserter(*html);
  *html +=
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Set</th><th scope=\"col\" "
      "class=\"n\">Items</th><th scope=\"col\" class=\"n\">Documents that hold one</th><th "
      "scope=\"col\" class=\"n\">Hits: enough of the item</th><th scope=\"col\" class=\"n\">Hits: "
      "a part</th><th scope=\"col\">A document with enough of it</th></tr></thead><tbody>\n";
  for (const LeakBooks::Set& set : leak.sets) {
    fmt::format_to(out,
                   "<tr><th scope=\"row\"><code>{}</code></th><td class=\"n\">{}</td><td "
                   "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>"
                   "</tr>\n",
                   escape(set.name), format_count(set.items), format_count(set.documents),
                   format_count(set.drop), format_count(set.flag),
                   set.report_only ? "is only counted" : what_a_hit_does(leak));
  }
  *html += "</tbody></table></div>\n";
}

void append_items(const LeakBooks& leak, std::string* html) {
  auto out = std::back_inserter(*html);
  fmt::format_to(
      out,
      "<p class=\"lead\">{} items were looked for in {} documents, those that rules and scores "
      "keep; {} of them hold one. <code>headrace audit RUN</code> shows each find beside its item, "
      "and what people say of them is the precision of the check.</p>\n",
      format_count(leak.items), format_count(leak.documents), format_count(leak.found));
  append_sets(leak, html);
  fmt::format_to(
      out,
      "<p class=\"facts\">Of the items {} have nothing to search by and are never found, {} are "
      "too short to be told alone, {} more have the words of one that is looked for. {} documents "
      "of the run told which phrases are common. {} places looked at twice, {} of {} groups "
      "compared with their item.</p>\n",
      format_count(leak.without_seeds), format_count(leak.not_checkable), format_count(leak.folded),
      format_count(leak.reference_documents), format_count(leak.seed_bits),
      format_count(leak.verified), format_count(leak.groups));
}

void append_validation(const ValidationBooks& validation, std::string* html) {
  auto out = std::back_inserter(*html);
  fmt::format_to(out, "<h3>Validation split</h3>\n<p class=\"lead\">{} documents are held out. ",
                 format_count(validation.documents));
  if (!validation.checks_leaks) {
    *html += "Nobody looked for their text in the others.</p>\n";
    return;
  }
  fmt::format_to(out,
                 "{} training documents were looked through for their text: {} hold it and {}, {} "
                 "hold a little. {} documents of the validation side are too short to be found in "
                 "others.</p>\n",
                 format_count(validation.checked), format_count(validation.leaks),
                 validation.drops_leaks ? "were dropped" : "were only counted",
                 format_count(validation.flagged), format_count(validation.without_fingerprints));
}

}  // namespace

void append_leaks(const ReportData& data, std::string* html) {
  if (!data.leak && !data.validation) return;
  *html += "<section id=\"leaks\"><h2>Leaks</h2>\n";
  if (data.leak) append_items(*data.leak, html);
  if (data.validation) append_validation(*data.validation, html);
  *html += "</section>\n";
}

}  // namespace headrace::report
