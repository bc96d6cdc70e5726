// SPDX-License-Identifier: Apache-2.0
// The passes of a run, in the order in which passes.cc calls them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headrace/shard_set.h"

#include "curate/context.h"
#include "judge/judge.h"
#include "record/reasons.h"

namespace headrace::curate {

// Folders of the parts in a run directory.
inline constexpr const char* kNormalizedFolder = "normalized";
inline constexpr const char* kMeasuresFolder = "measures";
inline constexpr const char* kHashesFolder = "dedup/hashes";
inline constexpr const char* kSignaturesFolder = "dedup/signatures";
inline constexpr const char* kSignaturesExtension = "sig";
inline constexpr const char* kNearFolder = "dedup/near";
inline constexpr const char* kNearEdgesFolder = "dedup/near/edges";
inline constexpr const char* kClustersFolder = "dedup/clusters";
inline constexpr const char* kRejectedFolder = "rejected";
inline constexpr const char* kVerdictFolder = "verdict";
inline constexpr const char* kSpansFolder = "spans";
inline constexpr const char* kTokensFolder = "tokens";
inline constexpr const char* kMixFolder = "mix";

// `chosen` of the mix; part of the format, see docs/formats/run_directory.md.
inline constexpr std::uint32_t kNotChosen = 0;
inline constexpr std::uint32_t kChosen = 1;
inline constexpr std::uint32_t kChosenForValidation = 2;

// What the verdict pass reads of the document pass.
inline constexpr const char* kJudgedFolders[] = {kMeasuresFolder, kHashesFolder};

// All of the recipe that the rows of a document depend on, hashed: two recipes with the same one
// share the document pass.
std::string documents_fingerprint(const Recipe::Data& recipe, std::optional<double> sample);

// The fused pass over text: read, normalize, measure, hash. One task per InputTask.
Result<std::vector<Commit>> document_pass(Context& context);

// How many of its tasks have a valid commit.
Result<std::size_t> committed_documents(const Context& context);

// Signatures → which documents are near duplicates of which, whatever becomes of them: the places
// of all documents in a graph, and its edges. One task; none where the recipe does not ask for it.
// The texts of candidates are read again.
Result<std::vector<Commit>> near_pass(Context& context, const std::vector<Commit>& documents);
// What an earlier recipe made, where this one does not ask for it.
Result<void> remove_unasked_near(const Context& context);

// What models say of the documents that the rules on measures, and on earlier scores, keep → score
// files. Rows that have their score already are not scored again; nothing is read for them. The
// commits of all entries, one after the other.
Result<std::vector<Commit>> score_pass(Context& context, const std::vector<Commit>& documents);

// Scores of entries that the recipe does not name: no longer finished; gone from the directory.
void forget_other_scores(Context& context);
Result<void> remove_other_scores(const Context& context);

// Reads the held-out items that the recipe names; nothing for one without `leak`.
Result<void> prepare_leaks(Context& context);

// Looks the documents that rules and scores keep through for held-out items → leak/ (leak_files.h).
// Documents that were looked through stay so. The commits of its stages; none for a recipe without
// `leak`.
Result<std::vector<Commit>> leak_pass(Context& context, const std::vector<Commit>& documents);

// Which documents are held out, and which others hold their text → split/ (split_files.h). The
// commits of its stages; none for a recipe without `mix.validation`.
Result<std::vector<Commit>> split_pass(Context& context, const std::vector<Commit>& documents);

// Scores, leaks, split, in this order: what looks at text of documents that are still kept. The
// commits of all.
Result<std::vector<Commit>> late_passes(Context& context, const std::vector<Commit>& documents);

// The stages and files of `leak` and `mix.validation` where the recipe has none: no longer
// finished; gone from the directory.
void forget_other_leaks(Context& context);
Result<void> remove_other_leaks(const Context& context);

// Rules, then validation leaks, exact and near duplicates over kept columns → verdict parts, and
// the clusters of near duplicates. No text is read. `late`: the commits of late_passes().
Result<std::vector<Commit>> verdict_pass(Context& context, const std::vector<Commit>& documents,
                                         const std::vector<Commit>& near,
                                         const std::vector<Commit>& late);

// Kept documents → the ranges of their texts that do not go into the output, part by part
// (removed_spans.h). Documents of which nothing is left are dropped. Only for a recipe that removes
// any; else its commits are none.
Result<std::vector<Commit>> span_pass(Context& context, const std::vector<Commit>& documents,
                                      const std::vector<Commit>& verdicts);

// Kept documents → token ids and counts, part by part. `spans` is empty, or one commit a part.
Result<std::vector<Commit>> tokenize_pass(Context& context, const std::vector<Commit>& documents,
                                          const std::vector<Commit>& verdicts,
                                          const std::vector<Commit>& spans);

// Which tokenized documents go in. One task.
Result<Commit> mix_pass(Context& context, const std::vector<Commit>& tokens);

// Sequences → shuffled shards and the manifest; those of the documents that are held out for
// validation make a second set, in shards/validation.
Result<void> shard_pass(Context& context, const std::vector<Commit>& tokens, const Commit& mix);

// report/index.html and the bounded samples under dropped/.
Result<void> report_pass(Context& context);

// Adds one document to a file's counts of a stage. Shared by the passes that decide over rows.
struct RowCounts {
  std::map<std::uint64_t, FileCounts> files;
  void kept(std::uint64_t id);
  void dropped(std::uint64_t id, std::string_view reason);

 private:
  FileCounts& of(std::uint64_t id);
  std::uint64_t last_file_ = 0;  // rows of one file stand together
  FileCounts* last_ = nullptr;
};

}  // namespace headrace::curate
