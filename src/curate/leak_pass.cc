// SPDX-License-Identifier: Apache-2.0
// Leaks: held-out items that stand in the documents that rules and scores keep.
//
// Two stages. The first makes an index of the items with the frequencies of their phrases in a
// sample of the run's own documents; the second looks the documents through, part by part. What it
// writes are facts: which documents were looked at and what stands in them, where. What becomes of
// a document is for the verdicts, so another `verdict` looks nothing through again.
// As scores are, the files are extended and never cut: a moved threshold brings new documents here
// and leaves the others as they are, because the sample is drawn from all documents.
#include <algorithm>
#include <filesystem>
#include <mutex>

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/judge_columns.h"
#include "curate/leak_files.h"
#include "curate/leak_items.h"
#include "curate/measure_columns.h"
#include "curate/open_rows.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/reference_sample.h"
#include "curate/validation.h"
#include "io/file.h"
#include "leak/leak.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kLeakPassVersion = 1;
// In a corpus of fewer documents an item that leaks into a few of them would look like a phrase
// that everybody uses; there no phrase is called common.
constexpr std::uint64_t kLeastReferenceDocuments = 10'000;

class LeakPass {
 public:
  LeakPass(Context& context, const std::vector<Commit>& documents)
      : context_(context), documents_(documents), items_(*context.leak_items) {}

  Result<std::vector<Commit>> run() {
    for (const char* folder : {kLeakFolder, kLeakDocumentsFolder, kLeakHitsFolder})
      HEADRACE_RETURN_IF_ERROR(io::make_directories(context_.directory.at(folder)));
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> commits, make_index());
    index_digest_ = commits.front().outputs.front().xxh3_128;
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
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> scans, run_stage(context_, kLeaks, tasks));
    std::move(scans.begin(), scans.end(), std::back_inserter(commits));
    return commits;
  }

 private:
  Result<std::vector<Commit>> make_index() {
    Fingerprint print;
    print.add(kLeakPassVersion)
        .add(items_.fingerprint)
        .add(context_.recipe.leak->sample)
        .add(context_.recipe.seed);
    for (const Commit& commit : documents_) print.add(commit.digest());
    return run_stage(context_, kLeakIndex,
                     {{.fingerprint = print.hex(), .weight = items_.items.size(), .work = [this] {
                         return write_index();
                       }}});
  }

  Result<Commit> write_index() const {
    HEADRACE_ASSIGN_OR_RETURN(leak::IndexBuilder builder, leak::IndexBuilder::make());
    for (const leak::Item& item : items_.items) builder.add(item);
    ReferenceSample sample(context_, documents_, context_.recipe.leak->sample, "leak_sample");
    std::mutex mutex;
    std::uint64_t rows = 0;
    for (const Commit& commit : documents_) rows += commit.numbers.at("rows");
    const std::size_t parts = rows < kLeastReferenceDocuments ? 0 : documents_.size();
    HEADRACE_RETURN_IF_ERROR(
        parallel_for(parts, context_.threads, context_.stop, [&](std::size_t part) -> Result<void> {
          std::unique_lock lock(mutex);
          leak::ReferenceCounter counter = builder.counter();
          lock.unlock();
          HEADRACE_RETURN_IF_ERROR(
              sample.for_each(part, {}, [&](std::string_view text) { counter.add(text); }));
          lock.lock();
          builder.count(counter);
          return {};
        }));
    HEADRACE_ASSIGN_OR_RETURN(const leak::Index index, builder.finish());
    HEADRACE_RETURN_IF_ERROR(index.save(context_.directory.at(kLeakIndexFile)));
    const leak::IndexStats& stats = index.stats();
    Commit commit;
    commit.outputs.push_back({kLeakIndexFile, 0, ""});
    commit.numbers = {{"items", stats.items},
                      {"folded", stats.folded},
                      {"without_seeds", stats.without_seeds},
                      {"not_checkable", stats.not_checkable},
                      {"cut", stats.cut},
                      {"seeds", stats.seeds},
                      {"seeds_left_out", stats.seeds_left_out},
                      {"reference_documents", stats.reference_documents}};
    for (const LeakItems::Set& set : items_.sets) commit.numbers["items." + set.name] = set.items;
    return commit;
  }

  Result<void> open_index() {
    const std::string path = context_.directory.at(kLeakIndexFile);
    HEADRACE_ASSIGN_OR_RETURN(leak::Index index, leak::Index::open(path, leak::IndexSettings()));
    index_.emplace(std::move(index));
    constexpr const char* kTexts[] = {kNormalizedFolder};
    for (std::size_t part = 0; part < plans_.size(); ++part) {
      if (plans_[part].count == 0) continue;
      context_.newly_scanned += plans_[part].count;
      if (const auto broken =
              context_.ledger.broken_output(kDocuments, part, documents_[part], kTexts)) {
        return corrupt(
            "{}, which is to be checked for leaks, is gone or was changed after it was committed: "
            "run the recipe again",
            context_.directory.at(*broken));
      }
    }
    return {};
  }

  Result<void> make_plans() {
    const std::size_t groups = leak_group(context_.recipe);
    HEADRACE_ASSIGN_OR_RETURN(const auto rules, resolve_rules(context_, groups));
    HEADRACE_ASSIGN_OR_RETURN(const judge::Judge judge, make_judge(context_.recipe, rules, groups));
    plans_.resize(documents_.size());
    return parallel_for(plans_.size(), context_.threads, context_.stop,
                        [&](std::size_t part) -> Result<void> {
                          HEADRACE_ASSIGN_OR_RETURN(plans_[part], make_plan(judge, part));
                          return {};
                        });
  }

  Result<OpenRows> make_plan(const judge::Judge& judge, std::size_t part) const {
    HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged, JudgedPart::load(context_, judge, part));
    std::vector<bool> wanted(judged.ids.size());
    for (std::size_t row = 0; row < wanted.size(); ++row) wanted[row] = judged.verdicts.kept(row);
    return open_rows(
        context_, kLeaks, part, std::move(wanted),
        [&](const std::vector<bool>& rows) { return fingerprint(part, rows); },
        [&] { return LeakPart::load_scanned(context_.directory, part); });
  }

  std::string fingerprint(std::size_t part, const std::vector<bool>& rows) const {
    Fingerprint print;
    print.add(kLeakPassVersion).add(index_digest_).add(documents_[part].digest()).add(rows);
    return print.hex();
  }

  Result<Commit> scan_part(std::size_t part) const {
    const OpenRows& plan = plans_[part];
    LeakPart rows;
    Commit commit;
    if (plan.extends) {
      HEADRACE_ASSIGN_OR_RETURN(rows, LeakPart::load(context_.directory, part));
      // What looking through cost adds up; what follows from the rows is counted anew.
      if (const auto earlier = context_.ledger.read(kLeaks, part))
        commit.numbers = earlier->numbers;
    } else {
      HEADRACE_ASSIGN_OR_RETURN(MeasuredPart measured, MeasuredPart::load(context_, part, {}));
      rows = LeakPart::unscanned(std::move(measured.ids));
    }
    if (plan.count > 0) {
      if (const auto done = scan_rows(part, &rows, &commit); !done)
        return done.error().with_context(fmt::format("checking part {} for leaks", part));
    }
    HEADRACE_RETURN_IF_ERROR(rows.write(context_.directory, part));
    commit.outputs.push_back({leak_documents_file(part), 0, ""});
    commit.outputs.push_back({leak_hits_file(part), 0, ""});
    commit.numbers["rows"] = rows.ids.size();
    commit.numbers["hits"] = rows.hits.size();
    return commit;
  }

  Result<void> scan_rows(std::size_t part, LeakPart* rows, Commit* commit) const {
    HEADRACE_ASSIGN_OR_RETURN(leak::Scanner scanner, leak::Scanner::make(*index_));
    std::vector<LeakHit> found;
    HEADRACE_RETURN_IF_ERROR(for_each_text(
        context_, part, plans_[part].open,
        [&](std::size_t row, const RowText& text) {
          rows->scanned[row] = true;
          for (leak::Hit& hit : scanner.scan(text.text)) {
            const leak::Item& item = index_->item(hit.item);
            found.push_back({rows->ids[row], item.set, item.id, std::move(hit)});
          }
          return !context_.stop.stop_requested();
        },
        TextFields::kText));
    if (context_.stop.stop_requested()) return cancelled("stopped");
    rows->hits.insert(rows->hits.end(), std::make_move_iterator(found.begin()),
                      std::make_move_iterator(found.end()));
    std::stable_sort(rows->hits.begin(), rows->hits.end(),
                     [](const LeakHit& a, const LeakHit& b) { return a.id < b.id; });
    const leak::ScanStats& stats = scanner.stats();
    for (const auto& [name, count] : {std::pair("documents", stats.documents),
                                      {"bytes", stats.bytes},
                                      {"probes", stats.probes},
                                      {"bits_set", stats.bits_set},
                                      {"groups", stats.groups},
                                      {"verified", stats.verified},
                                      {"cut_documents", stats.cut_documents}})
      commit->numbers[name] += count;
    return {};
  }

  Context& context_;
  const std::vector<Commit>& documents_;
  const LeakItems& items_;
  std::string index_digest_;
  std::optional<leak::Index> index_;
  std::vector<OpenRows> plans_;
};

}  // namespace

Result<void> prepare_leaks(Context& context) {
  context.leak_items.reset();
  if (!context.recipe.leak) return {};
  HEADRACE_ASSIGN_OR_RETURN(LeakItems items,
                            read_leak_items(*context.recipe.leak, context.recipe.path));
  context.leak_items = std::make_unique<LeakItems>(std::move(items));
  return {};
}

namespace {

constexpr const char* kLeakStages[] = {kLeakIndex, kLeaks, kSplitIndex, kSplit, kValidation};

}  // namespace

void forget_other_leaks(Context& context) {
  for (const char* stage : kLeakStages) {
    if (!wants_stage(context.recipe, stage)) context.finished.erase(stage);
  }
}

Result<void> remove_other_leaks(const Context& context) {
  for (const char* stage : kLeakStages) {
    if (wants_stage(context.recipe, stage)) continue;
    HEADRACE_RETURN_IF_ERROR(context.ledger.forget_from(stage, 0));
  }
  // Commits of a stage may lie below those of another: "leak" above "leak/index".
  for (const auto& [stage, folder] :
       {std::pair(kLeaks, kLeakFolder), std::pair(kSplit, kSplitFolder)}) {
    if (wants_stage(context.recipe, stage)) continue;
    HEADRACE_RETURN_IF_ERROR(io::remove_all(context.directory.at(fmt::format("tasks/{}", stage))));
    HEADRACE_RETURN_IF_ERROR(io::remove_all(context.directory.at(folder)));
  }
  if (wants_stage(context.recipe, kValidation)) return {};
  return io::remove_all(context.directory.at("shards/validation"));
}

Result<std::vector<Commit>> leak_pass(Context& context, const std::vector<Commit>& documents) {
  if (!context.recipe.leak) return std::vector<Commit>();
  return LeakPass(context, documents).run();
}

}  // namespace headrace::curate
