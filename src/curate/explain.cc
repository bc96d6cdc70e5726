// SPDX-License-Identifier: Apache-2.0
// headrace explain: one document's story, from its bytes in the source to its verdict.
#include <algorithm>
#include <cmath>

#include "headrace/run.h"

#include "base/error.h"
#include "base/options.h"
#include "base/quote.h"
#include "curate/broken_rules.h"
#include "curate/change_excerpts.h"
#include "curate/explain_cluster.h"
#include "curate/explain_leaks.h"
#include "curate/measure_families.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/score_reach.h"
#include "measure/measure.h"
#include "normalize/normalize.h"
#include "record/parquet_table.h"

namespace headrace {
namespace curate {
namespace {

struct Place {
  std::size_t part = 0;
  std::size_t row = 0;
};

// Finds a row by id. Ids ascend within a part and from part to part.
Result<std::optional<Place>> find_row(const Context& context, DocumentId id) {
  for (std::size_t part = 0; part < part_count(context); ++part) {
    const std::optional<Commit> commit = context.ledger.read(kDocuments, part);
    if (!commit || !commit->files.contains(id.file())) continue;
    HEADRACE_ASSIGN_OR_RETURN(auto reader,
                              ParquetReader::open(context.directory.at(
                                  RunDirectory::part(kMeasuresFolder, part, "parquet"))));
    std::vector<std::uint64_t> ids;
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
    const auto found = std::lower_bound(ids.begin(), ids.end(), id.value);
    if (found != ids.end() && *found == id.value)
      return Place{part, static_cast<std::size_t>(found - ids.begin())};
  }
  return std::nullopt;
}

// The story of a record that never became a document.
Result<void> tell_rejected(const Context& context, DocumentId id, Explanation* story) {
  RejectedRecords records(context);
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<RejectedRow> rows, records.next_part());
    for (const RejectedRow& row : rows) {
      if (DocumentId::make(row.file, row.offset) != id) continue;
      story->verdict = row.quarantined ? "quarantined" : "dropped";
      story->reasons = {row.reason};
      story->detail = row.detail;
      story->raw = row.raw;
      return {};
    }
  }
  return not_found(
      "{} has no record {}: ids look like 3:1024 (file ordinal, offset) and stand in the output "
      "of cat",
      context.directory.root(), to_string(id));
}

// Stops the reader at the wanted document.
class OneDocument final : public read::RecordSink {
 public:
  explicit OneDocument(DocumentId id) : id_(id) {}
  Result<void> document(Document& document) override {
    if (document.id != id_) return {};
    text = document.text;
    markup = document.markup;
    return cancelled("found");
  }
  Result<void> rejected(const RejectedRecord&) override { return {}; }
  std::optional<std::string> text;
  Markup markup = Markup::kUnknown;

 private:
  DocumentId id_;
};

// Reads the document again from its source and applies the steps one by one.
Result<void> replay(const Context& context, DocumentId id, Explanation* story) {
  const InputFile& file = context.files[id.file()];
  HEADRACE_ASSIGN_OR_RETURN(const InputReaders readers,
                            InputReaders::make(context.recipe, context.files));
  HEADRACE_ASSIGN_OR_RETURN(
      const std::vector<read::Split> splits,
      readers.of(id.file()).split(file.path, id.file(), ~std::uint64_t{0} >> 1));
  OneDocument wanted(id);
  for (const read::Split& split : splits) {
    const auto read = readers.of(id.file()).read(split, wanted, {});
    if (wanted.text) break;
    if (!read) return read.error();
  }
  if (!wanted.text) return not_found("{} no longer holds the record at {}", file.path, id.place());
  story->raw = *wanted.text;
  std::string text = *std::move(wanted.text);
  std::string scratch;
  for (const StepSpec& step : context.recipe.normalize) {
    HEADRACE_ASSIGN_OR_RETURN(const auto made, normalize::make_step(step.name, step.options));
    const std::string before = text;
    const std::size_t changes = made->apply(text, wanted.markup, scratch);
    ChangeExcerpts shown = change_excerpts(before, text);
    story->steps.push_back({step.name, changes, std::move(shown.before), std::move(shown.after)});
  }
  return {};
}

Result<void> add_measures(const Context& context, const Place& place, Explanation* story) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader,
                            ParquetReader::open(context.directory.at(
                                RunDirectory::part(kMeasuresFolder, place.part, "parquet"))));
  for (const auto& measure : measure::registry().all()) {
    std::vector<double> values;
    HEADRACE_RETURN_IF_ERROR(reader->read_double(measure.name, &values));
    const double value = values[place.row];
    story->measures.push_back({measure.name, std::string(family_of(measure.name)),
                               std::isnan(value) ? std::nullopt : std::optional(value)});
  }
  return {};
}

// What the models said, and where the lines are.
Result<void> add_scores(const Context& context, const Place& place, std::uint32_t domain,
                        Explanation* story) {
  const judge::RuleSet rules = context.recipe.rules_of(context.domains[domain]);
  HEADRACE_ASSIGN_OR_RETURN(const auto finished, finished_scores(context));
  for (const ScoreReach& reach : finished) {
    const ScoreSpec& spec = reach.spec();
    HEADRACE_ASSIGN_OR_RETURN(const ScoredPart scores, reach.load(place.part));
    Explanation::Scored scored{.score = view_of(scores, spec, place.row),
                               .scored = scores.scored.at(place.row) != 0,
                               .keep = spec.keep};
    for (const judge::Rule& rule : rules.rules) {
      if (rule.column != spec.name) continue;
      scored.min = rule.min;
      scored.max = rule.max;
    }
    story->scores.push_back(std::move(scored));
  }
  return {};
}

// What goes from the text when it is handed on.
void add_removed(const RemovedSpans& spans, std::uint64_t id, Explanation* story) {
  for (const RemovedSpan& span : spans.of(id)) {
    if (span.reason == SpanReason::kLittleLeft) continue;
    story->removed.push_back(
        {.reason = std::string(name_of(span.reason)),
         .begin = span.begin,
         .end = span.end,
         .text = front_of(std::string_view(story->text).substr(span.begin, span.end - span.begin),
                          kExcerptLength),
         .kept_id = span.kept ? to_string(DocumentId{span.kept->id}) : "",
         .kept_begin = span.kept ? span.kept->begin : 0});
  }
  if (!story->removed.empty()) story->text_left = text_without(story->text, spans.of(id));
}

Result<void> add_tokens(const Context& context, std::uint64_t id, std::size_t part,
                        Explanation* story) {
  if (!context.finished.contains(kTokenize)) return {};
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(context.directory.at(
                                             RunDirectory::part(kTokensFolder, part, "parquet"))));
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> tokens;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("tokens", &tokens));
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found != ids.end() && *found == id)
    story->tokens = tokens[static_cast<std::size_t>(found - ids.begin())];
  return {};
}

}  // namespace
}  // namespace curate

Result<Explanation> explain(const std::string& directory, const std::string& id_text) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(directory));
  DocumentId id;
  if (!parse_document_id(id_text, &id))
    return invalid_argument("'{}' is no document id: ids look like 3:1024", excerpt(id_text));
  if (id.file() >= context->files.size())
    return not_found("{} has {} input files, no file {}", directory, context->files.size(),
                     id.file());
  HEADRACE_ASSIGN_OR_RETURN(const auto found, curate::find_row(*context, id));

  Explanation story;
  story.id = to_string(id);
  story.source = context->files[id.file()].path;
  story.domain = context->domains[context->files[id.file()].domain];
  story.offset = id.place();
  if (!found) {
    HEADRACE_RETURN_IF_ERROR(curate::tell_rejected(*context, id, &story));
    return story;
  }
  const curate::Place place = *found;
  HEADRACE_ASSIGN_OR_RETURN(const curate::PartVerdicts verdicts,
                            curate::load_verdicts(*context, place.part));
  story.verdict = verdicts.reasons[place.row].empty() ? "kept" : "dropped";
  if (const std::string& all = verdicts.all_reasons[place.row]; !all.empty())
    story.reasons = split_list(all);
  std::vector<bool> wanted(verdicts.ids.size());
  wanted[place.row] = true;
  HEADRACE_RETURN_IF_ERROR(curate::for_each_text(*context, place.part, wanted,
                                                 [&](std::size_t, const curate::RowText& text) {
                                                   story.text = text.text;
                                                   story.meta = text.meta;
                                                   return false;
                                                 }));
  curate::add_removed(verdicts.spans, id.value, &story);
  HEADRACE_ASSIGN_OR_RETURN(story.broken, curate::broken_rules(*context, place.part, place.row, id,
                                                               story.reasons, story.text));
  HEADRACE_RETURN_IF_ERROR(curate::add_measures(*context, place, &story));
  HEADRACE_RETURN_IF_ERROR(
      curate::add_scores(*context, place, context->domain_of(id.value), &story));
  HEADRACE_RETURN_IF_ERROR(curate::add_leaks(*context, place.part, place.row, &story));
  HEADRACE_RETURN_IF_ERROR(curate::add_cluster(*context, id.value, place.part, &story));
  HEADRACE_RETURN_IF_ERROR(curate::add_tokens(*context, id.value, place.part, &story));
  // The source may have gone since; the rest of the story stands without it.
  if (const auto replayed = curate::replay(*context, id, &story); !replayed)
    story.raw_missing = replayed.error().message();
  return story;
}

}  // namespace headrace
