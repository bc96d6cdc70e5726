// SPDX-License-Identifier: Apache-2.0
// headrace audit: samples of a run's rules → a page → labels and the precision of each rule.
#include "headrace/audit.h"

#include "headrace/version.h"

#include "base/error.h"
#include "curate/audit_sample.h"
#include "curate/books.h"
#include "curate/judge_columns.h"
#include "curate/leak_review.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "io/file.h"
#include "io/uri.h"
#include "report/audit_server.h"

namespace headrace {
namespace curate {
namespace {

constexpr std::size_t kMostPerRule = 1000;

Result<void> check(const Context& context, const AuditOptions& options) {
  if (options.per_rule < 1 || options.per_rule > kMostPerRule)
    return invalid_argument("per_rule is {}: it goes from 1 to {}", options.per_rule, kMostPerRule);
  if (options.port < 0 || options.port > 65535)
    return invalid_argument("port is {}: it goes from 0 (any) to 65535", options.port);
  if (!context.finished.contains(kVerdict)) {
    return invalid_argument("{} has no verdicts yet: let 'headrace run' finish first",
                            context.directory.root());
  }
  return {};
}

Result<std::string> text_at(const Context& context, const RowPlace& place) {
  std::vector<bool> wanted(place.row + 1);
  wanted[place.row] = true;
  std::string found;
  HEADRACE_RETURN_IF_ERROR(
      for_each_text(context, place.part, wanted, [&](std::size_t, const RowText& text) {
        found = text.text;
        return false;
      }));
  return found;
}

Result<std::string> labels_path(const Context& context, const std::string& asked,
                                const char* name) {
  if (!asked.empty()) return asked;
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at("audit")));
  return context.directory.at(std::string("audit/") + name);
}

// The review of leaks, or nothing where the run looked for none.
Result<std::unique_ptr<report::LeakReview>> open_review(const Context& context,
                                                        const std::string& directory,
                                                        const AuditOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(
      auto data,
      leak_review(context, options.seed.value_or(context.recipe.seed), options.per_rule));
  if (!data) return std::unique_ptr<report::LeakReview>();
  data->name = context.recipe.name;
  data->run_directory = directory;
  data->version = version();
  data->by = options.by;
  HEADRACE_ASSIGN_OR_RETURN(const Books books, make_books(context));
  if (books.leak) data->documents = books.leak->documents;
  HEADRACE_ASSIGN_OR_RETURN(const std::string labels,
                            labels_path(context, options.leak_labels, "leaks.jsonl"));
  return report::LeakReview::open(*std::move(data), labels);
}

}  // namespace
}  // namespace curate

Result<AuditResult> audit(const std::string& directory, const AuditOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(directory));
  HEADRACE_RETURN_IF_ERROR(curate::check(*context, options));
  HEADRACE_ASSIGN_OR_RETURN(const auto rules, curate::resolve_rules(*context));
  HEADRACE_ASSIGN_OR_RETURN(
      curate::AuditSample sample,
      curate::sample_for_audit(*context, rules, options.seed.value_or(context->recipe.seed),
                               options.per_rule));
  HEADRACE_ASSIGN_OR_RETURN(const std::string labels,
                            curate::labels_path(*context, options.labels, "labels.jsonl"));
  HEADRACE_ASSIGN_OR_RETURN(const auto review, curate::open_review(*context, directory, options));
  report::AuditData data{.name = context->recipe.name,
                         .run_directory = directory,
                         .version = std::string(version()),
                         .by = options.by,
                         .rules = std::move(sample.rules)};
  if (review) {
    for (const report::LeakGroup& group : review->data().groups) data.leak_finds += group.finds;
  }
  data.text_of = [&](const std::string& id) -> Result<std::string> {
    return curate::text_at(*context, sample.places.at(id));
  };
  HEADRACE_ASSIGN_OR_RETURN(const auto session,
                            report::AuditSession::open(std::move(data), labels));
  if (options.serve)
    HEADRACE_RETURN_IF_ERROR(
        report::serve_audit(*session, review.get(), options.port, options.stop, options.ready));
  AuditResult result = session->result();
  if (review) {
    result.leak_labels = review->labels();
    result.leak_decisions = review->decisions();
    result.leaks = review->result();
  }
  return result;
}

}  // namespace headrace
