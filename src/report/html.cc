// SPDX-License-Identifier: Apache-2.0
// The page: head, verdict, figures, then the sections.
//
// One file that can be mailed, archived and opened in ten years: no script, no font, no image from
// outside, and whole without its one script. The content security policy says the same to the
// browser, and names the script by its hash, so that even a hole in the escaping could neither run
// nor fetch anything. The markup is well-formed XML as well as HTML, which is what the tests hold
// it to.
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "base/sha256.h"
#include "report/assets.h"
#include "report/markup.h"
#include "report/report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

void append_head(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  const std::string name = data.name.empty() ? "unnamed run" : escape(data.name);
  const std::string path =
      data.run_directory.empty() ? "" : "<p class=\"path\">" + escape(data.run_directory) + "</p>";
  fmt::format_to(
      out,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
      "script-src &#39;{4}&#39;; style-src &#39;unsafe-inline&#39;; img-src data:\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n<title>{0} · headrace report</title>\n"
      "<style>{1}</style></head>\n<body>\n<header><p class=\"mark\">headrace <span>{2}</span></p>"
      "<h1>{0}</h1>{3}\n<nav>{6}<a href=\"#stages\">Stages</a> "
      "<a href=\"#domains\">Domains</a> <a href=\"#reasons\">Reasons</a> "
      "<a href=\"#measures\">Measures</a> {5}{7}<a href=\"#samples\">Samples</a> "
      "<a href=\"#notes\">Notes</a></nav></header>\n<main>\n",
      name, style_sheet(), escape(data.version), path, policy_hash(assets::report_js()),
      data.scores.empty() ? "" : "<a href=\"#scores\">Scores</a> ",
      data.projection ? "<a href=\"#projection\">Full run</a> " : "",
      data.leak || data.validation ? "<a href=\"#leaks\">Leaks</a> " : "");
}

// The sentence that whoever opens the page looks for first.
void append_verdict(const ReportData& data, const Totals& all, std::string* html) {
  auto out = std::back_inserter(*html);
  const std::vector<std::string> wrong = imbalances(data.stages);
  const bool balanced = data.balanced && wrong.empty();
  fmt::format_to(out,
                 "<p class=\"verdict {}\" id=\"verdict\"><strong>{}</strong> {} in = {} kept + {} "
                 "dropped + {} quarantined</p>\n",
                 balanced ? "good" : "bad",
                 balanced ? "The books balance." : "The books do NOT balance.",
                 format_count(all.in), format_count(all.kept), format_count(all.dropped),
                 format_count(all.quarantined));
  if (balanced) {
    return;
  }
  *html += "<ul class=\"wrong\">\n";
  for (const std::string& sentence : wrong) {
    fmt::format_to(out, "<li>{}</li>\n", escape(sentence));
  }
  if (wrong.empty()) {
    *html +=
        "<li>The sums of all domains are right: the fault lies in one domain or source. "
        "<code>headrace books</code> names it.</li>\n";
  }
  *html += "</ul>\n";
}

void append_card(std::string_view label, std::string_view value, std::string_view detail,
                 std::string* html) {
  fmt::format_to(
      std::back_inserter(*html),
      "<div class=\"card\"><dt>{}</dt><dd><strong>{}</strong> <span>{}</span></dd></div>\n",
      escape(label), escape(value), escape(detail));
}

void append_cards(const ReportData& data, const Totals& all, std::string* html) {
  *html += "<dl class=\"cards\" id=\"summary\">\n";
  append_card("Input files", format_count(data.input_files), format_bytes(data.input_bytes), html);
  append_card("Documents in", format_count(all.in),
              fmt::format("{} domain{}", data.domains.size(), data.domains.size() == 1 ? "" : "s"),
              html);
  append_card("Kept", format_count(all.kept), percent(all.kept, all.in), html);
  append_card("Dropped", format_count(all.dropped), percent(all.dropped, all.in), html);
  append_card("Quarantined", format_count(all.quarantined), percent(all.quarantined, all.in), html);
  if (data.samples > 0 || data.shards > 0) {
    append_card("Shards", format_count(data.shards), data.shard_format, html);
    append_card("Samples", format_count(data.samples),
                data.sequence_length > 0
                    ? fmt::format("of {} tokens", format_count(data.sequence_length))
                    : "of any length",
                html);
    append_card("Tokens", short_count(static_cast<double>(data.tokens)),
                fmt::format("{} left over", format_count(data.leftover_tokens)), html);
  }
  *html += "</dl>\n";
}

}  // namespace

std::string policy_hash(std::string_view script) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256_hex(script);
  std::string text = "sha256-";
  unsigned bits = 0;
  int have = 0;
  for (const char digit : hex) {
    bits = bits << 4 | static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    have += 4;
    if (have >= 6) text += kDigits[bits >> (have -= 6) & 63];
  }
  return text + kDigits[bits << (6 - have) & 63] + "=";  // 256 bits = 42 digits and 4 bits
}

std::string render_html(const ReportData& data) {
  std::string html;
  const Totals all = totals(data.stages);
  append_head(data, &html);
  append_verdict(data, all, &html);
  append_cards(data, all, &html);
  append_projection(data, &html);
  append_stages(data, &html);
  append_domains(data, &html);
  append_reasons(data, &html);
  append_measures(data, &html);
  append_scores(data, &html);
  append_clusters(data, &html);
  append_leaks(data, &html);
  append_samples(data, &html);
  append_notes(data, &html);
  html +=
      "</main>\n<footer>Written by headrace. The same run gives the same page, byte for byte."
      "</footer>\n<script>";
  html += assets::report_js();
  html += "</script>\n</body></html>\n";
  return html;
}

}  // namespace headrace::report
