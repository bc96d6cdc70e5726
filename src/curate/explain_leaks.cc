// SPDX-License-Identifier: Apache-2.0
#include "curate/explain_leaks.h"

#include "base/quote.h"
#include "curate/leak_files.h"
#include "curate/passes.h"
#include "curate/split_files.h"
#include "curate/validation.h"
#include "record/document.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kExcerptCodePoints = 200;

std::string stretch(const std::string& text, TextRange range) {
  if (range.begin >= text.size()) return "";
  std::string found = text.substr(range.begin, range.end - range.begin);
  std::size_t end = 0;
  for (std::size_t points = 0; end < found.size() && points < kExcerptCodePoints; ++points)
    end += std::max<std::size_t>(1, utf8_length(std::string_view(found).substr(end)));
  if (end < found.size()) found = found.substr(0, end) + "…";
  return found;
}

Explanation::Leak told(const LeakSpec& spec, const LeakHit& found, const std::string& text) {
  const leak::Hit& hit = found.hit;
  const auto coverage = [&](leak::Part part) {
    return hit.coverage[static_cast<std::size_t>(part)];
  };
  return {.set = found.set,
          .item = found.item,
          .verdict = std::string(leak::name_of(hit.verdict)),
          .report_only = spec.is_report_only(found.set),
          .view = std::string(leak::name_of(hit.view)),
          .ratio = hit.ratio,
          .mass = hit.mass,
          .density = hit.density,
          .question = coverage(leak::Part::kQuestion),
          .options = coverage(leak::Part::kOptions),
          .answer = coverage(leak::Part::kAnswer),
          .passage = coverage(leak::Part::kPassage),
          .begin = hit.span.begin,
          .end = hit.span.end,
          .excerpt = stretch(text, hit.span)};
}

}  // namespace

Result<void> add_leaks(const Context& context, std::size_t part, std::size_t row,
                       Explanation* story) {
  DocumentId id;
  parse_document_id(story->id, &id);
  if (context.recipe.leak && context.finished.contains(kLeaks)) {
    HEADRACE_ASSIGN_OR_RETURN(const LeakPart rows, LeakPart::load(context.directory, part));
    story->leak_checked = rows.scanned.at(row);
    for (const LeakHit& hit : rows.hits) {
      if (hit.id == id.value) story->leaks.push_back(told(*context.recipe.leak, hit, story->text));
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<bool> sides, load_sides(context, part));
  if (sides.empty()) return {};
  story->split = sides.at(row) ? "validation" : "training";
  HEADRACE_ASSIGN_OR_RETURN(const auto found, SplitPart::load_leaks(context.directory, part));
  for (const SplitLeak& leak : found) {
    if (leak.id != id.value) continue;
    story->validation_leaks.push_back({.id = to_string(DocumentId{leak.validation_id}),
                                       .leak = leak.leak,
                                       .share_validation = leak.share_validation,
                                       .share_training = leak.share_training,
                                       .mass = leak.mass});
  }
  return {};
}

}  // namespace headrace::curate
