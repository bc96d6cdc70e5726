// SPDX-License-Identifier: Apache-2.0
// What was dropped, to read; and what was found about whole files.
//
// The first samples of a reason stand open, the rest behind a <details>: a page with thirty reasons
// must be skimmed first. <details> needs no script, and print shows it open.
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/markup.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

constexpr std::size_t kOpenSamples = 2;

}  // namespace

void append_sample(const DroppedSample& sample, bool quarantined, std::string* html) {
  auto out = std::back_inserter(*html);
  fmt::format_to(out, "<figure class=\"sample{}\"><figcaption><code>{}</code> <span>{}</span>",
                 quarantined ? " quar" : "", escape(sample.id), escape(sample.domain));
  if (!sample.value.empty()) {
    fmt::format_to(out, " <span class=\"value\">{}</span>", escape(sample.value));
  }
  if (!sample.bound.empty()) {
    fmt::format_to(out, " <span>{}</span>", escape(sample.bound));
  }
  fmt::format_to(out, " <span class=\"source\">{}</span></figcaption>", escape(sample.source));
  if (sample.text.empty()) {
    *html += "<p class=\"none\">no text</p></figure>\n";
    return;
  }
  // The element before the text keeps a first line end of the text: HTML eats one after <pre>.
  fmt::format_to(out, "<pre><span></span>{}{}</pre></figure>\n", escape_sample(sample.text),
                 sample.cut ? "<b class=\"c\">… goes on</b>" : "");
}

Anchors sample_anchors(const ReportData& data) {
  Anchors anchors;
  for (std::size_t i = 0; i < data.reasons.size(); ++i) {
    if (!data.reasons[i].samples.empty()) {
      anchors.emplace(data.reasons[i].reason, fmt::format("samples-{}", i + 1));
      if (data.reasons[i].quarantined) {
        anchors.emplace("", fmt::format("samples-{}", i + 1));
      }
    }
  }
  return anchors;
}

void append_samples(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  *html += "<section id=\"samples\"><h2>Samples of what was dropped</h2>\n";
  if (sample_anchors(data).empty()) {
    *html += "<p class=\"none\">There are no samples.</p></section>\n";
    return;
  }
  *html +=
      "<p class=\"lead\">Each with its id, domain, the value that the rule saw with the bound that "
      "it broke, and its file. <code>headrace explain RUN ID</code> tells the whole story of one. "
      "Characters that do not show are spelled out, as in <b class=\"c\">U+200B</b>.</p>\n";
  for (std::size_t i = 0; i < data.reasons.size(); ++i) {
    const ReasonSamples& reason = data.reasons[i];
    if (reason.samples.empty()) {
      continue;
    }
    fmt::format_to(
        out, "<section id=\"samples-{}\"><h3><code>{}</code> <small>{} of {} {}</small></h3>\n",
        i + 1, escape(reason.reason), format_count(reason.samples.size()),
        format_count(reason.documents), reason.quarantined ? "quarantined" : "dropped");
    for (std::size_t k = 0; k < reason.samples.size(); ++k) {
      if (k == kOpenSamples) {
        fmt::format_to(out, "<details><summary>{} more</summary>\n",
                       format_count(reason.samples.size() - k));
      }
      append_sample(reason.samples[k], reason.quarantined, html);
    }
    *html += reason.samples.size() > kOpenSamples ? "</details></section>\n" : "</section>\n";
  }
  *html += "</section>\n";
}

void append_notes(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  *html += "<section id=\"notes\"><h2>Notes on files</h2>\n";
  if (data.notes.empty()) {
    *html += "<p class=\"none\">No file gave cause for a note.</p></section>\n";
    return;
  }
  *html +=
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">File</th><th scope=\"col\">Found"
      "</th></tr></thead><tbody>\n";
  for (const auto& [file, found] : data.notes) {
    fmt::format_to(out, "<tr><th scope=\"row\" class=\"path\">{}</th><td>{}</td></tr>\n",
                   escape(file), escape(found));
  }
  *html += "</tbody></table></div></section>\n";
}

}  // namespace headrace::report
