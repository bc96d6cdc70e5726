// SPDX-License-Identifier: Apache-2.0
// Where documents went: by stage, by domain, by reason.
//
// All three views count the same losses, so a reader who adds up one finds the sums of the others.
// Bars of the stages share one scale, the documents that came in, so that the eye sees the funnel
// narrow. Reasons stand in the order of the stages: what the mix leaves out may be a thousand times
// what a rule drops, and comparing the two says nothing. Their cells by domain are shaded by the
// square root of the share, because reasons span orders of magnitude.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/markup.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

// More domains than this would make the reasons a table that no page holds.
constexpr std::size_t kMaxDomainColumns = 8;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

const StageRow* find_stage(const std::vector<StageRow>& stages, std::string_view name) {
  const auto it = std::find_if(stages.begin(), stages.end(),
                               [name](const StageRow& stage) { return stage.stage == name; });
  return it == stages.end() ? nullptr : &*it;
}

std::uint64_t lost(const StageRow& stage) { return dropped(stage) + stage.quarantined; }

std::string count_cell(std::uint64_t count, const char* css_class = "n") {
  return fmt::format("<td class=\"{}\">{}</td>", css_class,
                     count == 0 ? "<span class=\"zero\">0</span>" : format_count(count));
}

struct Loss {
  std::string stage;
  std::string reason;  // "" = quarantined
  std::uint64_t documents = 0;
};

// In the order of stages; inside one the largest first, equal ones in the order of names.
std::vector<Loss> losses(const std::vector<StageRow>& stages) {
  std::vector<Loss> all;
  for (const StageRow& stage : stages) {
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    for (const auto& [reason, documents] : stage.dropped) {
      if (documents > 0) {
        all.push_back({stage.stage, reason, documents});
      }
    }
    if (stage.quarantined > 0) {
      all.push_back({stage.stage, "", stage.quarantined});
    }
    std::stable_sort(all.begin() + first, all.end(),
                     [](const Loss& a, const Loss& b) { return a.documents > b.documents; });
  }
  return all;
}

std::uint64_t loss_of(const DomainFunnel& domain, const Loss& loss) {
  const StageRow* stage = find_stage(domain.stages, loss.stage);
  if (stage == nullptr) {
    return 0;
  }
  if (loss.reason.empty()) {
    return stage->quarantined;
  }
  const auto it = stage->dropped.find(loss.reason);
  return it == stage->dropped.end() ? 0 : it->second;
}

std::string reason_name(const Loss& loss, const Anchors& anchors) {
  const std::string name =
      loss.reason.empty() ? "<em>quarantined</em>" : "<code>" + escape(loss.reason) + "</code>";
  const auto it = anchors.find(loss.reason);
  return it == anchors.end() ? name : fmt::format("<a href=\"#{}\">{}</a>", it->second, name);
}

}  // namespace

std::uint64_t dropped(const StageRow& stage) {
  std::uint64_t sum = 0;
  for (const auto& [reason, documents] : stage.dropped) {
    sum += documents;
  }
  return sum;
}

Totals totals(const std::vector<StageRow>& stages) {
  Totals sum;
  if (stages.empty()) {
    return sum;
  }
  sum.in = stages.front().in;
  sum.kept = stages.back().out;
  for (const StageRow& stage : stages) {
    sum.dropped += dropped(stage);
    sum.quarantined += stage.quarantined;
  }
  return sum;
}

std::vector<std::string> imbalances(const std::vector<StageRow>& stages) {
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StageRow& stage = stages[i];
    if (stage.in != stage.out + lost(stage)) {
      wrong.push_back(fmt::format("{}: {} in, but {} out + {} dropped + {} quarantined",
                                  stage.stage, format_count(stage.in), format_count(stage.out),
                                  format_count(dropped(stage)), format_count(stage.quarantined)));
    }
    if (i > 0 && stages[i - 1].out != stage.in) {
      wrong.push_back(fmt::format("{}: {} in, but {} came out of {}", stage.stage,
                                  format_count(stage.in), format_count(stages[i - 1].out),
                                  stages[i - 1].stage));
    }
  }
  return wrong;
}

void append_stages(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  *html += "<section id=\"stages\"><h2>Funnel by stage</h2>\n";
  const Totals all = totals(data.stages);
  if (data.stages.empty()) {
    *html += "<p class=\"none\">No stage has run.</p></section>\n";
    return;
  }
  *html +=
      "<p class=\"lead\">Bars are shares of all documents that came in. <span class=\"key kept\">"
      "</span> goes on <span class=\"key drop\"></span> dropped here <span class=\"key quar\">"
      "</span> quarantined here</p>\n<div class=\"scroll\"><table class=\"funnel\"><thead><tr>"
      "<th scope=\"col\">Stage</th><th scope=\"col\" class=\"n\">In</th><th scope=\"col\" "
      "class=\"wide\"></th><th scope=\"col\" class=\"n\">Out</th><th scope=\"col\" class=\"n\">"
      "Dropped</th><th scope=\"col\" class=\"n\">Quarantined</th><th scope=\"col\" class=\"n\">"
      "Goes on</th></tr></thead><tbody>\n";
  for (const StageRow& stage : data.stages) {
    const bool wrong = stage.in != stage.out + lost(stage);
    fmt::format_to(
        out,
        "<tr{}><th scope=\"row\">{}</th>{}<td class=\"wide\">{}</td>{}{}{}<td "
        "class=\"n\">{}</td></tr>\n",
        wrong ? " class=\"wrong\"" : "", escape(stage.stage), count_cell(stage.in),
        bar(fmt::format("{} of {} go on", format_count(stage.out), format_count(stage.in)),
            {{"kept", share(stage.out, all.in)},
             {"drop", share(dropped(stage), all.in)},
             {"quar", share(stage.quarantined, all.in)}}),
        count_cell(stage.out), count_cell(dropped(stage)), count_cell(stage.quarantined),
        percent(stage.out, stage.in));
  }
  fmt::format_to(out,
                 "</tbody><tfoot><tr><th scope=\"row\">all</th>{}<td class=\"wide\">{}</td>{}{}{}"
                 "<td class=\"n\">{}</td></tr></tfoot></table></div></section>\n",
                 count_cell(all.in),
                 bar(fmt::format("{} of {} kept", format_count(all.kept), format_count(all.in)),
                     {{"kept", share(all.kept, all.in)},
                      {"drop", share(all.dropped, all.in)},
                      {"quar", share(all.quarantined, all.in)}}),
                 count_cell(all.kept), count_cell(all.dropped), count_cell(all.quarantined),
                 percent(all.kept, all.in));
}

namespace {

void append_domain_row(const std::string& name, const std::vector<StageRow>& stages,
                       const std::vector<std::string>& columns, std::uint64_t tokens,
                       std::uint64_t all_tokens, std::string* html) {
  auto out = std::back_inserter(*html);
  const Totals all = totals(stages);
  fmt::format_to(out, "<tr><th scope=\"row\">{}</th>{}", escape(name), count_cell(all.in));
  for (const std::string& column : columns) {
    const StageRow* stage = find_stage(stages, column);
    *html += count_cell(stage == nullptr ? 0 : lost(*stage));
  }
  fmt::format_to(out, "{}<td class=\"mid\">{}<small>{}</small></td>", count_cell(all.kept),
                 bar("kept share", {{"kept", share(all.kept, all.in)}}), percent(all.kept, all.in));
  if (all_tokens > 0) {
    fmt::format_to(out, "{}<td class=\"mid\">{}<small>{}</small></td>", count_cell(tokens),
                   bar("token share", {{"token", share(tokens, all_tokens)}}),
                   percent(tokens, all_tokens));
  }
  *html += "</tr>\n";
}

}  // namespace

void append_domains(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  *html += "<section id=\"domains\"><h2>By domain</h2>\n";
  if (data.domains.empty()) {
    *html += "<p class=\"none\">No domain has documents.</p></section>\n";
    return;
  }
  std::uint64_t tokens = 0;
  for (const DomainFunnel& domain : data.domains) {
    tokens += domain.tokens;
  }
  std::vector<std::string> columns;  // a stage that lost nothing needs none
  for (const StageRow& stage : data.stages) {
    if (lost(stage) > 0) {
      columns.push_back(stage.stage);
    }
  }
  *html +=
      "<p class=\"lead\">What each stage took from each domain, and what went into the shards."
      "</p>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Domain</th>"
      "<th scope=\"col\" class=\"n\">In</th>";
  for (const std::string& column : columns) {
    fmt::format_to(out, "<th scope=\"col\" class=\"n\"><small>lost in</small> {}</th>",
                   escape(column));
  }
  *html += "<th scope=\"col\" class=\"n\">Kept</th><th scope=\"col\" class=\"mid\"></th>";
  if (tokens > 0) {
    *html += "<th scope=\"col\" class=\"n\">Tokens</th><th scope=\"col\" class=\"mid\"></th>";
  }
  *html += "</tr></thead><tbody>\n";
  for (const DomainFunnel& domain : data.domains) {
    append_domain_row(domain.domain, domain.stages, columns, domain.tokens, tokens, html);
  }
  *html += "</tbody>";
  if (data.domains.size() > 1) {
    *html += "<tfoot>";
    append_domain_row("all", data.stages, columns, tokens, tokens, html);
    *html += "</tfoot>";
  }
  *html += "</table></div></section>\n";
}

namespace {

void append_shares(const std::vector<DomainFunnel>& domains, const Loss& loss, std::string* html) {
  for (const DomainFunnel& domain : domains) {
    const std::uint64_t here = loss_of(domain, loss);
    const std::uint64_t domain_in = totals(domain.stages).in;
    fmt::format_to(std::back_inserter(*html), "<td class=\"n heat\" style=\"--h:{}\">{}</td>",
                   coordinate(std::sqrt(std::min(1.0, share(here, domain_in)))),
                   here == 0 ? "<span class=\"zero\">·</span>" : percent(here, domain_in));
  }
}

}  // namespace

void append_reasons(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  *html += "<section id=\"reasons\"><h2>By reason</h2>\n";
  const std::vector<Loss> all = losses(data.stages);
  if (all.empty()) {
    *html += "<p class=\"none\">Nothing was dropped or quarantined.</p></section>\n";
    return;
  }
  const std::uint64_t in = totals(data.stages).in;
  const bool by_domain = data.domains.size() > 1 && data.domains.size() <= kMaxDomainColumns;
  fmt::format_to(out,
                 "<p class=\"lead\">Each lost document counts once, under its first reason.{}</p>\n"
                 "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Reason</th>"
                 "<th scope=\"col\">Stage</th><th scope=\"col\" class=\"n\">Documents</th>"
                 "<th scope=\"col\" class=\"n\">Of all in</th>",
                 by_domain ? " The columns on the right give the share of each domain." : "");
  if (by_domain) {
    for (const DomainFunnel& domain : data.domains) {
      fmt::format_to(out, "<th scope=\"col\" class=\"n\">{}</th>", escape(domain.domain));
    }
  } else {
    *html += "<th scope=\"col\" class=\"mid\"></th>";
  }
  *html += "</tr></thead><tbody>\n";
  std::uint64_t largest = 0;
  for (const Loss& loss : all) {
    largest = std::max(largest, loss.documents);
  }
  const Anchors anchors = sample_anchors(data);
  for (const Loss& loss : all) {
    fmt::format_to(out, "<tr><th scope=\"row\">{}</th><td>{}</td>{}<td class=\"n\">{}</td>",
                   reason_name(loss, anchors), escape(loss.stage), count_cell(loss.documents),
                   percent(loss.documents, in));
    if (by_domain) {
      append_shares(data.domains, loss, html);
    } else {
      const char* colour = loss.reason.empty() ? "quar" : "drop";
      fmt::format_to(out, "<td class=\"mid\">{}</td>",
                     bar("share of the largest", {{colour, share(loss.documents, largest)}}));
    }
    *html += "</tr>\n";
  }
  *html += "</tbody></table></div></section>\n";
}

}  // namespace headrace::report
