// SPDX-License-Identifier: Apache-2.0
#include "headrace/stats.h"

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::vector<std::string> inputs;
  std::string text;
  std::string sample;
  bool all = false;
};

// Of MeasureStats::kPoints, those that the short table shows: p1 p5 p50 p95 p99.
constexpr std::size_t kShownPoints[] = {0, 1, 3, 5, 6};
constexpr std::size_t kLineWidth = 100;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const MeasureStats& stats) {
  const auto known = [&](double value) { return stats.values > 0 ? Json(value) : Json(nullptr); };
  Json json = {{"values", stats.values}, {"nulls", stats.nulls}, {"min", known(stats.min)}};
  for (std::size_t i = 0; i < stats.percentiles.size(); ++i)
    json[fmt::format("p{}", MeasureStats::kPoints[i])] = known(stats.percentiles[i]);
  json["max"] = known(stats.max);
  json["suggested"] = {{"min", number(stats.suggested_min)},
                       {"max", number(stats.suggested_max)},
                       {"below_min", stats.below_min},
                       {"above_max", stats.above_max}};
  return json;
}

Json to_json(const Stats& stats) {
  Json measures = Json::object();
  Json together = Json::object();
  Json documents = Json::object();
  for (const DomainStats& domain : stats.domains) documents[domain.domain] = domain.documents;
  for (std::size_t m = 0; m < stats.measures.size(); ++m) {
    Json& domains = measures[stats.measures[m]] = Json::object();
    for (const DomainStats& domain : stats.domains)
      domains[domain.domain] = to_json(domain.measures[m]);
    together[stats.measures[m]] = to_json(stats.together.measures[m]);
  }
  return {{"documents", documents},
          {"rejected", stats.rejected},
          {"percentiles_from",
           stats.percentiles_from > 0 ? Json(stats.percentiles_from) : Json(nullptr)},
          {"measures", measures},
          {"together", together}};
}

std::string suggestion_of(const MeasureStats& stats) {
  std::string text;
  if (stats.suggested_min)
    text += fmt::format("min: {:.6g} (-{:.1f} %)", *stats.suggested_min, 100 * stats.below_min);
  if (stats.suggested_max) {
    text += fmt::format("{}max: {:.6g} (-{:.1f} %)", text.empty() ? "" : ", ", *stats.suggested_max,
                        100 * stats.above_max);
  }
  return text;
}

void print_domain(const Stats& stats, const DomainStats& domain) {
  print_text(fmt::format("{}: {} documents\n\n  {:<32}", domain.domain,
                         with_commas(domain.documents), "measure"));
  for (const double point : MeasureStats::kPoints)
    print_text(fmt::format(" {:>9}", fmt::format("p{}", point)));
  print_text(fmt::format("{:>11}  suggested bounds, and what they would drop\n", "nulls"));
  for (std::size_t m = 0; m < stats.measures.size(); ++m) {
    const MeasureStats& measure = domain.measures[m];
    print_text(fmt::format("  {:<32}", stats.measures[m]));
    for (const double value : measure.percentiles)
      print_text(measure.values > 0 ? fmt::format(" {:>9.4g}", value) : fmt::format(" {:>9}", "-"));
    print_text(fmt::format("{:>11}  {}\n", with_commas(measure.nulls), suggestion_of(measure)));
  }
  print_text("\n");
}

std::string bound(const std::optional<double>& value, double drops) {
  return value ? fmt::format("{:.6g} (-{:.1f} %)", *value, 100 * drops) : "";
}

// Names with their values, as many in a line as fit.
void print_list(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  std::string line = fmt::format("\n  {}\n   ", title);
  std::size_t width = 3;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = " " + items[i] + (i + 1 < items.size() ? "," : "");
    if (width + item.size() > kLineWidth) {
      line += "\n   ";
      width = 3;
    }
    line += item;
    width += item.size();
  }
  print_text(line + "\n");
}

// One line a measure, over all domains. A measure that nearly all documents have the same value of
// says nothing about bounds: it is only named.
void print_together(const Stats& stats) {
  std::vector<std::string> constant;
  std::vector<std::string> none;
  std::string header = fmt::format("  {:<32}", "measure");
  for (const std::size_t point : kShownPoints)
    header += fmt::format(" {:>9}", fmt::format("p{}", MeasureStats::kPoints[point]));
  print_text(fmt::format("{}   {:<18} {}\n", header, "suggested min", "suggested max"));
  for (std::size_t m = 0; m < stats.measures.size(); ++m) {
    const MeasureStats& measure = stats.together.measures[m];
    if (measure.values == 0) {
      none.push_back(stats.measures[m]);
      continue;
    }
    if (measure.percentiles.front() == measure.percentiles.back()) {
      constant.push_back(fmt::format("{} {:.4g}", stats.measures[m], measure.percentiles[0]));
      continue;
    }
    std::string line = fmt::format("  {:<32}", stats.measures[m]);
    for (const std::size_t point : kShownPoints)
      line += fmt::format(" {:>9.4g}", measure.percentiles[point]);
    line += fmt::format("   {:<18} {}", bound(measure.suggested_min, measure.below_min),
                        bound(measure.suggested_max, measure.above_max));
    line.erase(line.find_last_not_of(' ') + 1);
    print_text(line + "\n");
  }
  print_list("the same from p1 to p99:", constant);
  print_list("without a value:", none);
}

void print_summary(const Stats& stats) {
  const std::size_t domains = stats.domains.size();
  print_text(fmt::format("{} documents", with_commas(stats.together.documents)));
  if (domains > 1) print_text(fmt::format(" in {} domains", domains));
  print_text("\n\n");
  print_together(stats);
  print_text(fmt::format(
      "\n  A suggested bound is p1 rounded down or p99 rounded up, with what it would drop.\n"
      "  --all shows every measure and percentile{}, --json the same for programs.\n",
      domains > 1 ? " by domain" : ""));
}

int execute(const Arguments& arguments, const Common& common) {
  StatsOptions options{
      .text = std::nullopt, .sample = std::nullopt, .threads = common.threads, .stop = common.stop};
  if (!arguments.text.empty()) options.text = arguments.text;
  if (!arguments.sample.empty()) {
    options.sample = parse_share(arguments.sample);
    if (!options.sample) return fail(bad_sample(arguments.sample));
  }
  const auto result = stats(arguments.inputs, options);
  if (!result) return fail(result.error());
  if (common.json) {
    print_json(to_json(*result));
    return kDone;
  }
  if (arguments.all) {
    for (const DomainStats& domain : result->domains) print_domain(*result, domain);
  } else {
    print_summary(*result);
  }
  if (result->rejected > 0)
    print_text(fmt::format("{} records are no documents\n", with_commas(result->rejected)));
  if (result->percentiles_from > 0) {
    print_text(fmt::format("percentiles are of a random sample of {} documents\n",
                           with_commas(result->percentiles_from)));
  }
  return kDone;
}

}  // namespace

void add_stats(CLI::App& app, Common* common, Action* action) {
  CLI::App* command =
      app.add_subcommand("stats", "percentiles of the measures, and the bounds that they suggest");
  command->footer(
      "Of a run: its columns. Of files: they are read and measured in memory, nothing is written;\n"
      "each input is a domain of its own. A suggested bound is p1 rounded down or p99 rounded "
      "up.\n"
      "A score of a run is of the documents that come to it: those that no rule before it "
      "drops.\n\n"
      "  headrace stats RUN                    one table over all domains\n"
      "  headrace stats RUN --all              every percentile, domain by domain\n"
      "  headrace stats 'raw/news/*.jsonl.gz' raw/forum.parquet --text content --sample 1%");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("INPUT", arguments->inputs, "a run directory, or files, globs and URIs")
      ->required()
      ->type_name("");
  command
      ->add_option("--text", arguments->text,
                   "of files: where the text stands in a record, a dotted path; default: text")
      ->type_name("FIELD");
  command
      ->add_option("--sample", arguments->sample,
                   "of files: only a share of the documents, e.g. 1%")
      ->type_name("SHARE");
  command->add_flag("--all", arguments->all, "every measure and percentile, domain by domain");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
