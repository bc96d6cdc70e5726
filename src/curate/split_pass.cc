// SPDX-License-Identifier: Apache-2.0
// The validation split: which documents are held out, and which of the others hold their text.
//
// Stages as those of the leak check: an index of all documents on the validation side, with phrase
// frequencies from a sample of the others, then training documents looked through, part by part.
// All of the validation side is in the index, whether rules keep it or not, so that a moved
// threshold leaves the index as it is; what counts in the end is text of documents that are kept,
// and that the verdicts know (validation_leaks.h).
#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"
#include "curate/open_rows.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/reference_sample.h"
#include "curate/split_files.h"
#include "curate/validation.h"
#include "io/file.h"
#include "leak/own_split.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kSplitPassVersion = 1;

class SplitPass {
 public:
  SplitPass(Context& context, const std::vector<Commit>& documents)
      : context_(context),
        documents_(documents),
        spec_(*context.recipe.validation),
        sides_(context) {}

  Result<std::vector<Commit>> run() {
    for (const char* folder : {kSplitFolder, kSplitLeaksFolder})
      HEADRACE_RETURN_IF_ERROR(io::make_directories(context_.directory.at(folder)));
    std::vector<Commit> commits;
    if (spec_.check_leaks) {
      HEADRACE_ASSIGN_OR_RETURN(commits, make_index());
      has_index_ = !commits.front().outputs.empty();
      if (has_index_) index_digest_ = commits.front().outputs.front().xxh3_128;
    }
    HEADRACE_RETURN_IF_ERROR(make_plans());
    if (std::any_of(plans_.begin(), plans_.end(),
                    [](const OpenRows& plan) { return plan.count > 0; }))
      HEADRACE_RETURN_IF_ERROR(open_index());
    std::vector<StageTask> tasks;
    for (std::size_t part = 0; part < plans_.size(); ++part) {
      tasks.push_back({.fingerprint = plans_[part].fingerprint,
                       .weight = plans_[part].count,
                       .work = [this, part] { return scan_part(part); },
                       .extends = plans_[part].extends});
    }
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> scans, run_stage(context_, kSplit, tasks));
    std::move(scans.begin(), scans.end(), std::back_inserter(commits));
    return commits;
  }

 private:
  Result<std::vector<Commit>> make_index() {
    Fingerprint print;
    print.add(kSplitPassVersion).add(sides_.fingerprint()).add(spec_.sample);
    for (const Commit& commit : documents_) print.add(commit.digest());
    return run_stage(context_, kSplitIndex,
                     {{.fingerprint = print.hex(), .work = [this] { return write_index(); }}});
  }

  Result<Commit> write_index() const {
    HEADRACE_ASSIGN_OR_RETURN(leak::SplitBuilder builder, leak::SplitBuilder::make());
    std::vector<std::vector<bool>> sides(documents_.size());
    std::uint64_t held_out = 0;
    for (std::size_t part = 0; part < documents_.size(); ++part) {
      HEADRACE_ASSIGN_OR_RETURN(sides[part], sides_.of_part(part));
      HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context_, part, {}));
      HEADRACE_RETURN_IF_ERROR(for_each_text(
          context_, part, sides[part],
          [&](std::size_t row, const RowText& text) {
            builder.add(to_string(DocumentId{rows.ids[row]}), text.text);
            ++held_out;
            return !context_.stop.stop_requested();
          },
          TextFields::kText));
    }
    ReferenceSample sample(context_, documents_, spec_.sample, "split_sample");
    for (std::size_t part = 0; part < documents_.size(); ++part) {
      HEADRACE_RETURN_IF_ERROR(sample.for_each(
          part, sides[part], [&](std::string_view text) { builder.add_reference(text); }));
    }
    Commit commit;
    auto finished = builder.finish();
    if (!finished && finished.error().code() == Code::kInvalidArgument) {  // no text to look for
      commit.numbers["without_fingerprints"] = held_out;
      return commit;
    }
    HEADRACE_ASSIGN_OR_RETURN(const leak::SplitIndex index, std::move(finished));
    HEADRACE_RETURN_IF_ERROR(index.save(context_.directory.at(kSplitIndexFile)));
    commit.outputs.push_back({kSplitIndexFile, 0, ""});
    commit.numbers = {{"documents", index.stats().documents},
                      {"without_fingerprints", index.stats().without_fingerprints},
                      {"reference_documents", index.stats().reference_documents}};
    return commit;
  }

  Result<void> open_index() {
    HEADRACE_ASSIGN_OR_RETURN(
        leak::SplitIndex index,
        leak::SplitIndex::open(context_.directory.at(kSplitIndexFile), leak::SplitSettings()));
    index_.emplace(std::move(index));
    for (std::uint32_t document = 0; document < index_->size(); ++document) {
      DocumentId id;
      if (!parse_document_id(index_->id(document), &id))
        return corrupt("{} names a document '{}'", kSplitIndexFile, index_->id(document));
      indexed_.push_back(id.value);
    }
    return {};
  }

  Result<void> make_plans() {
    const std::size_t groups = group_count(context_.recipe);
    HEADRACE_ASSIGN_OR_RETURN(const auto rules, resolve_rules(context_, groups));
    HEADRACE_ASSIGN_OR_RETURN(const judge::Judge judge, make_judge(context_.recipe, rules, groups));
    plans_.resize(documents_.size());
    return parallel_for(plans_.size(), context_.threads, context_.stop,
                        [&](std::size_t part) -> Result<void> {
                          HEADRACE_ASSIGN_OR_RETURN(plans_[part], make_plan(judge, part));
                          return {};
                        });
  }

  // Of the training side.
  Result<OpenRows> make_plan(const judge::Judge& judge, std::size_t part) const {
    HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged, JudgedPart::load(context_, judge, part));
    std::vector<bool> wanted(judged.ids.size());
    if (has_index_) {
      HEADRACE_ASSIGN_OR_RETURN(const std::vector<bool> sides, sides_.of_part(part));
      for (std::size_t row = 0; row < wanted.size(); ++row)
        wanted[row] = judged.verdicts.kept(row) && !sides[row];
    }
    return open_rows(
        context_, kSplit, part, std::move(wanted),
        [&](const std::vector<bool>& rows) { return fingerprint(part, rows); },
        [&] { return SplitPart::load_scanned(context_.directory, part); });
  }

  std::string fingerprint(std::size_t part, const std::vector<bool>& rows) const {
    Fingerprint print;
    print.add(kSplitPassVersion)
        .add(sides_.fingerprint())
        .add(index_digest_)
        .add(documents_[part].digest())
        .add(rows);
    return print.hex();
  }

  Result<Commit> scan_part(std::size_t part) const {
    const OpenRows& plan = plans_[part];
    SplitPart rows;
    if (plan.extends) {
      HEADRACE_ASSIGN_OR_RETURN(rows, SplitPart::load(context_.directory, part));
    } else {
      HEADRACE_ASSIGN_OR_RETURN(MeasuredPart measured, MeasuredPart::load(context_, part, {}));
      rows.ids = std::move(measured.ids);
      rows.scanned.assign(rows.ids.size(), false);
      HEADRACE_ASSIGN_OR_RETURN(rows.validation, sides_.of_part(part));
    }
    if (plan.count > 0) {
      if (const auto done = scan_rows(part, &rows); !done)
        return done.error().with_context(
            fmt::format("looking for validation text in part {}", part));
    }
    HEADRACE_RETURN_IF_ERROR(rows.write(context_.directory, part));
    Commit commit;
    commit.outputs.push_back({split_file(part), 0, ""});
    commit.outputs.push_back({split_leaks_file(part), 0, ""});
    commit.numbers["rows"] = rows.ids.size();
    commit.numbers["validation"] = static_cast<std::uint64_t>(
        std::count(rows.validation.begin(), rows.validation.end(), true));
    commit.numbers["scanned"] =
        static_cast<std::uint64_t>(std::count(rows.scanned.begin(), rows.scanned.end(), true));
    return commit;
  }

  Result<void> scan_rows(std::size_t part, SplitPart* rows) const {
    HEADRACE_ASSIGN_OR_RETURN(leak::SplitScanner scanner, leak::SplitScanner::make(*index_));
    HEADRACE_RETURN_IF_ERROR(for_each_text(
        context_, part, plans_[part].open,
        [&](std::size_t row, const RowText& text) {
          rows->scanned[row] = true;
          for (leak::SplitHit& hit : scanner.scan(text.text)) {
            rows->leaks.push_back({rows->ids[row], indexed_[hit.document], hit.leak,
                                   hit.share_validation, hit.share_train, hit.mass,
                                   std::move(hit.pieces)});
          }
          return !context_.stop.stop_requested();
        },
        TextFields::kText));
    if (context_.stop.stop_requested()) return cancelled("stopped");
    std::stable_sort(rows->leaks.begin(), rows->leaks.end(),
                     [](const SplitLeak& a, const SplitLeak& b) { return a.id < b.id; });
    return {};
  }

  Context& context_;
  const std::vector<Commit>& documents_;
  const ValidationSpec& spec_;
  const ValidationSides sides_;
  bool has_index_ = false;  // there is text of the validation side to look for
  std::string index_digest_;
  std::optional<leak::SplitIndex> index_;
  std::vector<std::uint64_t> indexed_;  // by number in the index: the document's id
  std::vector<OpenRows> plans_;
};

}  // namespace

Result<std::vector<Commit>> split_pass(Context& context, const std::vector<Commit>& documents) {
  if (!context.recipe.validation) return std::vector<Commit>();
  HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> commits, SplitPass(context, documents).run());
  std::uint64_t held_out = 0;
  for (const Commit& commit : commits) {
    const auto found = commit.numbers.find("validation");
    if (found != commit.numbers.end()) held_out += found->second;
  }
  if (held_out == 0) {
    log_warning(
        "mix.validation: no document is held out: a share of {:.6g} of these source documents is "
        "none; choose a larger share, or smaller source documents ('by')",
        context.recipe.validation->share);
  }
  return commits;
}

}  // namespace headrace::curate
