// SPDX-License-Identifier: Apache-2.0
#include "curate/reference_sample.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"

namespace headrace::curate {
namespace {

double share_of(const std::vector<Commit>& documents, std::uint64_t wanted) {
  std::uint64_t rows = 0;
  for (const Commit& commit : documents) rows += commit.numbers.at("rows");
  return rows <= wanted ? 1 : static_cast<double>(wanted) / static_cast<double>(rows);
}

}  // namespace

ReferenceSample::ReferenceSample(const Context& context, const std::vector<Commit>& documents,
                                 std::uint64_t wanted, std::string_view what_for)
    : context_(context),
      share_(share_of(documents, wanted)),
      rng_(context.recipe.seed, purpose(what_for)) {}

bool ReferenceSample::is_new(std::string_view text) {
  const std::uint64_t hash = hash64(text);
  const std::lock_guard lock(mutex_);
  return seen_.insert(hash).second;
}

Result<void> ReferenceSample::for_each(std::size_t part, const std::vector<bool>& left_out,
                                       const std::function<void(std::string_view text)>& each) {
  HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context_, part, {}));
  std::vector<bool> wanted(rows.ids.size());
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    wanted[row] = rng_.unit(rows.ids[row]) < share_ && (left_out.empty() || !left_out[row]);
  }
  HEADRACE_RETURN_IF_ERROR(for_each_text(
      context_, part, wanted,
      [&](std::size_t, const RowText& text) {
        if (is_new(text.text)) each(text.text);
        return !context_.stop.stop_requested();
      },
      TextFields::kText));
  if (context_.stop.stop_requested()) return cancelled("stopped while counting phrases");
  return {};
}

}  // namespace headrace::curate
